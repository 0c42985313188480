import Foundation
import ModelConversion

/// What the files of a folder are: the family of the model, and the file of each role.
///
/// The library ends its process on files that do not fit together, and file names do not distinguish streaming models from
/// others. Therefore names only say which files to look at; the metadata in the networks decides.
public struct ModelInspection: Sendable, Equatable {
  /// The folder.
  public let folder: String
  /// The family of the model.
  public let family: ModelFamily
  /// The names of the files.
  public let files: [ModelDescription.Role: String]
  /// Whether the model writes capitals and punctuation, as its description says.
  public let isPunctuated: Bool
  /// The metadata of the network that describes the model; empty for a family without metadata.
  public let metadata: [String: String]
  /// The tokens, in the order of their numbers; empty for a model that whisper.cpp loads.
  public let tokens: [String]

  /// Inspects a folder: by its `model.json` if it has one, else by the files alone.
  /// - Throws: `ModelFolderError`.
  public init(folder: String) throws(ModelFolderError) {
    let path = folder + "/" + ModelDescription.fileName
    let hasDescription = FileManager.default.fileExists(atPath: path)
    try self.init(
      folder: folder, description: hasDescription ? ModelDescription(contentsOf: path) : nil)
  }

  /// Inspects a folder.
  /// - Parameters:
  ///   - folder: its path.
  ///   - description: what is said of the model; its files and its family must be those of the folder. Nil takes the
  ///     files by their usual names, those with 8-bit weights first.
  /// - Throws: `ModelFolderError`.
  public init(folder: String, description: ModelDescription?) throws(ModelFolderError) {
    self.folder = folder
    isPunctuated = description?.isPunctuated ?? false
    var candidates: [ModelDescription.Role: String] = [:]
    if let description {
      for file in description.files where candidates[file.role] == nil {
        guard !file.name.contains("/"), file.name != ".." else {
          throw ModelFolderError(
            .wrongDescription, path: folder,
            reason: "The description of \(folder) names a file outside of it.",
            remedy: "Remove model.json and import the folder again.")
        }
        candidates[file.role] = file.name
      }
    } else {
      candidates = try ModelFileNames.roles(in: folder)
    }
    let networks = try ModelNetworks(folder: folder, files: candidates)
    family = networks.family
    if let description, description.family != networks.family {
      let path = folder + "/" + ModelDescription.fileName
      throw ModelFolderError(
        .wrongFamily, path: path,
        reason:
          "The file \(path) says that the model is of the family \(description.family.rawValue), but its "
          + "networks are of the family \(networks.family.rawValue).",
        remedy: "Remove model.json and import the folder again, or install the right files.")
    }
    metadata = networks.metadata
    tokens =
      family.roles.contains(.tokens)
      ? try ModelTokens.read(folder: folder, name: candidates[.tokens], networks: networks) : []
    files = candidates.filter { networks.family.roles.contains($0.key) }
  }

  /// The path of a role's file; nil if the model has none.
  public func path(_ role: ModelDescription.Role) -> String? { files[role].map { folder + "/" + $0 } }

  /// The bytes of a small regular file; nil if it cannot be read or is larger.
  static func contents(_ path: String, maxSize: UInt64) -> Data? {
    guard var reader = SeekingReader(path: path), reader.size <= maxSize else { return nil }
    return reader.bytes(Int(reader.size)).map { Data($0) }
  }
}

/// The usual names of the files of published models.
enum ModelFileNames {
  private static let maxFiles = 10_000

  /// Assigns a folder's files to roles by their names. Of several files of one role, one with 8-bit weights is taken.
  /// - Throws: `ModelFolderError` if the folder cannot be read.
  static func roles(in folder: String) throws(ModelFolderError) -> [ModelDescription.Role: String] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder), names.count <= maxFiles
    else {
      throw ModelFolderError(
        .unreadable, path: folder, reason: "The folder \(folder) cannot be read.",
        remedy: "Check that it exists and that you may read it.")
    }
    var roles: [ModelDescription.Role: String] = [:]
    let byWeights = names.sorted { ($0.contains("int8") ? 0 : 1, $0) < ($1.contains("int8") ? 0 : 1, $1) }
    for name in byWeights {
      if name.contains("cached_decode") || name == "decoder_model_merged.ort" {
        throw ModelFamily.Retired.moonshine.error(folder)
      }
      if let role = role(of: name.lowercased()), roles[role] == nil { roles[role] = name }
    }
    if roles[.model] == nil,
      let whisper = byWeights.first(where: {
        $0.hasSuffix(".bin") && GGMLModel.isOne(path: folder + "/" + $0)
      })
    {
      roles = [.model: whisper, .licence: roles[.licence]].compactMapValues { $0 }
    }
    return roles
  }

  private static func role(of name: String) -> ModelDescription.Role? {
    if name == "tokens.txt" || name.hasSuffix("-tokens.txt") { return .tokens }
    if name == "bpe.vocab" { return .pieces }
    if name == "license" || name == "licence" || name == "license.txt" { return .licence }
    guard name.hasSuffix(".onnx") else { return nil }
    // "model" is also a part of other names.
    let parts: [(part: String, role: ModelDescription.Role)] = [
      ("segmentation", .segmentation), ("embedding", .embedding), ("encode", .encoder),
      ("decode", .decoder), ("joiner", .joiner), ("model", .model),
    ]
    return parts.first { name.contains($0.part) }?.role
  }
}

extension ModelFolderError {
  /// A file of a Whisper model cannot be used.
  package init(_ error: ConversionError) {
    switch error {
    case .malformed(let path, let reason):
      let fault: Fault = reason.contains("ends too early") ? .truncated : .notANetwork
      self.init(fault, path: path, reason: "\(path) \(reason).", remedy: Self.installAgain)
    case .system(let number, let path):
      self.init(
        .unreadable, path: path, reason: "\(path): \(String(cString: strerror(number))).",
        remedy: "Check the folder's permissions.")
    }
  }
}
