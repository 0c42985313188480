import Foundation
import Speech

/// A folder with a custom language model: the data, the model and the pronunciations that were prepared from it, and the
/// vocabulary that the data was made of.
public struct LanguageModelFolder: Sendable, Hashable {
  /// The folder.
  public let url: URL
  /// How likely it is that somebody speaks of the domain, 0 to 1; nil is the recognizer's default. From 0.5 on the
  /// domain's words need not be worth more than others.
  public var weight: Double?
  /// The vocabulary that it was made of.
  public let stamp: VocabularyStamp

  private var data: URL { url.appendingPathComponent("data.bin") }
  private var model: URL { url.appendingPathComponent("language-model") }
  private var stampFile: URL { url.appendingPathComponent("vocabulary.json") }
  private var pronunciations: URL { url.appendingPathComponent("pronunciations") }

  /// What requests take.
  var configuration: SFSpeechLanguageModel.Configuration {
    .init(languageModel: model, vocabulary: pronunciations, weight: weight.map { NSNumber(value: $0) })
  }

  /// A folder that `compile` made.
  /// - Throws: `VocabularyError` if it is none.
  public init(_ url: URL, weight: Double? = nil) throws(VocabularyError) {
    self.url = url
    self.weight = weight
    do {
      let text = try Data(contentsOf: url.appendingPathComponent("vocabulary.json"))
      stamp = try JSONDecoder().decode(VocabularyStamp.self, from: text)
    } catch {
      throw VocabularyError(file: url.path, location: nil, problem: "there is no language model in it")
    }
  }

  /// Compiles a vocabulary file into `folder`, which is made if it is not there. What was made of the same content is
  /// left as it is.
  /// - Throws: `VocabularyError`, also with what the Speech framework finds wrong with phrases and pronunciations, and
  ///   what Foundation throws if the folder cannot be written.
  @discardableResult
  public static func compile(
    _ file: URL, into folder: URL, weight: Double? = nil
  ) async throws -> LanguageModelFolder {
    let content = try Vocabulary.content(of: file)
    return try await compile(
      content, sha256: Digest.sha256(of: content), file: file, into: folder, weight: weight)
  }

  /// Compiles a vocabulary file into the user's cache.
  /// - Throws: as `compile(_:into:weight:)`.
  public static func cached(_ file: URL, weight: Double? = nil) async throws -> LanguageModelFolder {
    let content = try Vocabulary.content(of: file)
    let sha256 = Digest.sha256(of: content)
    let caches = try FileManager.default.url(
      for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
    let folder = caches.appendingPathComponent("longhand/language-models/\(sha256)")
    return try await compile(content, sha256: sha256, file: file, into: folder, weight: weight)
  }

  private static func compile(
    _ content: Data, sha256: String, file: URL, into folder: URL, weight: Double?
  ) async throws -> LanguageModelFolder {
    let vocabulary = try Vocabulary(content, file: file.path)
    let stamp = VocabularyStamp(name: vocabulary.name, sha256: sha256)
    let made = LanguageModelFolder(folder, weight: weight, stamp: stamp)
    if (try? LanguageModelFolder(folder))?.stamp == stamp { return made }
    let files = FileManager.default
    // Beside the folder, so that a vocabulary that cannot be compiled leaves what is there.
    let draft = LanguageModelFolder(
      folder.deletingLastPathComponent().appendingPathComponent(
        ".\(folder.lastPathComponent).\(UUID()).part"),
      weight: nil, stamp: stamp)
    defer { try? files.removeItem(at: draft.url) }
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    try files.createDirectory(at: draft.url, withIntermediateDirectories: true, attributes: attributes)
    do {
      try await vocabulary.languageModelData(version: stamp.sha256).export(to: draft.data)
      try await SFSpeechLanguageModel.prepareCustomLanguageModel(
        for: draft.data, configuration: draft.configuration)
    } catch let error as SFSpeechError {
      // The draft's name tells nobody anything.
      let problem = error.localizedDescription.replacingOccurrences(of: "\(draft.data.path): ", with: "")
        .replacingOccurrences(of: draft.data.path, with: "it")
      throw VocabularyError(file: file.path, location: nil, problem: problem)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    try encoder.encode(stamp).write(to: draft.stampFile)

    try files.createDirectory(at: folder, withIntermediateDirectories: true, attributes: attributes)
    // The stamp goes first and comes last: where it is, everything is.
    if files.fileExists(atPath: made.stampFile.path) { try files.removeItem(at: made.stampFile) }
    for file in [\LanguageModelFolder.data, \.model, \.pronunciations, \.stampFile] {
      // The folder may be one that others can read.
      try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: draft[keyPath: file].path)
      guard rename(draft[keyPath: file].path, made[keyPath: file].path) == 0 else {
        throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: made[keyPath: file].path])
      }
    }
    return made
  }

  private init(_ url: URL, weight: Double?, stamp: VocabularyStamp) {
    self.url = url
    self.weight = weight
    self.stamp = stamp
  }
}
