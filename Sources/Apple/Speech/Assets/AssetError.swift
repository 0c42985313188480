import Foundation
import ModelInstallation
import ModelStorage

/// The reason why a model cannot be installed.
enum AssetError: LocalizedError, Equatable {
  case noSource
  case badSource(String)
  case notFound(String)
  case badManifest(String)
  case wrongSize(String)
  case wrongChecksum(String)
  case incomplete(String)
  case noSpace(needed: Int64)
  case refused(String, status: Int)
  case interrupted(String, String)

  var errorDescription: String? {
    switch self {
    case .noSource:
      "No source of models is set. Set SPEECH_ASSET_SOURCE to a folder or an HTTP address with models."
    case .badSource(let source):
      "SPEECH_ASSET_SOURCE is neither a folder nor an HTTP address: \(source). Set it to one of these."
    case .notFound(let file): "The source has no file \(file). Check SPEECH_ASSET_SOURCE."
    case .badManifest(let reason):
      "The manifest of the model is invalid: \(reason). Ask the provider of the model for a new one."
    case .wrongSize(let file): "The size of \(file) differs from the manifest. Ask the provider of the model."
    case .wrongChecksum(let file):
      "The SHA-256 of \(file) differs from the manifest: the file is damaged. Try again."
    case .incomplete(let file): "The source's model has no file \(file), which the recognizer needs."
    case .noSpace(let needed): "The disk has not enough space for the model. Free at least \(needed) bytes."
    case .refused(let file, let status): "The server answered with HTTP status \(status) for \(file)."
    case .interrupted(let file, let reason):
      "The transfer of \(file) was interrupted: \(reason). Try again to continue it."
    }
  }

  /// The error of a file's download.
  init(_ error: DownloadError, path: String) {
    switch error {
    case .wrongSize: self = .wrongSize(path)
    case .refused(let status): self = .refused(path, status: status)
    case .forbidden(let address): self = .badSource(address)
    case .interrupted(let reason): self = .interrupted(path, reason)
    }
  }

  /// The error that a client receives.
  static func speechError(for error: any Error) -> any Error {
    guard !(error is CancellationError), !(error is SFSpeechError) else { return error }
    let code: SFSpeechError.Code
    switch error {
    case AssetError.noSpace: code = .insufficientResources
    case let error as ModelError where error.kind == .noSpace: code = .insufficientResources
    default: code = .noModel
    }
    let text = (error as? any LocalizedError)?.errorDescription ?? (error as NSError).localizedDescription
    return SFSpeechError(
      code,
      userInfo: [
        NSLocalizedDescriptionKey: "The model could not be installed. \(text)", NSUnderlyingErrorKey: error,
      ])
  }
}
