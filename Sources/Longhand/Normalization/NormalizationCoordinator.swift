import Observation

/// Keeps a normalized text beside a transcript that grows, for whoever shows it.
///
/// Each `update` asks for the text as it is now; the latest wins, and those before it are forgotten. The work is done
/// elsewhere than on the main actor.
@MainActor @Observable public final class NormalizationCoordinator {
  /// How far it is.
  public enum State: Sendable, Hashable {
    /// There is nothing to show: nothing was asked for, or it was cancelled.
    case idle
    /// The latest text is being normalized.
    case working
    /// The latest text is normalized.
    case ready(NormalizedTranscript)
  }

  /// How far it is with the latest text.
  public private(set) var state = State.idle

  @ObservationIgnored private let normalize: @Sendable (String) async -> NormalizedTranscript
  @ObservationIgnored private var task: Task<Void, Never>?
  @ObservationIgnored private var request = 0

  /// Normalizes with `normalizer`.
  public convenience init(_ normalizer: TranscriptNormalizer) {
    self.init { await normalizer.normalize($0) }
  }

  init(_ normalize: @escaping @Sendable (String) async -> NormalizedTranscript) { self.normalize = normalize }

  /// Asks for another text: all that was finally said so far.
  public func update(_ text: String) {
    task?.cancel()
    request += 1
    let request = request
    state = .working
    task = Task { [weak self, normalize] in
      let normalized = await Self.offMainActor(text, normalize)
      self?.finish(request, normalized)
    }
  }

  /// Forgets what was asked for.
  public func cancel() {
    task?.cancel()
    task = nil
    request += 1
    state = .idle
  }

  /// Returns when nothing is under way.
  public func settle() async {
    while let task {
      await task.value
      if self.task == task { self.task = nil }
    }
  }

  private func finish(_ request: Int, _ normalized: NormalizedTranscript) {
    guard request == self.request else { return }
    state = .ready(normalized)
  }

  @concurrent private nonisolated static func offMainActor(
    _ text: String, _ normalize: @Sendable (String) async -> NormalizedTranscript
  ) async -> NormalizedTranscript {
    await normalize(text)
  }
}
