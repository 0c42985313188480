import Foundation

extension SystemLanguageModel {
  /// Additional training for a model. On Linux, adapters are not supported: the server loads them.
  public struct Adapter {
    /// Metadata from the author of the adapter; empty on Linux.
    public var creatorDefinedMetadata: [String: Any] { [:] }

    /// Loads an adapter from a file.
    /// - Throws: on Linux always `AssetError.invalidAsset`.
    public init(fileURL: URL) throws {
      throw AssetError.invalidAsset(.init(debugDescription: "\(fileURL.path): \(AssetError.remedy)"))
    }

    /// Loads an adapter by its name.
    /// - Throws: on Linux always `AssetError.compatibleAdapterNotFound`.
    public init(name: String) throws {
      throw AssetError.compatibleAdapterNotFound(.init(debugDescription: "\(name): \(AssetError.remedy)"))
    }

    /// Prepares the adapter for this machine. Does nothing on Linux.
    @concurrent public func compile() async throws {}

    /// The identifiers of the adapters with this name that work on this machine; empty on Linux.
    public static func compatibleAdapterIdentifiers(name: String) -> [String] { [] }

    /// Removes adapters that no longer work. Does nothing on Linux.
    public static func removeObsoleteAdapters() throws {}
  }

  /// Creates a model with an adapter.
  public convenience init(adapter: Adapter, guardrails: Guardrails = .default) {
    self.init(useCase: .general, guardrails: guardrails)
  }
}

extension SystemLanguageModel.Adapter {
  /// Why an adapter cannot be loaded.
  public enum AssetError: Swift.Error, LocalizedError {
    /// Details of an error.
    public struct Context: Sendable {
      /// A description for developers.
      public let debugDescription: String

      /// Creates details from a description for developers.
      public init(debugDescription: String) { self.debugDescription = debugDescription }
    }

    /// The file is not an adapter for this model.
    case invalidAsset(Context)
    /// The name is not valid.
    case invalidAdapterName(Context)
    /// No adapter has this name.
    case compatibleAdapterNotFound(Context)

    static let remedy =
      "Adapters are not supported on Linux. Start the server with the adapter (llama.cpp: --lora)."

    /// What went wrong.
    public var errorDescription: String? {
      switch self {
      case .invalidAsset(let context): "The adapter cannot be used. \(context.debugDescription)"
      case .invalidAdapterName(let context):
        "The name of the adapter is not valid. \(context.debugDescription)"
      case .compatibleAdapterNotFound(let context): "No adapter has this name. \(context.debugDescription)"
      }
    }

    /// What to do about it.
    public var recoverySuggestion: String? { Self.remedy }
  }
}
