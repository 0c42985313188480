import Foundation
import RecognitionProtocol

/// The errors that a recognition task reports, with the domains and codes that Apple documents
/// (SFSpeechRecognitionTask.h). The domains are string constants in client code; there are no symbols for
/// them.
enum RecognitionError {
  private static let assistant = "kAFAssistantErrorDomain"
  private static let localRecognizer = "kLSRErrorDomain"
  /// Key of the time ranges that were not recognized: an array of pairs of `NSNumber`, start and end in
  /// seconds. Only this implementation has it.
  static let failedTimeRangesKey = "SpeechFailedTimeRanges"
  /// Key of the time ranges that had failed before another error ended everything, in the same form.
  static let earlierFailedTimeRangesKey = "SpeechEarlierFailedTimeRanges"

  static func assetsNotInstalled(_ reason: String) -> NSError {
    make(localRecognizer, 102, "The speech recognizer's model is not installed: \(reason).")
  }
  static func recognizerMissing(_ recognizer: Recognizer = .pocketSphinx) -> NSError {
    make(localRecognizer, 300, recognizer.locator.missing)
  }
  static var cancelled: NSError { make(localRecognizer, 301, "Recognition request was canceled") }
  static var noSpeech: NSError { make(assistant, 1110, "No speech detected") }
  static func interrupted(_ reason: String) -> NSError {
    make(assistant, 1107, "The connection to the speech service was interrupted: \(reason).")
  }
  static func failed(_ ranges: [Range<TimeInterval>], reason: String) -> NSError {
    make(
      assistant, 203, "Parts of the audio could not be recognized: \(reason).",
      [failedTimeRangesKey: pairs(ranges)])
  }

  /// An error that ended a recognition, with the time ranges that had failed before.
  static func error(_ error: any Error, after ranges: [Range<TimeInterval>]) -> any Error {
    guard !ranges.isEmpty else { return error }
    let known = error as NSError
    let userInfo = known.userInfo.merging([earlierFailedTimeRangesKey: pairs(ranges)]) { $1 }
    if let error = error as? SFSpeechError { return SFSpeechError(error.code, userInfo: userInfo) }
    return NSError(domain: known.domain, code: known.code, userInfo: userInfo)
  }

  private static func pairs(_ ranges: [Range<TimeInterval>]) -> [[NSNumber]] {
    ranges.map { [NSNumber(value: $0.lowerBound), NSNumber(value: $0.upperBound)] }
  }

  /// The error with which a service ended a recognition, with its domain and code.
  static func refused(_ refusal: ServiceReply.Refusal) -> any Error {
    if refusal.domain == SFSpeechErrorDomain, let code = SFSpeechError.Code(rawValue: refusal.code) {
      return SFSpeechError(code, userInfo: [NSLocalizedDescriptionKey: refusal.reason])
    }
    return make(refusal.domain, refusal.code, refusal.reason)
  }

  /// The error that a task reports for a failure of the service.
  static func error(for error: any Error) -> any Error {
    switch error {
    case SpeechServiceFailure.notInstalled(let recognizer): recognizerMissing(recognizer)
    case SpeechServiceFailure.unavailable(let reason): assetsNotInstalled(reason)
    case SpeechServiceFailure.interrupted(let reason): interrupted(reason)
    case SpeechServiceFailure.occupied: interrupted("the speech service refused to load a model")
    case SpeechServiceFailure.cancelled: cancelled
    case SpeechServiceFailure.exhausted(let count):
      SFSpeechError(
        .insufficientResources,
        userInfo: [
          NSLocalizedDescriptionKey:
            "\(count) recognitions of live speech are running. End one of them first."
        ])
    default: error
    }
  }

  private static func make(_ domain: String, _ code: Int, _ text: String, _ more: [String: Any] = [:])
    -> NSError
  {
    NSError(domain: domain, code: code, userInfo: more.merging([NSLocalizedDescriptionKey: text]) { $1 })
  }
}

/// Why a speech service gave no answer.
enum SpeechServiceFailure: Error, Equatable {
  /// The executable is missing.
  case notInstalled(Recognizer)
  /// The service has no model for the configuration, and says why.
  case unavailable(String)
  /// The service has loaded another model and continues with that. Another service may load this one.
  case occupied
  /// The service died, hung or broke the protocol. A fresh one may succeed.
  case interrupted(String)
  /// So many services are in use that no more are started.
  case exhausted(Int)
  /// The caller does not wait for the answer any more.
  case cancelled
}
