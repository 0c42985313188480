import Foundation
import ModelStorage
import Synchronization

/// A running installation and its waiters. Every request for a model that is being installed joins the running
/// installation. The installation is cancelled when its last waiter is cancelled.
final class AssetInstallation: Sendable {
  /// The other waiters cancelled the installation. The caller must start a new one.
  struct Abandoned: Error {}

  private struct Waiter: Sendable {
    let progress: Progress
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var task: Task<Void, Never>?
    var outcome: Result<Void, any Error>?
    var waiters: [UUID: Waiter] = [:]
    var cancelled: Set<UUID> = []
    var completed: Int64 = 0
    var total: Int64 = -1
  }

  private let state = Mutex(State())

  /// What an installation does. It reports the number of bytes so far, and the total.
  typealias Work = @Sendable (_ report: @escaping @Sendable (Int64, Int64) -> Void) async throws -> Void

  /// Starts the installation.
  /// - Parameters:
  ///   - work: installs the model.
  ///   - whenDone: called before the waiters resume.
  func start(_ work: @escaping Work, whenDone: @escaping @Sendable () async -> Void) {
    let task = Task {
      let outcome: Result<Void, any Error>
      do {
        try await work { [weak self] in self?.report($0, of: $1) }
        outcome = .success(())
      } catch {
        outcome = .failure(error)
      }
      await whenDone()
      finish(outcome)
    }
    state.withLock { $0.task = task }
  }

  /// Waits for the end of the installation.
  /// - Parameter progress: updated during the installation, in bytes.
  /// - Throws: the error of the installation; `CancellationError` if the caller's task is cancelled; `Abandoned`.
  func join(_ progress: Progress) async throws {
    let identifier = UUID()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = state.withLock { state in
          if state.outcome == nil {
            state.waiters[identifier] = Waiter(progress: progress, continuation: continuation)
            Self.show(state, on: progress)
          }
          return state.outcome
        }
        if let outcome { continuation.resume(with: Self.translate(outcome, isCancelled: false)) }
        if Task.isCancelled { cancel(identifier) }
      }
    } onCancel: {
      cancel(identifier)
    }
  }

  private func cancel(_ identifier: UUID) {
    let continuation: CheckedContinuation<Void, any Error>? = state.withLock { state in
      guard let waiter = state.waiters[identifier], state.cancelled.insert(identifier).inserted else {
        return nil
      }
      guard state.waiters.keys.allSatisfy(state.cancelled.contains) else {
        state.waiters[identifier] = nil
        return waiter.continuation
      }
      // The last waiter resumes after everything is removed.
      state.task?.cancel()
      return nil
    }
    continuation?.resume(throwing: CancellationError())
  }

  private func report(_ completed: Int64, of total: Int64) {
    let (snapshot, waiters) = state.withLock { state in
      state.completed = completed
      state.total = total
      return (state, Array(state.waiters.values))
    }
    for waiter in waiters { Self.show(snapshot, on: waiter.progress) }
  }

  private static func show(_ state: State, on progress: Progress) {
    guard state.total >= 0 else { return }
    progress.totalUnitCount = max(1, state.total)
    progress.completedUnitCount = state.completed
  }

  private func finish(_ outcome: Result<Void, any Error>) {
    let (waiters, cancelled) = state.withLock { state in
      state.outcome = outcome
      defer { state.waiters = [:] }
      return (state.waiters, state.cancelled)
    }
    for (identifier, waiter) in waiters {
      waiter.continuation.resume(
        with: Self.translate(outcome, isCancelled: cancelled.contains(identifier)))
    }
  }

  private static func translate(
    _ outcome: Result<Void, any Error>, isCancelled: Bool
  ) -> Result<Void, any Error> {
    guard case .failure(let error) = outcome else { return outcome }
    if error is CancellationError { return .failure(isCancelled ? error : Abandoned()) }
    return .failure(speechError(for: error))
  }

  /// The error that a client receives.
  private static func speechError(for error: any Error) -> any Error {
    guard !(error is SFSpeechError) else { return error }
    let isFull = (error as? ModelError)?.kind == .noSpace
    return SFSpeechError(
      isFull ? .insufficientResources : .noModel,
      userInfo: [
        NSLocalizedDescriptionKey: "The model could not be installed. \(error.localizedDescription)",
        NSUnderlyingErrorKey: error,
      ])
  }
}
