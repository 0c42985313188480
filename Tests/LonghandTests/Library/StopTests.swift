import Foundation
import Longhand
import LonghandTesting
import TestSupport
import Testing

@testable import LonghandArchive

/// Work that a person stops, without a recognizer.
@Suite struct StopTests {
  private let folder: URL
  private let library: Library

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("stop-\(UUID())")
    library = try Library(at: folder)
  }

  private func clean() { try? FileManager.default.removeItem(at: folder) }

  private func add(_ state: RecordedSession.State) throws -> String {
    let id = try library.store.add(["one"])
    var session = try library.store.session(matching: id)
    session.state = state
    try library.store.update(session)
    return id
  }

  /// As another process, which has files of its own.
  @Test func workEndsWhenAnotherProcessStopsIt() async throws {
    defer { clean() }
    let id = try add(.transcribing)
    _ = try RecordingWriter(library.recording(of: id), NumberedRecording.manifest())
    let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
    let work = Task { [library] in
      try await library.stoppable(id) {
        let hold = try SystemDisk().open(library.recording(of: id).audio, isNew: false)
        defer { hold.close() }
        continuation.yield()
        try await Task.sleep(for: .seconds(3600))
      }
    }
    for await _ in begun { break }
    #expect(try await Library(at: folder).stop(id))
    #expect(!library.isInUse(id))
    #expect(library.stopRequests.all.isEmpty)
    await #expect(throws: WorkStopped(session: id)) { try await work.value }
    #expect(try await !library.stop(id))
  }

  @Test(.timeLimit(.minutes(30))) func recordingEndsAtFirstStopAndItsTranscriptionAtSecond() async throws {
    defer { clean() }
    let (microphone, clock) = (SimulatedMicrophone(), ManualClock())
    let engine = ScriptedEngine { _ in
      [
        .emit(ScriptedEngine.final("before", 0, 1)), .read,
        .act { try await Task.sleep(for: .seconds(3600)) },
      ]
    }
    let live = try library.record(from: microphone, engine: engine, clock: { clock.now })
    microphone.speak(NumberedRecording.samples(0..<48_000))
    live.flush()
    #expect(
      await eventually { (try? library.store.segments(of: live.id, from: 0, limit: 1))?.isEmpty == false })
    let other = try Library(at: folder)
    #expect(try await other.stop(live.id))
    #expect(other.activity(of: try other.store.session(matching: live.id)).state == .transcribing)
    let finishing = Task { try await live.finished() }
    #expect(try await other.stop(live.id))
    await #expect(throws: WorkStopped(session: live.id)) { try await finishing.value }
    let session = try other.store.session(matching: live.id)
    #expect(session.state == .stopped)
    #expect(session.duration == 3)
    #expect(try other.store.coverageSpans(of: live.id).last?.kind == .pending)
  }

  @Test func stoppedSessionContinuesOnlyIfItIsNamed() async throws {
    defer { clean() }
    let id = try add(.stopped)
    let activity = library.activity(of: try library.store.session(matching: id))
    #expect(activity.state == .stopped)
    #expect(activity.canResume)
    #expect(!activity.needsRecovery)
    #expect(try library.interruptedSessions().isEmpty)
    #expect(try await library.recover().isEmpty)
    // Its recording is not there.
    guard case .incomplete? = try await library.recover(session: id) else {
      Issue.record("it was not continued")
      return
    }
  }

  /// The process that wanted to stop it was killed, and the work begins much later.
  @Test func requestThatNobodyWaitsForIsNotObeyed() async throws {
    defer { clean() }
    let id = try add(.interrupted)
    try library.stopRequests.add(id)
    #expect(library.stopRequests.contains(id))
    let file = library.url.appendingPathComponent("stops/\(id)")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -120)], ofItemAtPath: file.path)
    #expect(!library.stopRequests.contains(id) && library.stopRequests.all.isEmpty)
    #expect(try await library.stoppable(id) { 7 } == 7)
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func stateThatWasReadBeforeTheEndIsReadAgain() throws {
    defer { clean() }
    let id = try add(.transcribing)
    let known = try library.store.session(matching: id)
    var session = known
    session.state = .complete
    try library.store.update(session)
    #expect(library.now(known).activity.state == .complete)
    #expect(library.now(known).session.state == .complete)
    try library.erase(id)
    #expect(library.now(known).activity.state == .erasing)
  }

  @Test func stoppedUploadTakesNoBytesUntilItGoesOn() throws {
    defer { clean() }
    let upload = try library.uploads.begin(name: "a.wav", size: 10)
    #expect(try library.uploads.append(Data("abc".utf8), at: 0, to: upload.id) == 3)
    try library.uploads.setStopped(true, upload)
    #expect(throws: UploadFolder.Problem.stopped) {
      try library.uploads.append(Data("d".utf8), at: 3, to: upload.id)
    }
    try library.uploads.setStopped(false, upload)
    #expect(try library.uploads.append(Data("d".utf8), at: 3, to: upload.id) == 4)
  }

  @Test func watchedFolderOfAServerThatEndedIsForgotten() async throws {
    defer { clean() }
    #expect(try await !library.stopWatching())
    var watched = WatchedFiles(of: library)
    watched.folder = "/nowhere"
    try watched.save(in: library)
    #expect(try await library.stopWatching())
    #expect(WatchedFiles(of: library).folder == nil)
  }

  /// Also those of a library that kept no list of digests, after a file has left the folder.
  @Test func importedFilesOfTheWatchedFolderAreKnownByTheirContent() throws {
    defer { clean() }
    let before =
      #"{"files": {"/in/a.wav": {"size": 1, "modified": 2, "sha256": "ab"}, "#
      + #""/in/b.wav": {"size": 1, "modified": 2, "sha256": "cd", "problem": "It has no audio."}}}"#
    try Data(before.utf8).write(to: library.url.appendingPathComponent("watched.json"))
    var watched = WatchedFiles(of: library)
    watched.add(.init(size: 3, modified: 4, sha256: "ef"), at: "/in/c.wav")
    watched.files = [:]
    try watched.save(in: library)
    let known = WatchedFiles(of: library)
    #expect(known.hasImported("ab"))
    #expect(known.hasImported("ef"))
    // It may be read one day.
    #expect(!known.hasImported("cd"))
  }
}
