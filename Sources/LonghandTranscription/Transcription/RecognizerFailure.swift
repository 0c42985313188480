import Foundation
import LonghandTranscripts
import Speech

/// What an error of the Speech framework means for the work, by its domain and code as Apple documents them
/// (SFSpeechRecognitionTask.h, SFErrors.h).
enum RecognizerFailure: Sendable, Equatable {
  /// There was no speech; nothing is wrong.
  case noSpeech
  /// Everything was recognized but these ranges, in seconds from the start of the recognizer's audio.
  case ranges([ClosedRange<TimeInterval>], String)
  /// Another attempt may succeed.
  case transient(String, Reaction = .backOff)
  /// No attempt will succeed.
  case permanent(TranscriptionError)

  init(_ error: any Error) {
    if let error = error as? TranscriptionError {
      self = .permanent(error)
    } else {
      self.init(error as NSError, isCause: false)
    }
  }

  private init(_ error: NSError, isCause: Bool) {
    let why = error.localizedDescription
    switch (error.domain, error.code) {
    case ("kAFAssistantErrorDomain", 1110) where !isCause: self = .noSpeech
    case ("kAFAssistantErrorDomain", 203) where !error.failedRanges.isEmpty:
      self = .ranges(error.failedRanges, why)
    case ("kAFAssistantErrorDomain", 1700): self = .permanent(.notAuthorized(why))
    case ("kAFAssistantErrorDomain", 209): self = .transient(why, .checkInput)
    case ("kAFAssistantErrorDomain", 216): self = .transient(why, .cancelAll)
    case ("kAFAssistantErrorDomain", 1101), ("kAFAssistantErrorDomain", 1107): self = .transient(why, .wait)
    case ("SiriSpeechErrorDomain", _): self = .transient(why, .useDevice)
    // The service or the model is missing; dictation is off; the locale has no assets.
    case ("kLSRErrorDomain", 102), ("kLSRErrorDomain", 201), ("kLSRErrorDomain", 300),
      (SFSpeechErrorDomain, SFSpeechError.Code.assetLocaleNotAllocated.rawValue),
      (SFSpeechErrorDomain, SFSpeechError.Code.noModel.rawValue):
      self = .permanent(.notInstalled(why, hint: TranscriptionError.installation))
    case (SFSpeechErrorDomain, SFSpeechError.Code.audioReadFailed.rawValue),
      (SFSpeechErrorDomain, SFSpeechError.Code.unexpectedAudioFormat.rawValue),
      (SFSpeechErrorDomain, SFSpeechError.Code.incompatibleAudioFormats.rawValue):
      self = .permanent(.undecodable(why))
    case (SFSpeechErrorDomain, SFSpeechError.Code.moduleOutputFailed.rawValue),
      (SFSpeechErrorDomain, SFSpeechError.Code.internalServiceError.rawValue):
      // An analyzer's errors carry their causes.
      if let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError {
        self.init(cause, isCause: true)
      } else {
        self = .transient(why)
      }
    default: self = .transient(why)
    }
  }
}

extension RecognizerFailure {
  /// What to do before the next attempt, by the error.
  enum Reaction: Sendable, Equatable {
    /// Wait a little, twice as long after each further failure.
    case backOff
    /// Look at the audio: if it is silent, there was nothing to recognize.
    case checkInput
    /// Another request is in the way: end every own one, then as `backOff`.
    case cancelAll
    /// The system's service is not ready: wait for 5 seconds and more.
    case wait
    /// The server takes no more: 1,000 requests an hour, a minute each. Recognize on the device if it can by now, else
    /// wait for a minute and more. It is not the fault of the audio.
    case useDevice

    /// Seconds before the next attempt.
    /// - Parameters:
    ///   - failures: how many attempts in a row failed, at least 1.
    ///   - backoff: seconds after the first failure.
    ///   - isOnDevice: whether the next attempt needs no server.
    func delay(after failures: Int, backoff: TimeInterval, isOnDevice: Bool) -> TimeInterval {
      let growth = pow(2, Double(min(failures, 8) - 1))
      return switch self {
      case .backOff, .checkInput, .cancelAll: backoff * growth
      case .wait: max(5, backoff * growth)
      case .useDevice: isOnDevice ? 0 : min(60 * growth, 600)
      }
    }
  }
}

/// The ranges that could not be recognized, in seconds from the start of the recognizer's audio. Only errors on Linux
/// report them.
extension NSError {
  /// The ranges that failed where that is the whole error: everything else was recognized.
  fileprivate var failedRanges: [ClosedRange<TimeInterval>] { ranges("SpeechFailedTimeRanges") }

  /// The ranges that failed, also those before another error that ended the work.
  var allFailedRanges: [ClosedRange<TimeInterval>] {
    let cause = userInfo[NSUnderlyingErrorKey] as? NSError
    return failedRanges + ranges("SpeechEarlierFailedTimeRanges") + (cause?.allFailedRanges ?? [])
  }

  private func ranges(_ key: String) -> [ClosedRange<TimeInterval>] {
    let pairs = userInfo[key] as? [[NSNumber]] ?? []
    return pairs.map { $0[0].doubleValue...max($0[0].doubleValue, $0[1].doubleValue) }
  }
}
