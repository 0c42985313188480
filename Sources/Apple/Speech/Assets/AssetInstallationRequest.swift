import Foundation
import Synchronization

/// Brings the models that some modules need.
///
/// ```swift
/// if let request = try await AssetInventory.assetInstallationRequest(supporting: [transcriber]) {
///   try await request.downloadAndInstall()
/// }
/// ```
final public class AssetInstallationRequest: NSObject, ProgressReporting, Sendable {
  /// How far the installation is, over all models; each has a part of it, counted in bytes. Cancelling it cancels
  /// the installation.
  final public let progress: Progress

  private let locales: [Locale]
  private let parts: [Progress]
  private let store: AssetStore
  private let tasks = Mutex<[UUID: Task<Void, any Error>]>([:])

  init(locales: [Locale], store: AssetStore) {
    self.locales = locales
    self.store = store
    progress = Progress(totalUnitCount: Int64(locales.count))
    // A part counts as nothing until it is known how long it is.
    parts = locales.map { _ in Progress(totalUnitCount: 1) }
    for part in parts { progress.addChild(part, withPendingUnitCount: 1) }
    super.init()
    progress.cancellationHandler = { [weak self] in self?.cancel() }
  }

  /// Brings the models, checks them and puts them where the service finds them, each whole or not at all.
  ///
  /// Returns when the models are there. Further calls, and other requests for the same model, wait for the same
  /// installation. If a transfer breaks off for good, the next call goes on from there. On Linux nothing is tried
  /// again in the background.
  ///
  /// - Throws: `CancellationError` if the task or `progress` is cancelled, and then nothing stays of what was
  ///   brought; otherwise `SFSpeechError`, of code `noModel` if the source has no model that can be used, or
  ///   `insufficientResources` if there is not enough space.
  final public func downloadAndInstall() async throws {
    let identifier = UUID()
    let task = Task { [locales, parts, store] in
      for (locale, part) in zip(locales, parts) { try await store.install(locale, progress: part) }
    }
    tasks.withLock { $0[identifier] = task }
    defer { tasks.withLock { $0[identifier] = nil } }
    if progress.isCancelled { task.cancel() }
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  private func cancel() {
    for task in tasks.withLock({ Array($0.values) }) { task.cancel() }
  }
}
