import Foundation

/// Customized language models: data is prepared once, and then attached to requests.
open class SFSpeechLanguageModel: NSObject {
  /// Makes a language model and, if the configuration names a place for it, a vocabulary of the data that
  /// `SFCustomLanguageModelData.export(to:)` wrote.
  ///
  /// What was prepared from the same data is left as it is. Either file appears whole or not at all. The work is done on
  /// no caller's thread and ends early if its task is cancelled.
  /// - Parameters:
  ///   - asset: the exported data; may be the place of the language model, which then replaces it.
  ///   - configuration: where the model goes. Requests take the same configuration.
  /// - Throws: `SFSpeechError.malformedSupplementalModel`, with what is wrong and where; what Foundation throws if a
  ///   file cannot be written; `CancellationError`.
  @concurrent open class func prepareCustomLanguageModel(
    for asset: URL, configuration: SFSpeechLanguageModel.Configuration
  ) async throws {
    try LanguageModelPreparation(asset, configuration).run()
  }

  /// As `prepareCustomLanguageModel(for:configuration:)`.
  /// - Parameter ignoresCache: true prepares anew what was prepared from the same data.
  @concurrent open class func prepareCustomLanguageModel(
    for asset: URL, configuration: SFSpeechLanguageModel.Configuration, ignoresCache: Bool
  ) async throws {
    try LanguageModelPreparation(asset, configuration, ignoresCache: ignoresCache).run()
  }

  /// As `prepareCustomLanguageModel(for:configuration:)`.
  /// - Parameter completion: called on a thread of no promise, with what failed, if anything did.
  open class func prepareCustomLanguageModel(
    for asset: URL, configuration: SFSpeechLanguageModel.Configuration,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    LanguageModelPreparation(asset, configuration).run(completion)
  }

  /// As `prepareCustomLanguageModel(for:configuration:ignoresCache:)`.
  /// - Parameter completion: called on a thread of no promise, with what failed, if anything did.
  open class func prepareCustomLanguageModel(
    for asset: URL, configuration: SFSpeechLanguageModel.Configuration, ignoresCache: Bool,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    LanguageModelPreparation(asset, configuration, ignoresCache: ignoresCache).run(completion)
  }

  /// As `prepareCustomLanguageModel(for:configuration:)`.
  /// - Parameter clientIdentifier: who prepares; what another has prepared is not taken for one's own.
  @available(*, deprecated, message: "Use prepareCustomLanguageModel(for:configuration:)")
  @concurrent open class func prepareCustomLanguageModel(
    for asset: URL, clientIdentifier: String, configuration: SFSpeechLanguageModel.Configuration
  ) async throws {
    try LanguageModelPreparation(asset, configuration, client: clientIdentifier).run()
  }

  /// As `prepareCustomLanguageModel(for:clientIdentifier:configuration:)`.
  /// - Parameter ignoresCache: true prepares anew what was prepared from the same data.
  @available(*, deprecated, message: "Use prepareCustomLanguageModel(for:configuration:ignoresCache:)")
  @concurrent open class func prepareCustomLanguageModel(
    for asset: URL, clientIdentifier: String, configuration: SFSpeechLanguageModel.Configuration,
    ignoresCache: Bool
  ) async throws {
    try LanguageModelPreparation(
      asset, configuration, client: clientIdentifier, ignoresCache: ignoresCache
    ).run()
  }

  /// As `prepareCustomLanguageModel(for:clientIdentifier:configuration:)`.
  /// - Parameter completion: called on a thread of no promise, with what failed, if anything did.
  @available(*, deprecated, message: "Use prepareCustomLanguageModel(for:configuration:completion:)")
  open class func prepareCustomLanguageModel(
    for asset: URL, clientIdentifier: String, configuration: SFSpeechLanguageModel.Configuration,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    LanguageModelPreparation(asset, configuration, client: clientIdentifier).run(completion)
  }

  /// As `prepareCustomLanguageModel(for:clientIdentifier:configuration:ignoresCache:)`.
  /// - Parameter completion: called on a thread of no promise, with what failed, if anything did.
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
