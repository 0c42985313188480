import Foundation

extension SystemLanguageModel {
  /// Additional training for a model. On Linux there are none: an adapter is loaded by the server.
  public struct Adapter {
    /// What its maker says of it.
    public var creatorDefinedMetadata: [String: Any] { [:] }

    /// An adapter in a file.
    /// - Throws: on Linux always `AssetError.invalidAsset`.
    public init(fileURL: URL) throws {
      throw AssetError.invalidAsset(.init(debugDescription: "\(fileURL.path): \(AssetError.mend)"))
    }

    /// An adapter by its name.
    /// - Throws: on Linux always `AssetError.compatibleAdapterNotFound`.
    public init(name: String) throws {
      throw AssetError.compatibleAdapterNotFound(.init(debugDescription: "\(name): \(AssetError.mend)"))
    }

    /// Makes it ready for this machine. On Linux there is nothing to do.
    @concurrent public func compile() async throws {}

    /// The adapters of a name that this machine can use: none on Linux.
    public static func compatibleAdapterIdentifiers(name: String) -> [String] { [] }

    /// Removes adapters that cannot be used any more. On Linux there are none.
    public static func removeObsoleteAdapters() throws {}
  }

  /// A model with an adapter.
  public convenience init(adapter: Adapter, guardrails: Guardrails = .default) {
    self.init(useCase: .general, guardrails: guardrails)
  }
}

extension SystemLanguageModel.Adapter {
  /// Why there is no adapter.
  public enum AssetError: Error, LocalizedError {
    /// What an error is about.
    public struct Context: Sendable {
      /// For developers.
      public let debugDescription: String

      /// What an error is about.
      public init(debugDescription: String) { self.debugDescription = debugDescription }
    }

    /// The file is none, or not for this model.
    case invalidAsset(Context)
    /// There can be none of this name.
    case invalidAdapterName(Context)
    /// There is none of this name.
    case compatibleAdapterNotFound(Context)

    static let mend = "adapters cannot be loaded here; start the server with it (llama.cpp: --lora)."

    /// What went wrong.
    public var errorDescription: String? {
      switch self {
      case .invalidAsset(let context): "The adapter cannot be used. \(context.debugDescription)"
      case .invalidAdapterName(let context): "There is no adapter of that name. \(context.debugDescription)"
      case .compatibleAdapterNotFound(let context): "No adapter was found. \(context.debugDescription)"
      }
    }

    /// What mends it.
    public var recoverySuggestion: String? { Self.mend }
  }
}
