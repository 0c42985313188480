import Foundation

/// Prepares custom language models. A model is prepared once and then attached to requests.
///
/// ```swift
/// import Speech
///
/// let configuration = SFSpeechLanguageModel.Configuration(
///   languageModel: URL(fileURLWithPath: "chess.model"),
///   vocabulary: URL(fileURLWithPath: "chess.vocabulary"))
/// try await SFSpeechLanguageModel.prepareCustomLanguageModel(
///   for: URL(fileURLWithPath: "chess.bin"), configuration: configuration)
/// let transcriber = DictationTranscriber(
///   locale: Locale(identifier: "en-US"),
///   contentHints: [.customizedLanguage(modelConfiguration: configuration)],
///   transcriptionOptions: [.punctuation], reportingOptions: [], attributeOptions: [])
/// ```
///
/// `SFCustomLanguageModelData` writes the data, here `chess.bin`. It has at most 1,000,000 phrases of at most 64 MiB, with
/// those of templates, and 2 million distinct words. Exporting and preparing the million phrases of one template with 300
/// words took 7 s and 95 MB of memory on 2 cores.
///
/// The language is any that an installed model recognizes. Whisper's search then prefers the phrases and terms. Pronunciations
/// are used in American English only, which has a dictionary; for other languages the prepared vocabulary has a line that
/// says so.
open class SFSpeechLanguageModel: NSObject {
  /// Prepares a language model from the data that `SFCustomLanguageModelData.export(to:)` wrote. If the configuration has
  /// a URL for a vocabulary, prepares the vocabulary, too.
  ///
  /// Files that were prepared from the same data are kept. Each file appears completely or not at all. The work does not
  /// run on the caller's thread, and ends early if the task is cancelled.
  /// - Parameters:
  ///   - asset: the exported data. If it is also the URL of the language model, the model replaces it.
  ///   - configuration: the URLs of the prepared files. Requests use the same configuration.
  /// - Throws: `SFSpeechError.malformedSupplementalModel`, with the problem and its position; `CocoaError` if a file
  ///   cannot be written; `CancellationError`.
  @concurrent open class func prepareCustomLanguageModel(
    for asset: URL, configuration: SFSpeechLanguageModel.Configuration
  ) async throws {
    try LanguageModelPreparation(asset, configuration).run()
  }

  /// Prepares a language model as `prepareCustomLanguageModel(for:configuration:)` does.
  /// If `ignoresCache` is true it prepares the files again even if they are up to date.
  @concurrent open class func prepareCustomLanguageModel(
    for asset: URL, configuration: SFSpeechLanguageModel.Configuration, ignoresCache: Bool
  ) async throws {
    try LanguageModelPreparation(asset, configuration, ignoresCache: ignoresCache).run()
  }

  /// Prepares a language model as `prepareCustomLanguageModel(for:configuration:)` does.
  /// It calls `completion` on any thread, with the error or nil.
  open class func prepareCustomLanguageModel(
    for asset: URL, configuration: SFSpeechLanguageModel.Configuration,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    LanguageModelPreparation(asset, configuration).run(completion)
  }

  /// Prepares a language model as `prepareCustomLanguageModel(for:configuration:ignoresCache:)` does.
  /// It calls `completion` on any thread, with the error or nil.
  open class func prepareCustomLanguageModel(
    for asset: URL, configuration: SFSpeechLanguageModel.Configuration, ignoresCache: Bool,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    LanguageModelPreparation(asset, configuration, ignoresCache: ignoresCache).run(completion)
  }

  /// Prepares a language model as `prepareCustomLanguageModel(for:configuration:)` does.
  /// It prepares the files again if another client than `clientIdentifier` prepared them.
  @available(*, deprecated, message: "Use prepareCustomLanguageModel(for:configuration:)")
  @concurrent open class func prepareCustomLanguageModel(
    for asset: URL, clientIdentifier: String, configuration: SFSpeechLanguageModel.Configuration
  ) async throws {
    try LanguageModelPreparation(asset, configuration, client: clientIdentifier).run()
  }

  /// Prepares a language model as `prepareCustomLanguageModel(for:clientIdentifier:configuration:)` does.
  /// If `ignoresCache` is true it prepares the files again even if they are up to date.
  @available(*, deprecated, message: "Use prepareCustomLanguageModel(for:configuration:ignoresCache:)")
  @concurrent open class func prepareCustomLanguageModel(
    for asset: URL, clientIdentifier: String, configuration: SFSpeechLanguageModel.Configuration,
    ignoresCache: Bool
  ) async throws {
    try LanguageModelPreparation(
      asset, configuration, client: clientIdentifier, ignoresCache: ignoresCache
    ).run()
  }

  /// Prepares a language model as `prepareCustomLanguageModel(for:clientIdentifier:configuration:)` does.
  /// It calls `completion` on any thread, with the error or nil.
  @available(*, deprecated, message: "Use prepareCustomLanguageModel(for:configuration:completion:)")
  open class func prepareCustomLanguageModel(
    for asset: URL, clientIdentifier: String, configuration: SFSpeechLanguageModel.Configuration,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    LanguageModelPreparation(asset, configuration, client: clientIdentifier).run(completion)
  }

  /// Prepares a language model as `prepareCustomLanguageModel(for:clientIdentifier:configuration:ignoresCache:)` does.
  /// It calls `completion` on any thread, with the error or nil.
  @available(
    *, deprecated, message: "Use prepareCustomLanguageModel(for:configuration:ignoresCache:completion:)"
  )
  open class func prepareCustomLanguageModel(
    for asset: URL, clientIdentifier: String, configuration: SFSpeechLanguageModel.Configuration,
    ignoresCache: Bool, completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    LanguageModelPreparation(
      asset, configuration, client: clientIdentifier, ignoresCache: ignoresCache
    ).run(completion)
  }
}

extension SFSpeechLanguageModel {
  /// The files in a folder that `prepareCustomLanguageModel` wrote, under any names, and the digest of their data. It exists
  /// on Linux only.
  /// - Returns: nil if there is no complete model, or more than one.
  package static func preparedFiles(in folder: URL) -> (model: URL, vocabulary: URL?, digest: String)? {
    let files =
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    let models = files.compactMap { file in
      (try? PreparedLanguageModel(at: file)).map { (file: file, header: $0.header) }
    }
    guard models.count == 1, let model = models.first else { return nil }
    let vocabulary = files.first {
      $0 != model.file && PreparedLanguageModel.header(of: $0) == model.header
    }
    return (model.file, vocabulary, model.header.digest)
  }
}
