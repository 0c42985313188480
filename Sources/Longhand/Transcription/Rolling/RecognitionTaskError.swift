import Foundation
import Speech

/// What the error of a recognition task means for the next one, by its domain and code as Apple documents them
/// (SFSpeechRecognitionTask.h).
enum RecognitionTaskError {
  /// What is to be done after an error.
  enum Meaning: Sendable, Equatable {
    /// There was nothing to hear, and that was all.
    case nothingSaid
    /// All was heard but these stretches, in seconds from the start of the task's sound.
    case parts([ClosedRange<TimeInterval>], String)
    /// Another task may do better.
    case again(String)
    /// None will.
    case hopeless(String)
  }

  static func meaning(of error: any Error) -> Meaning {
    let error = error as NSError
    let why = error.localizedDescription
    switch (error.domain, error.code) {
    case ("kAFAssistantErrorDomain", 1110): return .nothingSaid
    case ("kAFAssistantErrorDomain", 203):
      // On Linux the error says which parts of the sound failed.
      return error.failedStretches.isEmpty ? .again(why) : .parts(error.failedStretches, why)
    // Not authorized; no assets; dictation is off; no such language or model.
    case ("kAFAssistantErrorDomain", 1700), ("kLSRErrorDomain", 102), ("kLSRErrorDomain", 201),
      (SFSpeechErrorDomain, SFSpeechError.Code.noModel.rawValue),
      (SFSpeechErrorDomain, SFSpeechError.Code.assetLocaleNotAllocated.rawValue):
      return .hopeless(why)
    default: return .again(why)
    }
  }
}
