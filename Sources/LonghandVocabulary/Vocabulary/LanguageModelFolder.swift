import FileSupport
import Foundation
import LonghandTranscripts
import Speech

/// A folder with a custom language model, which was compiled from a vocabulary or prepared by the Speech framework.
///
/// ```swift
/// let file = URL(fileURLWithPath: "chess.json5")
/// let model = try await LanguageModelFolder.compile(file, into: URL(fileURLWithPath: "chess-model"))
/// print(model.stamp.name, model.stamp.sha256)
/// ```
public struct LanguageModelFolder: Sendable, Hashable {
  /// The folder.
  public let url: URL
  /// How likely the audio is about the domain, 0 to 1; nil for the recognizer's default. From 0.5 on, the domain's words
  /// are preferred even without better evidence.
  public var weight: Double?
  /// The vocabulary that the model was compiled from.
  public let stamp: VocabularyStamp
  /// The vocabulary's names and corrections; nil if it has none, or if another program made the model. A neural model expects
  /// the terms, and a session in the library gets a second text by all of them.
  public let spellings: Vocabulary?

  private var data: URL { url.appendingPathComponent(Self.dataName) }
  private let model: URL
  private var stampFile: URL { url.appendingPathComponent(Self.stampName) }
  private var marker: URL { url.appendingPathComponent(Self.markerName) }
  private let pronunciations: URL?

  /// The configuration for recognition requests.
  package var configuration: SFSpeechLanguageModel.Configuration {
    // Before, the system chooses the weight.
    let configuration: SFSpeechLanguageModel.Configuration
    if #available(macOS 26, iOS 26, *) {
      configuration = .init(
        languageModel: model, vocabulary: pronunciations, weight: weight.map { NSNumber(value: $0) })
    } else {
      configuration = .init(languageModel: model, vocabulary: pronunciations)
    }
    #if os(Linux)
      configuration.isForAllLanguages = true
    #endif
    return configuration
  }

  /// Opens a folder that `compile` made.
  /// - Throws: `VocabularyError` if it is not such a folder.
  public init(_ url: URL, weight: Double? = nil) throws(VocabularyError) {
    self.url = url
    self.weight = weight
    model = url.appendingPathComponent(Self.modelName)
    pronunciations = url.appendingPathComponent(Self.pronunciationsName)
    do {
      let text = try Data(contentsOf: url.appendingPathComponent(Self.stampName))
      stamp = try JSONDecoder().decode(VocabularyStamp.self, from: text)
      spellings = try JSONDecoder().decode(Contents.self, from: text).spellings
    } catch {
      throw VocabularyError(
        file: url.path, location: nil,
        problem: "the folder has no compiled language model")
    }
  }

  /// Opens what holds a custom language model: a folder that `compile` made; a folder with the files that
  /// `prepareCustomLanguageModel` wrote, under any names; or a file that `SFCustomLanguageModelData.export(to:)` wrote here
  /// or on an Apple platform, which is prepared in the user's cache.
  /// - Throws: `VocabularyError` if it is none of them, and errors of Foundation if the cache cannot be written.
  public static func open(_ url: URL, weight: Double? = nil) async throws -> LanguageModelFolder {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
    if exists, !isFolder.boolValue { return try await prepared(url, weight: weight) }
    #if os(Linux)
      let isCompiled = FileManager.default.fileExists(
        atPath: url.appendingPathComponent(stampName).path)
      if !isCompiled, let (model, pronunciations, digest) = SFSpeechLanguageModel.preparedFiles(in: url) {
        return LanguageModelFolder(
          prepared: model, pronunciations, weight: weight,
          stamp: VocabularyStamp(name: url.lastPathComponent, sha256: digest))
      }
    #endif
    return try LanguageModelFolder(url, weight: weight)
  }

  /// Prepares an exported file in the user's cache, or finds it there.
  private static func prepared(_ file: URL, weight: Double?) async throws -> LanguageModelFolder {
    do {
      let sha256 = try SHA256.hash(contentsOf: file).hexadecimal
      let folder = try cache().appendingPathComponent(sha256)
      let result = LanguageModelFolder(
        prepared: folder.appendingPathComponent(modelName), folder.appendingPathComponent(pronunciationsName),
        weight: weight,
        stamp: VocabularyStamp(name: file.deletingPathExtension().lastPathComponent, sha256: sha256))
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try await prepare(file, result.configuration)
      return result
    } catch let error as SFSpeechError {
      let problem = error.localizedDescription.replacingOccurrences(of: "\(file.path): ", with: "")
      throw VocabularyError(file: file.path, location: nil, problem: problem)
    }
  }

  /// Prepares exported data; before macOS 26 and iOS 26 the system wants the name of the client, too.
  private static func prepare(
    _ data: URL, _ configuration: SFSpeechLanguageModel.Configuration
  ) async throws {
    #if !os(Linux)
      guard #available(macOS 26, iOS 26, *) else {
        return try await SFSpeechLanguageModel.prepareCustomLanguageModel(
          for: data, clientIdentifier: "longhand", configuration: configuration)
      }
    #endif
    try await SFSpeechLanguageModel.prepareCustomLanguageModel(for: data, configuration: configuration)
  }

  /// The folder of the user's cache with a folder for each model.
  private static func cache() throws -> URL {
    try FileManager.default.url(
      for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: true
    ).appendingPathComponent("longhand/language-models")
  }

  /// Compiles a vocabulary file into `folder`, which is created if needed. If the folder has a model of the same contents,
  /// it stays as it is.
  /// - Throws: `VocabularyError` for an error in the file, also one that the Speech framework finds in phrases and
  ///   pronunciations, and errors of Foundation if the folder cannot be written.
  @discardableResult
  public static func compile(
    _ file: URL, into folder: URL, weight: Double? = nil
  ) async throws -> LanguageModelFolder {
    let content = try Vocabulary.content(of: file)
    return try await compile(
      content, sha256: SHA256.hash(data: content).hexadecimal, file: file, into: folder, weight: weight)
  }

  /// Compiles a vocabulary file into the user's cache, or finds it there.
  /// - Throws: the errors of `compile(_:into:weight:)`.
  public static func cached(_ file: URL, weight: Double? = nil) async throws -> LanguageModelFolder {
    let content = try Vocabulary.content(of: file)
    let sha256 = SHA256.hash(data: content).hexadecimal
    let folder = try cache().appendingPathComponent(sha256)
    return try await compile(content, sha256: sha256, file: file, into: folder, weight: weight)
  }

  private static func compile(
    _ content: Data, sha256: String, file: URL, into folder: URL, weight: Double?
  ) async throws -> LanguageModelFolder {
    let vocabulary = try Vocabulary(content, file: file.path)
    if let refused = VocabularyCheck.refusedPronunciation(of: vocabulary) {
      throw VocabularyError(
        file: file.path, location: refused.location, problem: "\(refused.problem); \(refused.remedy)")
    }
    let stamp = VocabularyStamp(name: vocabulary.name, sha256: sha256)
    let spellings = vocabulary.spellings
    let result = LanguageModelFolder(folder, weight: weight, stamp: stamp, spellings: spellings)
    let parent = folder.deletingLastPathComponent()
    DraftFolder.removeAbandoned(in: parent.path, prefix: draftPrefix)
    if let present = try? LanguageModelFolder(folder), present.stamp == stamp,
      present.spellings == spellings
    {
      // A compiler may have been killed after its last file.
      try? FileManager.default.removeItem(at: result.marker)
      return result
    }
    let files = FileManager.default
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    try files.createDirectory(at: parent, withIntermediateDirectories: true, attributes: attributes)
    // Beside the folder, so that a vocabulary that cannot be compiled leaves the folder as it is.
    let draftFolder = try makeDraft(in: parent)
    defer { draftFolder.remove() }
    let draft = LanguageModelFolder(
      URL(fileURLWithPath: draftFolder.path), weight: nil, stamp: stamp, spellings: spellings)
    do {
      try await vocabulary.languageModelData(version: stamp.sha256).export(to: draft.data)
      try await prepare(draft.data, draft.configuration)
    } catch let error as SFSpeechError {
      // The name of the draft means nothing to the user.
      let problem = error.localizedDescription.replacingOccurrences(of: "\(draft.data.path): ", with: "")
        .replacingOccurrences(of: draft.data.path, with: "it")
      throw VocabularyError(file: file.path, location: nil, problem: problem)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let contents = Contents(name: stamp.name, sha256: stamp.sha256, spellings: spellings)
    try encoder.encode(contents).write(to: draft.stampFile)

    try files.createDirectory(at: folder, withIntermediateDirectories: true, attributes: attributes)
    // From here on, the files under a model's names are this program's own, also if it is killed.
    try Data().write(to: result.marker)
    // The stamp is removed first and written last: if it is there, the folder is complete.
    if files.fileExists(atPath: result.stampFile.path) { try files.removeItem(at: result.stampFile) }
    for file in fileNames {
      let (from, to) = (draft.url.appendingPathComponent(file).path, folder.appendingPathComponent(file).path)
      // Other users may be able to read the folder.
      try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: from)
      guard rename(from, to) == 0 else {
        throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: to])
      }
    }
    try? files.removeItem(at: result.marker)
    return result
  }

  /// The beginning of the names of folders in which a model is compiled.
  private static let draftPrefix = ".longhand-vocabulary-"

  private static func makeDraft(in parent: URL) throws -> DraftFolder {
    let path = DraftFolder.path(in: parent.path, prefix: draftPrefix)
    do { return try DraftFolder(path) } catch { throw error.cocoaError(path: path) }
  }

  /// Whether `compile` replaces nothing of others in a folder: it does not exist, is empty, or has a model that
  /// `compile` made, whole or in part. The names of the files alone do not say so.
  package static func isFree(_ url: URL) -> Bool {
    let files = FileManager.default
    guard files.fileExists(atPath: url.path) else { return true }
    let names = try? files.contentsOfDirectory(atPath: url.path)
    return names?.isEmpty == true || names?.contains(markerName) == true
      || (try? LanguageModelFolder(url)) != nil
  }

  /// Whether a file is one of those that `compile` replaces in a folder.
  package static func isReplaced(_ file: URL, in folder: URL) -> Bool {
    let path = file.resolvingSymlinksInPath().path
    return fileNames.contains { folder.appendingPathComponent($0).resolvingSymlinksInPath().path == path }
  }

  private static let dataName = "data.bin"
  private static let modelName = "language-model"
  private static let pronunciationsName = "pronunciations"
  private static let stampName = "vocabulary.json"
  /// In a folder while `compile` replaces its files.
  private static let markerName = ".longhand-unfinished"
  /// The files of a folder that `compile` made, the last one of a complete folder last.
  private static let fileNames = [dataName, modelName, pronunciationsName, stampName]

  private init(_ url: URL, weight: Double?, stamp: VocabularyStamp, spellings: Vocabulary?) {
    self.url = url
    self.weight = weight
    self.stamp = stamp
    self.spellings = spellings
    model = url.appendingPathComponent(Self.modelName)
    pronunciations = url.appendingPathComponent(Self.pronunciationsName)
  }

  /// A model that was prepared by another program.
  private init(prepared model: URL, _ pronunciations: URL?, weight: Double?, stamp: VocabularyStamp) {
    url = model.deletingLastPathComponent()
    self.stamp = stamp
    spellings = nil
    self.weight = weight
    self.model = model
    self.pronunciations = pronunciations
  }

  /// The contents of `vocabulary.json`: the stamp, and what recognition needs of the vocabulary beside the model.
  private struct Contents: Codable {
    let name: String
    let sha256: String
    let spellings: Vocabulary?
  }
}

extension Vocabulary {
  /// The training data of a custom language model: the phrases, the templates, each term once, and the pronunciations.
  /// - Parameter version: identifies these contents.
  public func languageModelData(version: String) -> SFCustomLanguageModelData {
    SFCustomLanguageModelData(
      locale: Locale(identifier: locale), identifier: "longhand.vocabulary.\(name)", version: version
    ) {
      for phrase in phrases {
        SFCustomLanguageModelData.PhraseCount(phrase: phrase.text, count: phrase.count)
      }
      for term in terms { SFCustomLanguageModelData.PhraseCount(phrase: term.text, count: 1) }
      SFCustomLanguageModelData.PhraseCountsFromTemplates(classes: classes) {
        for template in templates {
          SFCustomLanguageModelData.TemplatePhraseCountGenerator.Template(
            template.text, count: template.count)
        }
      }
      for term in terms where !term.pronunciations.isEmpty {
        SFCustomLanguageModelData.CustomPronunciation(grapheme: term.text, phonemes: term.pronunciations)
      }
    }
  }
}
