import LonghandTranscripts
import Observation

/// Normalizes the text of an app: the text of a view that grows, and the segments of recordings.
///
/// The names that may be extracted can be set before a recording begins, for example from a database:
///
/// ```swift
/// let coordinator = NormalizationCoordinator(
///   TranscriptNormalizer(vocabulary, model: SystemNormalizationModel.available))
/// coordinator.entityNames = positions.map(\.name) + people.map(\.name)
/// let session = try await library.record(from: EngineCapture(), normalization: coordinator)
/// ```
///
/// For a view, each `update` replaces the text to normalize. Only the result for the latest text is shown; earlier work is
/// cancelled. The work does not run on the main actor.
///
/// ```swift
/// coordinator.update("he played the when our")
/// await coordinator.waitUntilIdle()
/// if case .ready(let normalized) = coordinator.state { print(normalized.text) }
/// ```
@MainActor @Observable public final class NormalizationCoordinator {
  /// The progress of normalization.
  public enum State: Sendable, Hashable {
    /// There is no text, or the work was cancelled.
    case idle
    /// The latest text is being normalized.
    case working
    /// The latest text is normalized.
    case ready(NormalizedTranscript)
  }

  /// The progress for the latest text.
  public private(set) var state = State.idle

  /// The names that may be extracted, in the spelling of the app's database; empty for those of the normalizer. A recording
  /// uses the names that are set when it begins.
  public var entityNames: [String] = [] {
    didSet { if entityNames != oldValue { normalizer = base?.extracting(entityNames, ids: entityIDs) } }
  }

  /// The IDs of `entityNames` in the app's database, by the names; results have them.
  public var entityIDs: [String: String] = [:] {
    didSet { if entityIDs != oldValue { normalizer = base?.extracting(entityNames, ids: entityIDs) } }
  }

  /// The normalizer with `entityNames`, as a recording uses it; nil in tests of this class.
  public private(set) var normalizer: TranscriptNormalizer?

  @ObservationIgnored private let base: TranscriptNormalizer?
  @ObservationIgnored private let replacement: (@Sendable (String) async -> NormalizedTranscript)?
  @ObservationIgnored private var task: Task<Void, Never>?
  @ObservationIgnored private var request = 0

  /// Creates a coordinator that uses `normalizer`.
  public init(_ normalizer: TranscriptNormalizer) {
    base = normalizer
    self.normalizer = normalizer
    replacement = nil
  }

  init(_ normalize: @escaping @Sendable (String) async -> NormalizedTranscript) {
    base = nil
    replacement = normalize
  }

  /// Normalizes `text` without changing `state`.
  public func normalize(_ text: String) async -> NormalizedTranscript {
    await Self.runConcurrently(text, work)
  }

  /// Starts to normalize `text`: all that is final so far.
  public func update(_ text: String) {
    task?.cancel()
    request += 1
    let (request, work) = (request, work)
    state = .working
    task = Task { [weak self] in
      let normalized = await Self.runConcurrently(text, work)
      self?.finish(request, normalized)
    }
  }

  /// Cancels the work and forgets the result.
  public func cancel() {
    task?.cancel()
    task = nil
    request += 1
    state = .idle
  }

  /// Waits until no work is in progress.
  public func waitUntilIdle() async {
    while let task {
      await task.value
      if self.task == task { self.task = nil }
    }
  }

  private var work: @Sendable (String) async -> NormalizedTranscript {
    if let replacement { return replacement }
    let normalizer = normalizer
    return { await normalizer?.normalize($0) ?? NormalizedTranscript(text: $0) }
  }

  private func finish(_ request: Int, _ normalized: NormalizedTranscript) {
    guard request == self.request else { return }
    state = .ready(normalized)
  }

  @concurrent private nonisolated static func runConcurrently(
    _ text: String, _ normalize: @Sendable (String) async -> NormalizedTranscript
  ) async -> NormalizedTranscript {
    await normalize(text)
  }
}
