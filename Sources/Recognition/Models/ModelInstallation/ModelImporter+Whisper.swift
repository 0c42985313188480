import FileSupport
import Foundation
import ModelConversion
import ModelStorage

/// A Whisper model to import: a file of whisper.cpp (ggml), or a folder of CTranslate2, as faster-whisper has it.
enum WhisperSource {
  case file(String)
  case folder(String)

  /// Nil for all other files and folders, and for an installed model's folder, which says itself what it is.
  init?(_ path: String) {
    let files = FileManager.default
    let fileName = WhisperConversion.sourceName
    var isFolder: ObjCBool = false
    guard files.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
    guard isFolder.boolValue else {
      guard GGMLModel.isOne(path: path) else { return nil }
      self = .file(path)
      return
    }
    guard !files.fileExists(atPath: path + "/" + ModelDescription.fileName) else { return nil }
    // Where Hugging Face's programs keep what they downloaded, the files are in a folder of their version.
    let versions = (try? files.contentsOfDirectory(atPath: path + "/snapshots")) ?? []
    let folder = versions.count == 1 ? path + "/snapshots/" + versions[0] : path
    if files.fileExists(atPath: folder + "/" + fileName) {
      self = GGMLModel.isOne(path: folder + "/" + fileName) ? .file(folder + "/" + fileName) : .folder(folder)
      return
    }
    let names = (try? files.contentsOfDirectory(atPath: folder)) ?? []
    guard
      let name = names.sorted().first(where: {
        $0.hasSuffix(".bin") && GGMLModel.isOne(path: folder + "/" + $0)
      })
    else { return nil }
    self = .file(folder + "/" + name)
  }
}

extension ModelImporter {
  /// Imports a Whisper model. It is checked as it is in the folder of models, not as it was before.
  /// - Parameters:
  ///   - name: the model's name; nil for that of a known file, or its size and its hash.
  ///   - languages: the languages; empty for those of the model.
  func take(_ source: WhisperSource, name: String?, languages: [String]) throws -> InstalledModel {
    try inDraft { draft, content in
      let (model, digest) = try put(source, into: content)
      var origin = origin(of: model, digest: digest)
      if let name { origin.name = name }
      if !languages.isEmpty { origin.languages = languages }
      try Self.check(origin.languages)
      if name == nil, let same = store.installed().first(where: { $0.name == origin.name }) {
        throw ModelError(
          .exists, "The model '\(same.name)' is installed already, in \(same.folder.path).",
          remedy: "To import it once more, give it another name with --name.")
      }
      return try take(content, moving: true, draft: draft, origin: origin)
    }
  }

  /// Copies or converts the model into a folder, where its file has its usual name.
  private func put(_ source: WhisperSource, into folder: URL) throws -> (GGMLModel, digest: String) {
    let target = folder.appendingPathComponent("model.bin")
    switch source {
    case .file(let path):
      try check(size: FileDownload.length(of: URL(fileURLWithPath: path)))
      _ = try Self.copy(URL(fileURLWithPath: path), to: target)
    case .folder(let path):
      let conversion = try WhisperConversion(folder: path)
      try check(
        size: FileDownload.length(of: URL(fileURLWithPath: path + "/" + WhisperConversion.sourceName)))
      try conversion.write(to: target.path)
    }
    let model = try GGMLModel(path: target.path)
    let named = folder.appendingPathComponent(GGMLModel.fileName(model.dimensions, model.weights))
    if named != target { try FileManager.default.moveItem(at: target, to: named) }
    return (model, try SHA256.hash(contentsOf: named).hexadecimal)
  }

  /// What the catalogue says of a file with this hash, or what its sizes say.
  private func origin(of model: GGMLModel, digest: String) -> ModelOrigin {
    let known = catalogue.first { $0.others?.contains { $0.sha256 == digest } == true && $0.archive == nil }
    if let known { return known.origin }
    let size = model.dimensions.sizeName + (model.dimensions.isEnglishOnly ? "-en" : "")
    let weights = model.weights.suffix.map { "-" + $0 } ?? ""
    return ModelOrigin(
      name: "whisper-\(size)\(weights)-\(digest.prefix(8))", family: .whisperGGML,
      languages: model.dimensions.languages, isPunctuated: true)
  }
}
