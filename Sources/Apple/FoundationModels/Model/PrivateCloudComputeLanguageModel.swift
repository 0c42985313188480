import Foundation
import Observation

/// Apple's model on Apple's servers, which no other system may ask. On Linux it is never available, and a request throws
/// `Error.serviceUnavailable`.
///
/// ```swift
/// import FoundationModels
///
/// let cloud = PrivateCloudComputeLanguageModel()
/// let session = cloud.isAvailable ? LanguageModelSession(model: cloud) : LanguageModelSession()
/// print(try await session.respond(to: "What barks?").content)
/// ```
final public class PrivateCloudComputeLanguageModel: LanguageModel, nonisolated Observable {
  private static let reason =
    "Private Cloud Compute runs on Apple's platforms only. Use SystemLanguageModel, which asks the server of "
    + "FOUNDATION_MODEL_ENDPOINT, or a LanguageModel of another package."

  /// Creates the model.
  public init() {}

  /// Whether the model can be asked.
  @frozen public enum Availability: Equatable, Sendable {
    /// Why it cannot.
    public enum UnavailableReason: Equatable, Hashable, Sendable {
      /// Not on this machine: always so on Linux.
      case deviceNotEligible
      /// Not yet.
      case systemNotReady
    }

    /// The model can answer.
    case available
    /// The model cannot answer.
    case unavailable(UnavailableReason)
  }

  /// Always `deviceNotEligible`.
  final public var availability: Availability { .unavailable(.deviceNotEligible) }
  /// Always false.
  final public var isAvailable: Bool { false }
  /// Nothing: the model has no context here.
  /// - Throws: `Error.serviceUnavailable`.
  nonisolated(nonsending) final public var contextSize: Int {
    get async throws { throw Error.serviceUnavailable(.init(debugDescription: Self.reason)) }
  }
  /// None.
  nonisolated(nonsending) final public var supportedLanguages: Set<Locale.Language> {
    get async throws { [] }
  }
  /// Always false.
  nonisolated(nonsending) final public func supportsLocale(_ locale: Locale = Locale.current) async throws
    -> Bool
  {
    false
  }
  /// Below every limit, as there are no requests.
  final public var quotaUsage: QuotaUsage {
    QuotaUsage(status: .belowLimit(.init(isApproachingLimit: false)))
  }

  /// What the model can do on Apple's platforms.
  final public var capabilities: LanguageModelCapabilities {
    LanguageModelCapabilities([.vision, .guidedGeneration, .reasoning, .toolCalling])
  }
  /// The same for all.
  final public var executorConfiguration: Executor.Configuration { Executor.Configuration() }

  /// Sends requests nowhere.
  public struct Executor: LanguageModelExecutor {
    /// The model.
    public typealias Model = PrivateCloudComputeLanguageModel
    /// What distinguishes executors: nothing.
    public struct Configuration: Hashable, Sendable {}

    /// Creates an executor.
    public init(configuration: Configuration) {}

    /// - Throws: `Error.serviceUnavailable`.
    nonisolated(nonsending) public func respond(
      to request: LanguageModelExecutorGenerationRequest, model: PrivateCloudComputeLanguageModel,
      streamingInto channel: LanguageModelExecutorGenerationChannel
    ) async throws {
      throw Error.serviceUnavailable(.init(debugDescription: PrivateCloudComputeLanguageModel.reason))
    }
  }

  /// How many more requests a person may make.
  public struct QuotaUsage: Sendable {
    /// Where a person is.
    public enum Status: Sendable {
      /// More requests may be made.
      public struct BelowLimit: Sendable {
        /// Whether they are about to be over.
        public var isApproachingLimit: Bool
      }
      /// No more requests may be made.
      public struct LimitReached: Sendable {}

      /// More requests may be made.
      case belowLimit(BelowLimit)
      /// No more requests may be made.
      case limitReached(LimitReached)
    }

    /// How a person gets more.
    public struct LimitIncreaseSuggestion: Sendable {
      /// Does nothing on Linux.
      public func show() {}
    }

    /// Where the person is.
    public var status: Status
    /// How the person gets more; nil if there is no way.
    public var limitIncreaseSuggestion: LimitIncreaseSuggestion?
    /// When there are more; nil if that is not known.
    public var resetDate: Date?
    /// Whether no more requests may be made.
    public var isLimitReached: Bool { if case .limitReached = status { true } else { false } }
  }

  /// Why a request failed.
  public enum Error: Swift.Error, LocalizedError, CustomDebugStringConvertible {
    /// The servers cannot be reached.
    case networkFailure(NetworkFailure)
    /// No more requests may be made.
    case quotaLimitReached(QuotaLimitReached)
    /// There is no such service: always so on Linux.
    case serviceUnavailable(ServiceUnavailable)

    /// The servers cannot be reached.
    public struct NetworkFailure: Sendable {
      /// A description for developers.
      public var debugDescription: String
      /// Creates a description.
      public init(debugDescription: String) { self.debugDescription = debugDescription }
    }

    /// No more requests may be made.
    public struct QuotaLimitReached: Sendable {
      /// How a person gets more; nil if there is no way.
      public var limitIncreaseSuggestion: QuotaUsage.LimitIncreaseSuggestion?
      /// When there are more; nil if that is not known.
      public var resetDate: Date?
      /// A description for developers.
      public var debugDescription: String
      /// Creates a description.
      public init(
        limitIncreaseSuggestion: QuotaUsage.LimitIncreaseSuggestion? = nil, resetDate: Date? = nil,
        debugDescription: String
      ) {
        self.limitIncreaseSuggestion = limitIncreaseSuggestion
        self.resetDate = resetDate
        self.debugDescription = debugDescription
      }
    }

    /// There is no such service.
    public struct ServiceUnavailable: Sendable {
      /// A description for developers.
      public var debugDescription: String
      /// Creates a description.
      public init(debugDescription: String) { self.debugDescription = debugDescription }
    }

    /// What went wrong, and what to do.
    public var errorDescription: String? { debugDescription }

    /// A description for developers.
    public var debugDescription: String {
      switch self {
      case .networkFailure(let details): details.debugDescription
      case .quotaLimitReached(let details): details.debugDescription
      case .serviceUnavailable(let details): details.debugDescription
      }
    }
  }
}
