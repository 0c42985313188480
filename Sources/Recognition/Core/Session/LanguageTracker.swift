import Foundation
import RecognitionProtocol

/// Decides in which language each window of a recording is recognized, by what the windows sound like, in the order of the
/// audio: a pure state machine. So the languages do not depend on the order in which windows are decoded.
///
/// The language changes where two windows with enough speech sound like another one, and no window between them sounds like
/// the language so far. The change is at the first of the two.
struct LanguageTracker {
  /// What a window is recognized in.
  enum Decision: Sendable, Equatable {
    case whole(String)
    /// The language may change at one of the window's utterances.
    /// - Parameter leaning: the language of utterances that do not sound clearly like one of the two.
    case change(from: String, to: String, leaning: String)
  }

  /// Samples of speech from which a window, or an utterance at a change, sounds like a language.
  static let minSpeech = (window: 5 * SpeechSegmenter.sampleRate, utterance: SpeechSegmenter.sampleRate)
  /// The probability from which it does.
  static let minProbability = (window: 0.8, utterance: 0.5)
  /// The number of windows without a clear language after which the first evidence of another language does not count.
  private static let maxUnclear = 2

  /// The language of the last decided window, or the first one.
  private(set) var language: String
  /// The number of windows without a decision: the last one, because the change may be in it, and those since the first
  /// evidence of another language.
  private var waiting = 0
  /// Another language that one window sounded like, and the number of windows from that one on.
  private var candidate: (language: String, windows: Int)?

  /// - Parameter language: the one of what was said before.
  init(_ language: String) { self.language = language }

  /// Takes the next window.
  /// - Parameter heard: the language that it sounds like; nil if that is not clear.
  /// - Returns: the decisions about the first windows that have none.
  mutating func take(_ heard: String?) -> [Decision] {
    waiting += 1
    if let (other, windows) = candidate {
      if heard == other { return change(to: other, windows: windows) }
      if heard == nil, windows <= Self.maxUnclear {
        candidate?.windows += 1
        return []
      }
      candidate = nil
    }
    guard let heard, heard != language else { return release(keeping: 1) }
    candidate = (heard, 1)
    return release(keeping: 2)
  }

  /// Decides about all windows: no other one follows, or their results are needed now.
  mutating func finish() -> [Decision] {
    candidate = nil
    return release(keeping: 0)
  }

  private mutating func change(to other: String, windows: Int) -> [Decision] {
    let before = [Decision](
      repeating: .change(from: language, to: other, leaning: language), count: waiting - 1 - windows)
    let first = Decision.change(from: language, to: other, leaning: other)
    let between = [Decision](repeating: .whole(other), count: windows - 1)
    (language, candidate, waiting) = (other, nil, 1)
    return before + [first] + between
  }

  private mutating func release(keeping count: Int) -> [Decision] {
    let decided = max(0, waiting - count)
    waiting -= decided
    return [Decision](repeating: .whole(language), count: decided)
  }

  /// The number of a window's utterances before a change.
  /// - Parameter utterances: for each the samples of its speech, and whether it sounds like the new language.
  static func change(in utterances: [(speech: Int, isNew: Bool)]) -> Int {
    // One point for each sample on the right side.
    var score = utterances.reduce(0) { $0 + ($1.isNew ? $1.speech : 0) }
    var best = (count: 0, score: score)
    for (index, utterance) in utterances.enumerated() {
      score += utterance.isNew ? -utterance.speech : utterance.speech
      if score > best.score { best = (index + 1, score) }
    }
    return best.count
  }
}

extension [ServiceHypothesis] {
  /// The language (BCP 47) that audio sounds like; nil if that is not clear.
  /// - Parameters:
  ///   - speech: samples of speech in the audio.
  ///   - minSpeech: how many there must be.
  ///   - minProbability: how likely the language must be.
  func language(speech: Int, minSpeech: Int, minProbability: Double) -> String? {
    guard speech >= minSpeech, let language = first?.language, language.probability >= minProbability else {
      return nil
    }
    let locale = Locale(identifier: language.code)
    return (SpeechLocales.supported(equivalentTo: locale) ?? locale).identifier(.bcp47)
  }
}
