import Foundation
import Longhand
import Synchronization

@testable import LonghandArchive

extension AudioSource {
  /// Reads all audio.
  func readToTheEnd() async throws { for try await _ in chunks(from: 0) {} }
}

extension TranscriptStore {
  /// Makes every write fail, or succeed again.
  func refuse(_ refuses: Bool) throws {
    try write { try $0.execute(refuses ? "PRAGMA query_only = ON" : "PRAGMA query_only = OFF") }
  }
}

extension [CoverageSpan] {
  /// Whether the spans cover a duration without gaps or overlaps.
  func tile(_ duration: TimeInterval) -> Bool {
    first?.start == 0 && last?.end == duration && zip(self, dropFirst()).allSatisfy { $0.end == $1.start }
  }
}

/// A session of ten seconds by default, and its reported events.
final class SessionFixture: Sendable {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("session-\(UUID())")
  let store: TranscriptStore
  let session = StoreFixture.session()
  let audio: RecordingAudio
  private let events = Mutex<[SessionEvent]>([])

  init(seconds: Int64 = 10) throws {
    store = try TranscriptStore(at: folder)
    var manifest = NumberedRecording.manifest()
    manifest.frames = seconds * 16_000
    audio = RecordingAudio(RecordingFolder(folder), manifest)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var reported: [SessionEvent] { events.withLock { $0 } }
  var texts: [String] { get throws { try store.page(of: session.id, limit: 1000).map(\.text) } }
  var spans: [CoverageSpan] { get throws { try store.coverageSpans(of: session.id) } }

  /// Transcribes the session with the given steps, for any start time.
  func run(_ steps: ScriptedEngine.Step...) async throws { try await run(ScriptedEngine { _ in steps }) }

  func run(
    _ engine: ScriptedEngine, in store: TranscriptStore? = nil, gaps: [RecordingGap] = [],
    normalizer: TranscriptNormalizer? = nil,
    translator: (@Sendable ([Segment]) async throws -> Translation)? = nil
  ) async throws {
    try await SessionTranscription(
      store: store ?? self.store, session: session, engine: engine, audio: audio, gaps: { gaps },
      report: { event in self.events.withLock { $0.append(event) } }, spellings: normalizer?.spellings,
      normalizer: normalizer, translator: translator
    ).run()
  }
}
