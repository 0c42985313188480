import Foundation

/// Why a model cannot be installed.
enum AssetError: LocalizedError, Equatable {
  case noSource
  /// No source is named, and the service, which may have a model of its own, is missing.
  case noService
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
      "No source of models is named; set SPEECH_ASSET_SOURCE to a folder or an HTTP address that has them."
    case .noService: SpeechServiceLocator.missing
    case .badSource(let source): "SPEECH_ASSET_SOURCE is neither a folder nor an HTTP address: \(source)."
    case .notFound(let file): "There is no \(file)."
    case .badManifest(let reason): "The model's manifest is refused: \(reason)."
    case .wrongSize(let file): "\(file) is not as long as the manifest says."
    case .wrongChecksum(let file): "\(file) is damaged: its checksum is not the manifest's."
    case .incomplete(let file): "The source's model has no \(file)."
    case .noSpace(let needed): "There is not enough space for the model, which needs \(needed) bytes."
    case .refused(let file, let status): "The server answered \(status) for \(file)."
    case .interrupted(let file, let reason): "The transfer of \(file) broke off: \(reason)."
    }
  }

  /// The error that clients get.
  static func speechError(for error: any Error) -> any Error {
    guard !(error is CancellationError), !(error is SFSpeechError) else { return error }
    let code: SFSpeechError.Code
    if case .noSpace? = error as? AssetError { code = .insufficientResources } else { code = .noModel }
    let text = (error as? AssetError)?.errorDescription ?? (error as NSError).localizedDescription
    return SFSpeechError(
      code,
      userInfo: [
        NSLocalizedDescriptionKey: "The model could not be installed. \(text)", NSUnderlyingErrorKey: error,
      ])
  }
}
