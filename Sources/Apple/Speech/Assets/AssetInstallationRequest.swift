import FileSupport
import Foundation
import Synchronization

/// Installs the models that modules need. `AssetInventory.assetInstallationRequest(supporting:)` creates it.
///
/// ```swift
/// import Speech
///
/// let transcriber = SpeechTranscriber(locale: Locale(identifier: "en-US"), preset: .transcription)
/// if let request = try await AssetInventory.assetInstallationRequest(supporting: [transcriber]) {
///   try await request.downloadAndInstall()
/// }
/// ```
final public class AssetInstallationRequest: NSObject, ProgressReporting, Sendable {
  /// The progress over all models. Each model is one part, counted in bytes. Cancelling the progress cancels the
  /// installation.
  final public let progress: Progress

  private let locales: [Locale]
  private let parts: [Progress]
  private let store: AssetStore
  private let tasks = Mutex<[UUID: Task<Void, any Error>]>([:])

  init(locales: [Locale], store: AssetStore) {
    self.locales = locales
    self.store = store
    progress = Progress(totalUnitCount: Int64(locales.count))
    // A part counts as 0 until its size is known.
    parts = locales.map { _ in Progress(totalUnitCount: 1) }
    for part in parts { progress.addChild(part, withPendingUnitCount: 1) }
    super.init()
    progress.cancellationHandler = { [weak self] in self?.cancel() }
  }

  /// Downloads the models, checks them, and installs each completely or not at all.
  ///
  /// When this returns, the models are installed. Further calls, and other requests for the same model, wait for the same
  /// installation. If a download fails, the next call continues it. On Linux the models are those of Longhand's catalogue,
  /// which `longhand models list` shows, and there are no attempts in the background.
  ///
  /// - Throws: `CancellationError` if the task or `progress` is cancelled; then the downloaded part is removed. Otherwise
  ///   `SFSpeechError`, of code `noModel` if the catalogue has no model or it cannot be downloaded, `insufficientResources` if the disk has too
  ///   little space, or `internalServiceError` if the speech service is missing.
  final public func downloadAndInstall() async throws {
    let identifier = UUID()
    let task = Task { [locales, parts, store] in
      for (locale, part) in zip(locales, parts) { try await store.install(locale, progress: part) }
    }
    tasks.withLock { $0[identifier] = task }
    defer { tasks.withLock { $0[identifier] = nil } }
    if progress.isCancelled { task.cancel() }
    try await task.valueOrCancelled
  }

  private func cancel() {
    for task in tasks.withLock({ Array($0.values) }) { task.cancel() }
  }
}
