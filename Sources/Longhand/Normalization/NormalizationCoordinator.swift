import Observation

/// Keeps the normalized text of a growing transcript up to date, for a view.
///
/// Each `update` replaces the text to normalize. Only the result for the latest text is shown; earlier work is cancelled.
/// The work does not run on the main actor.
///
/// ```swift
/// let coordinator = NormalizationCoordinator(TranscriptNormalizer(vocabulary))
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

  @ObservationIgnored private let normalize: @Sendable (String) async -> NormalizedTranscript
  @ObservationIgnored private var task: Task<Void, Never>?
  @ObservationIgnored private var request = 0

  /// Creates a coordinator that uses `normalizer`.
  public convenience init(_ normalizer: TranscriptNormalizer) {
    self.init { await normalizer.normalize($0) }
  }

  init(_ normalize: @escaping @Sendable (String) async -> NormalizedTranscript) { self.normalize = normalize }

  /// Starts to normalize `text`: all that is final so far.
  public func update(_ text: String) {
    task?.cancel()
    request += 1
    let request = request
    state = .working
    task = Task { [weak self, normalize] in
      let normalized = await Self.runConcurrently(text, normalize)
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
