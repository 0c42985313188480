import Foundation

/// The errors that an analyzer throws for failures of the speech service.
enum AnalysisError {
  static func error(for error: any Error) -> any Error {
    let code: SFSpeechError.Code
    switch error {
    case is SFSpeechError, is CancellationError: return error
    case let error as NSError where error.domain == "kLSRErrorDomain" && error.code == 102: code = .noModel
    case let error as NSError where error.domain == "kLSRErrorDomain" || error.domain.hasPrefix("kAF"):
      code = .internalServiceError
    default: return error
    }
    return SFSpeechError(
      code,
      userInfo: [
        NSUnderlyingErrorKey: error, NSLocalizedDescriptionKey: (error as NSError).localizedDescription,
      ])
  }
}
