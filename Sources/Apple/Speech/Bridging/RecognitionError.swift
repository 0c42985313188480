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

  static var recognizerMissing: any Error { error(for: SpeechServiceFailure.notInstalled(.pocketSphinx)) }
  static var cancelled: NSError { make(localRecognizer, 301, "Recognition request was canceled") }
  static var noSpeech: NSError { make(assistant, 1110, "No speech detected") }
  static func failed(_ ranges: [Range<TimeInterval>], reason: String) -> NSError {
    make(
      assistant, 203, "Parts of the audio could not be recognized: \(reason).",
      [failedTimeRangesKey: pairs(ranges)])
  }

  /// An error that ended a recognition, with the time ranges that had failed before.
  static func error(_ error: any Error, after ranges: [Range<TimeInterval>]) -> any Error {
    let error = Self.error(for: error)
    guard !ranges.isEmpty else { return error }
    let known = error as NSError
    let userInfo = known.userInfo.merging([earlierFailedTimeRangesKey: pairs(ranges)]) { $1 }
    if let error = error as? SFSpeechError { return SFSpeechError(error.code, userInfo: userInfo) }
    return NSError(domain: known.domain, code: known.code, userInfo: userInfo)
  }

  private static func pairs(_ ranges: [Range<TimeInterval>]) -> [[NSNumber]] {
    ranges.map { [NSNumber(value: $0.lowerBound), NSNumber(value: $0.upperBound)] }
  }

  /// The error that a client gets for a failure of the service.
  static func error(for error: any Error) -> any Error {
    guard let failure = error as? SpeechServiceFailure else { return error }
    switch failure {
    case .notInstalled: return make(localRecognizer, 300, failure.reason)
    case .unavailable: return make(localRecognizer, 102, failure.reason)
    case .interrupted, .occupied: return make(assistant, 1107, failure.reason)
    case .cancelled: return cancelled
    case .exhausted:
      return SFSpeechError(.insufficientResources, userInfo: [NSLocalizedDescriptionKey: failure.reason])
    case .refused(let refusal):
      if refusal.domain == SFSpeechErrorDomain, let code = SFSpeechError.Code(rawValue: refusal.code) {
        return SFSpeechError(code, userInfo: [NSLocalizedDescriptionKey: refusal.reason])
      }
      return make(refusal.domain, refusal.code, refusal.reason)
    }
  }

  private static func make(_ domain: String, _ code: Int, _ text: String, _ more: [String: Any] = [:])
    -> NSError
  {
    NSError(domain: domain, code: code, userInfo: more.merging([NSLocalizedDescriptionKey: text]) { $1 })
  }
}

extension SpeechModel {
  /// The model that recognizes a language, as `resolved` finds it.
  /// - Throws: `SFSpeechError` of code `noModel`.
  static func required(for locale: Locale) throws -> SpeechModel {
    do {
      if let model = try resolved(for: locale) { return model }
    } catch {
      throw SFSpeechError(
        .noModel,
        userInfo: [NSLocalizedDescriptionKey: error.localizedDescription, NSUnderlyingErrorKey: error])
    }
    throw missing(for: locale)
  }

  /// The error for a language that no model recognizes.
  static func missing(for locale: Locale) -> SFSpeechError {
    let remedy =
      "AssetInventory.assetInstallationRequest(supporting:) installs one if there is any; 'longhand models' lists them."
    return SFSpeechError(
      .noModel, userInfo: [NSLocalizedDescriptionKey: "\(missingReason(for: locale)) \(remedy)"])
  }
}
