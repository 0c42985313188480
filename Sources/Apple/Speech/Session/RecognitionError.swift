import Foundation

/// The errors that a recognition task reports, with the domains and codes that Apple documents
/// (SFSpeechRecognitionTask.h). The domains are string constants in client code; there are no symbols for them.
enum RecognitionError {
  private static let assistant = "kAFAssistantErrorDomain"
  private static let localRecognizer = "kLSRErrorDomain"
  /// Key of the stretches of audio that were not recognized: an array of pairs of `NSNumber`, start and end in
  /// seconds. Of this implementation only.
  static let failedTimeRangesKey = "SpeechFailedTimeRanges"

  static func assetsNotInstalled(_ reason: String) -> NSError {
    make(localRecognizer, 102, "The speech recognizer's model is not installed: \(reason).")
  }
  static func recognizerMissing() -> NSError {
    make(
      localRecognizer, 300,
      "The executable speech-service was not found; SPEECH_SERVICE_PATH may name it.")
  }
  static var cancelled: NSError { make(localRecognizer, 301, "Recognition request was canceled") }
  static var noSpeech: NSError { make(assistant, 1110, "No speech detected") }
  static func interrupted(_ reason: String) -> NSError {
    make(assistant, 1107, "The connection to the speech service was interrupted: \(reason).")
  }
  static func failed(_ ranges: [Range<TimeInterval>], reason: String) -> NSError {
    let pairs = ranges.map { [NSNumber(value: $0.lowerBound), NSNumber(value: $0.upperBound)] }
    return make(
      assistant, 203, "Parts of the audio could not be recognized: \(reason).", [failedTimeRangesKey: pairs])
  }

  /// What a task reports for a failure of the service.
  static func error(for error: any Error) -> any Error {
    switch error {
    case SpeechServiceFailure.notInstalled: recognizerMissing()
    case SpeechServiceFailure.unavailable(let reason): assetsNotInstalled(reason)
    case SpeechServiceFailure.interrupted(let reason): interrupted(reason)
    case SpeechServiceFailure.cancelled: cancelled
    case SpeechServiceFailure.exhausted(let count):
      SFSpeechError(
        .insufficientResources,
        userInfo: [
          NSLocalizedDescriptionKey:
            "\(count) recognitions of live speech run already; end one of them first."
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
