import Foundation
import RecognitionProtocol

/// How long a service may take for an answer: some seconds for itself, and some for each second of audio.
///
/// A working service decodes a second in a quarter of a second, up to three times.
package struct ServicePatience: Sendable, Equatable {
  static let usual = ServicePatience(base: 10, perSecond: 10)
  /// How often the patience for a service without work may run out in a row, before the recognizer counts as silent.
  private static let maxSilences = 6.0

  /// Seconds for an answer that needs no audio.
  package let base: TimeInterval
  /// Seconds for each second of audio.
  let perSecond: TimeInterval

  private init(base: TimeInterval, perSecond: TimeInterval) {
    (self.base, self.perSecond) = (base, perSecond)
  }

  /// The same patience for everything; nil for the usual one.
  init(fixed seconds: TimeInterval?) {
    self = seconds.map { ServicePatience(base: $0, perSecond: 0) } ?? .usual
  }

  /// Seconds until a configuration is in use.
  func configuring(_ configuration: ServiceConfiguration) -> TimeInterval {
    base + perSecond * configuration.model.recognizer.loading
  }
  /// Total seconds of waiting without an answer, before the recognizer counts as silent.
  var inVain: TimeInterval { Self.maxSilences * base }
  /// Seconds for the longest utterance.
  var longest: TimeInterval { limit(samples: UtteranceAssembler.maxLength) }

  /// Seconds for audio at 16 kHz.
  func limit(samples: Int) -> TimeInterval {
    base + perSecond * Double(samples) / Double(SpeechSegmenter.sampleRate)
  }
}

/// Counts the time of waiting without an answer since the last answer of any service: a recognizer that never answers is not
/// to cost this time again for every utterance.
struct ServiceSilence {
  private let limit: TimeInterval
  private var wasted: TimeInterval = 0
  /// When a recognizer that counts as silent is asked again.
  private var nextTry = -TimeInterval.infinity
  /// Whether it was asked although it counts as silent, and has not answered yet.
  private var isTried = false

  /// - Parameter limit: seconds without an answer after which the recognizer counts as silent.
  init(limit: TimeInterval) { self.limit = limit }

  /// A service answered.
  mutating func end() {
    wasted = 0
    nextTry = -.infinity
    isTried = false
  }

  /// A service was waited for and gave no answer.
  /// - Parameter now: seconds on a clock that never goes back.
  mutating func add(_ seconds: TimeInterval, at now: TimeInterval) {
    wasted += max(0, seconds)
    // Waiting took its time, which is not part of the pause. After this time without an answer, the client gives up.
    if isTried || seconds >= limit { nextTry = now + limit }
    isTried = false
  }

  /// Whether to ask a service. Where the recognizer counts as silent, it is asked once more, and then once in a while.
  /// - Parameter now: seconds on a clock that never goes back.
  mutating func mayAsk(at now: TimeInterval) -> Bool {
    guard wasted >= limit else { return true }
    guard now >= nextTry else { return false }
    nextTry = now + limit
    isTried = true
    return true
  }
}
