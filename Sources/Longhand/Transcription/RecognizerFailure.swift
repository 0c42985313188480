import Foundation
import Speech

/// What an error of the Speech framework means for the work, by its domain and code as Apple documents them
/// (SFSpeechRecognitionTask.h, SFErrors.h).
enum RecognizerFailure: Sendable, Equatable {
  /// There was no speech; nothing is wrong.
  case noSpeech
  /// Everything was recognized but these ranges, in seconds from the start of the recognizer's audio.
  case ranges([ClosedRange<TimeInterval>], String)
  /// Another attempt may succeed.
  case transient(String)
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
    case ("kAFAssistantErrorDomain", 1700): self = .permanent(.recognizerFailed(why))
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
