/// The networks of a folder, which are read once each, and the errors about them.
final class NetworkFolder {
  typealias Role = ModelDescription.Role

  let path: String
  let files: [Role: String]
  private var read: [Role: ONNXMetadata] = [:]

  init(path: String, files: [Role: String]) {
    (self.path, self.files) = (path, files)
  }

  /// The metadata of a role's network.
  /// - Throws: `ModelFolderError` if it is missing or is no network.
  func metadata(_ role: Role) throws(ModelFolderError) -> ONNXMetadata {
    if let metadata = read[role] { return metadata }
    let metadata = try ONNXMetadata(path: file(role))
    read[role] = metadata
    return metadata
  }

  /// A network of NeMo takes caches exactly if its metadata say so.
  func checkCaches(_ role: Role) throws(ModelFolderError) {
    let network = try metadata(role)
    guard network.isNeMoStreaming != network.inputs.contains(where: { $0.hasPrefix("cache_last") }) else {
      return
    }
    throw error(
      .wrongFamily, role,
      network.isNeMoStreaming
        ? "has the metadata of a streaming model, but its network takes whole utterances"
        : "has the metadata of a model for whole utterances, but its network is a streaming one",
      "Export the model again with its own metadata.")
  }

  func missing(_ role: Role) -> ModelFolderError {
    ModelFolderError(
      .missingFile, path: path, reason: "The folder \(path) has no \(role.title).",
      remedy: "Add the file, or install the model again from its source.")
  }

  /// The file of one role is that of another.
  func swapped(_ role: Role, _ other: Role) -> ModelFolderError {
    error(
      .swapped, role, "is not the \(role.title); it looks like the \(other.title)",
      "Give each file its own name, or install the model again from its source.")
  }

  func unknown(_ role: Role, kind: String) -> ModelFolderError {
    error(
      .unknownFamily, role,
      kind.isEmpty ? "is of an unknown family" : "is of the unsupported kind \"\(kind)\"",
      "Use a model of one of these families: "
        + ModelFamily.all.map(\.rawValue).joined(separator: ", ") + ".")
  }

  /// - Parameter what: the rest of a sentence that begins with the file.
  func error(
    _ fault: ModelFolderError.Fault, _ role: Role, _ what: String, _ remedy: String
  ) -> ModelFolderError {
    let file = path + (files[role].map { "/" + $0 } ?? "")
    return ModelFolderError(fault, path: file, reason: "The file \(file) \(what).", remedy: remedy)
  }

  func file(_ role: Role) throws(ModelFolderError) -> String {
    guard let name = files[role] else { throw missing(role) }
    return path + "/" + name
  }
}

extension ModelDescription.Role {
  /// The role in a sentence.
  fileprivate var title: String {
    switch self {
    case .model: "network"
    case .encoder: "encoder"
    case .decoder: "decoder"
    case .joiner: "joiner"
    case .segmentation: "network that says who speaks (segmentation.onnx)"
    case .embedding: "network that describes voices (embedding.onnx)"
    case .tokens: "list of tokens"
    case .pieces: "list of pieces"
    case .licence: "licence"
    }
  }
}
