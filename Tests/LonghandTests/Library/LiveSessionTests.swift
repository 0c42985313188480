import Foundation
import Longhand
import LonghandTesting
import Testing

@testable import LonghandArchive

@Suite struct LiveSessionTests {
  private struct Broken: Error {}

  private let library: Library
  private let microphone = SimulatedMicrophone()
  private let clock = ManualClock()
  private let disk = FaultyDisk()

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("live-\(UUID())")
    library = try Library(at: folder)
  }

  private func clean() { try? FileManager.default.removeItem(at: library.url) }

  private func record(
    limit: TimeInterval? = nil, _ script: @escaping @Sendable (TimeInterval) -> [ScriptedEngine.Step]
  ) throws -> LiveSession {
    let clock = clock
    return try library.record(
      from: microphone, engine: ScriptedEngine(script), limit: limit, disk: disk, clock: { clock.now })
  }

  private func speak(_ places: Range<Int>) { microphone.speak(NumberedRecording.samples(places)) }

  private func texts(_ id: String) throws -> [String] {
    try library.store.page(of: id, limit: 99).map(\.text)
  }

  @Test(.timeLimit(.minutes(10))) func audioBeforeStopIsTranscribed() async throws {
    defer { clean() }
    let live = try record { _ in
      [
        .emit(ScriptedEngine.final("before", 0, 1)), .read, .emit(ScriptedEngine.final("after", 1, 2)),
        .emit(.processed(3)),
      ]
    }
    speak(0..<48_000)
    try live.stop()
    try live.stop()
    let recorded = try await live.finished()
    #expect(recorded.state == .complete)
    #expect(recorded.duration == 3)
    #expect(live.duration == 3)
    #expect(try library.store.session(matching: live.id) == recorded)
    #expect(try texts(live.id) == ["before", "after"])
    #expect(try library.store.coverageSpans(of: live.id).tile(3))
    #expect(try NumberedRecording.problem(library.recording(of: live.id), leastFrames: 48_000) == nil)
    let events = await live.events.reduce(into: []) { $0.append($1) }
    #expect(events.contains(.recording(.durable(48_000))))
    #expect(events.contains { if case .committed = $0 { true } else { false } })
  }

  @Test(.timeLimit(.minutes(10))) func endOfSourceEndsTheSession() async throws {
    defer { clean() }
    let live = try record { _ in [.read, .emit(ScriptedEngine.final("all", 0, 2))] }
    speak(0..<32_000)
    microphone.end()
    let recorded = try await live.finished()
    #expect(recorded.state == .complete)
    #expect(recorded.duration == 2)
    #expect(try texts(live.id) == ["all"])
  }

  @Test(.timeLimit(.minutes(10))) func limitEndsTheSession() async throws {
    defer { clean() }
    let live = try record(limit: 1.5) { _ in [.read] }
    speak(0..<32_000)
    #expect(try await live.finished().duration == 1.5)
  }

  @Test(.timeLimit(.minutes(10))) func engineFailureDoesNotStopTheRecording() async throws {
    defer { clean() }
    let live = try record { _ in [.emit(ScriptedEngine.final("one", 0, 1)), .act { throw Broken() }] }
    speak(0..<16_000)
    var failures = 0
    var last: Int64 = 0
    for await event in live.events {
      if case .transcriptionFailed = event {
        failures += 1
        speak(16_000..<48_000)
      }
      guard case .recording(.durable(let frames)) = event else { continue }
      last = frames
      if frames == 48_000 { try live.stop() }
    }
    #expect(failures == 1)
    #expect(last == 48_000)
    await #expect(throws: Broken.self) { try await live.finished() }
    #expect(try NumberedRecording.problem(library.recording(of: live.id), leastFrames: 48_000) == nil)
    // The reported segments stay, and the rest can be recovered.
    #expect(try texts(live.id) == ["one"])
    #expect(try library.store.session(matching: live.id).state == .failed)
  }

  @Test(.timeLimit(.minutes(10))) func diskErrorAtTheEndThrowsAndCanBeRecovered() async throws {
    defer { clean() }
    let script = { @Sendable (_: TimeInterval) -> [ScriptedEngine.Step] in
      [.emit(ScriptedEngine.final("one", 0, 1)), .read]
    }
    var live: LiveSession? = try record(script)
    let id = try #require(live?.id)
    speak(0..<16_000)
    for await event in try #require(live).events where event == .recording(.durable(16_000)) { break }
    disk.fault = .full(afterBytes: 0)
    speak(16_000..<32_000)
    #expect(throws: RecordingError.self) { try live?.stop() }
    await #expect(throws: LiveSession.Unfinished.self) { try await live?.finished() }
    let interrupted = try library.store.session(matching: id)
    #expect(interrupted.state == .interrupted)
    #expect(try texts(id) == ["one"])
    // The second that was in memory.
    let lost = CoverageSpan(start: 1, end: 2, kind: .gap, reason: "disk")
    #expect(try library.coverageSpans(of: interrupted).last == lost)
    // The recording is not locked any more.
    live = nil
    disk.fault = .none
    let folder = library.recording(of: id)
    var manifest: RecordingManifest?
    for _ in 0..<6000 where manifest == nil {
      manifest = try? RecordingRecovery().recover(folder).manifest
      if manifest == nil { try await Task.sleep(for: .milliseconds(10)) }
    }
    #expect(try #require(manifest).frames ?? 0 >= 16_000)
    #expect(try NumberedRecording.problem(folder, leastFrames: 16_000) == nil)
    // The same as `recover` does, with this engine.
    let session = try library.store.session(matching: id)
    let audio = RecordingAudio(folder, try #require(manifest))
    try await SessionTranscription(
      store: library.store, session: session, engine: ScriptedEngine(script), audio: audio, gaps: { [] },
      report: { _ in }
    ).run()
    let recovered = try library.complete(session, #require(manifest))
    #expect(recovered.state == .complete)
    #expect(recovered.duration == 2)
    #expect(try library.coverageSpans(of: recovered).last == lost)
    #expect(try texts(id) == ["one"])
  }
}
