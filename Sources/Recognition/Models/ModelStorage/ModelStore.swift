import Foundation
import RecognitionProtocol

/// The models in a folder, and those that are installed for all users. Each model has a folder of its own, named like the
/// model. Of two models with one name, the one in the user's folder is used.
///
/// ```swift
/// let store = ModelStore()
/// for model in store.installed() { print(model.name, model.description.languages) }
/// ```
public struct ModelStore: Sendable {
  /// Folders of work that is not finished begin with this. If their process is killed, the next one removes them.
  package static let draftPrefix = ".draft-"

  /// The order of models that were measured, for a language: the better ones first. Others are ordered by their size.
  private static let measured = ["en": ["whisper-base", "whisper-tiny-en"]]

  /// The folder of the models, in which they are installed.
  public let folder: URL
  /// The folders of models for all users, which are only read.
  public let sharedFolders: [URL]

  package init(folder: URL, sharedFolders: [URL] = []) {
    (self.folder, self.sharedFolders) = (folder, sharedFolders)
  }

  /// The models where the environment says: `SPEECH_MODEL_PATH`, or a folder of the user's data and those for all users.
  public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.init(
      folder: URL(fileURLWithPath: ModelLocations.installation(environment: environment)),
      sharedFolders: ModelLocations.forAllUsers(environment: environment).map { URL(fileURLWithPath: $0) })
  }

  /// The models that can be used, by name.
  public func installed() -> [InstalledModel] { contents().models }

  /// The models, and the folders that are no usable models, by name.
  public func contents() -> (models: [InstalledModel], broken: [BrokenModel]) {
    var models: [InstalledModel] = []
    var broken: [BrokenModel] = []
    var seen: Set<String> = []
    for folder in [folder] + sharedFolders {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      for name in names where !name.hasPrefix(".") {
        let folder = folder.appendingPathComponent(name)
        guard Self.isFolder(folder), !Self.isForPocketSphinx(folder), seen.insert(name).inserted else {
          continue
        }
        do { models.append(try InstalledModel(folder: folder)) } catch {
          broken.append(BrokenModel(folder: folder, error: error))
        }
      }
    }
    return (models.sorted { $0.name < $1.name }, broken.sorted { $0.name < $1.name })
  }

  /// The model with a name.
  /// - Throws: `ModelError` of kind `notFound` or `malformed`.
  public func model(named name: String) throws(ModelError) -> InstalledModel {
    try ModelName.check(name)
    let folders = ([folder] + sharedFolders).map { $0.appendingPathComponent(name) }
    guard let folder = folders.first(where: Self.isFolder) else {
      let names = installed().map(\.name).joined(separator: ", ")
      throw ModelError(
        .notFound, "The model '\(name)' is not installed.",
        remedy: names.isEmpty ? "No model is installed." : "Installed: \(names).")
    }
    do { return try InstalledModel(folder: folder) } catch {
      throw ModelError(
        error.kind, "The model '\(name)' cannot be used: \(error.problem)", remedy: error.remedy)
    }
  }

  /// The best installed model for a language; nil if none recognizes it.
  ///
  /// Models for whole utterances come before streaming ones; then those that report their confidence, the larger ones
  /// (within a factor of two they count as equal), and those for fewer languages.
  public func best(for locale: Locale) -> InstalledModel? { Self.best(of: installed(), for: locale) }

  /// The languages for which a model is used where none is named.
  public func usualLanguages(of model: InstalledModel) -> [String] {
    let models = installed()
    return model.description.languages.filter { language in
      Self.best(of: models, for: Locale(identifier: language))?.name == model.name
    }
  }

  private static func best(of models: [InstalledModel], for locale: Locale) -> InstalledModel? {
    func rank(_ model: InstalledModel) -> [Int] {
      let family = model.description.family
      let size = Int64.bitWidth - model.size.leadingZeroBitCount
      return [
        family.isStreaming ? 0 : 1, family.hasConfidence ? 1 : 0, size,
        -model.description.languages.count,
      ]
    }
    // `max(by:)` returns the last of equals; the models are in the order of their names.
    let models = models.filter { $0.reference != nil && $0.recognizes(locale) }
    let best = models.max { left, right in rank(left).lexicographicallyPrecedes(rank(right)) }
    let measured = Self.measured[locale.language.languageCode?.identifier ?? ""] ?? []
    guard let best, measured.contains(best.name) else { return best }
    return measured.lazy.compactMap { name in models.first { $0.name == name } }.first
  }

  /// The languages of the models whose recognizer is part of this program.
  public var usableLanguages: [String] {
    installed().filter { $0.reference != nil }.flatMap(\.description.languages)
  }

  /// The installed speaker model: the first one by name; nil if there is none.
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
