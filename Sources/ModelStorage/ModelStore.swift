import FileSupport
import Foundation
import SpeechServiceProtocol

/// The models in a folder. Each model has a folder of its own, named like the model.
///
/// ```swift
/// let store = ModelStore()
/// for model in store.installed() { print(model.name, model.description.languages) }
/// ```
public struct ModelStore: Sendable {
  /// Folders of work that is not finished begin with this. If their process is killed, the next one removes them.
  package static let draftPrefix = ".draft-"

  /// The folder of the models.
  public let folder: URL

  /// The models in a folder.
  public init(folder: URL) { self.folder = folder }

  /// The models where the environment says: `SPEECH_MODEL_PATH`, or a folder of the user's data.
  public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.init(folder: URL(fileURLWithPath: ModelLocations.installation(environment: environment)))
  }

  /// The models that can be used, by name.
  public func installed() -> [InstalledModel] { contents().models }

  /// The models, and the folders that are no usable models, by name.
  public func contents() -> (models: [InstalledModel], broken: [BrokenModel]) {
    var models: [InstalledModel] = []
    var broken: [BrokenModel] = []
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names.sorted() where !name.hasPrefix(".") {
      let folder = folder.appendingPathComponent(name)
      guard Self.isFolder(folder), !Self.isForPocketSphinx(folder) else { continue }
      do { models.append(try InstalledModel(folder: folder)) } catch {
        broken.append(BrokenModel(folder: folder, problem: error.problem))
      }
    }
    return (models, broken)
  }

  /// The model with a name.
  /// - Throws: `ModelError` of kind `notFound` or `malformed`.
  public func model(named name: String) throws(ModelError) -> InstalledModel {
    try ModelName.check(name)
    let folder = folder.appendingPathComponent(name)
    guard Self.isFolder(folder) else {
      let names = installed().map(\.name).joined(separator: ", ")
      throw ModelError(
        .notFound, "The model '\(name)' is not installed.",
        remedy: names.isEmpty ? "No model is installed." : "Installed: \(names).")
    }
    do { return try InstalledModel(folder: folder) } catch {
      throw ModelError(error.kind, "The model '\(name)' is damaged: \(error.problem)", remedy: error.remedy)
    }
  }

  /// The best installed model for a language; nil if none recognizes it.
  ///
  /// Models for whole utterances come before streaming ones, unless `isLive` is true; then those that report their
  /// confidence, the larger ones (within a factor of two they count as equal), and those for fewer languages.
  public func best(for locale: Locale, isLive: Bool = false) -> InstalledModel? {
    func rank(_ model: InstalledModel) -> [Int] {
      let family = model.description.family
      let size = Int64.bitWidth - model.size.leadingZeroBitCount
      return [
        family.isStreaming == isLive ? 1 : 0, family.hasConfidence ? 1 : 0, size,
        -model.description.languages.count,
      ]
    }
    // `max(by:)` returns the last of equals; the models are in the order of their names.
    return installed().filter { $0.recognizes(locale) }.max { left, right in
      rank(left).lexicographicallyPrecedes(rank(right))
    }
  }

  /// The installed model that tells voices apart: the first one by name; nil if there is none.
  public func speakers() -> InstalledModel? {
    installed().first { $0.description.family == .speakers }
  }

  /// The installed model that writes punctuation: the first one by name; nil if there is none.
  public func punctuation() -> InstalledModel? {
    installed().first { $0.description.family == .punctuation }
  }

  private static func isFolder(_ folder: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// Whether a folder is a language's model of PocketSphinx, which is installed beside these.
  private static func isForPocketSphinx(_ folder: URL) -> Bool {
    ModelLocations.folderName(locale: "en-US") == folder.lastPathComponent
  }
}
