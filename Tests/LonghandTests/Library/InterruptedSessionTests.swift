import FileSupport
import Foundation
import Longhand
import Testing

@testable import LonghandArchive

/// Sessions that were left by killed processes, without a recognizer.
@Suite struct InterruptedSessionTests {
  private let folder: URL
  private let library: Library

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("library-\(UUID())")
    library = try Library(at: folder)
  }

  private func clean() { try? FileManager.default.removeItem(at: folder) }

  /// An import of 100 seconds that is being copied.
  private func importing(_ session: RecordedSession, copied seconds: Int) throws -> RecordingWriter {
    var manifest = NumberedRecording.manifest()
    let source = folder.appendingPathComponent("source.wav")
    try Data([1, 2, 3]).write(to: source)
    (manifest.state, manifest.origin) = (.importing, ImportedFile(source, duration: 100))
    let writer = try RecordingWriter(library.recording(of: session.id), manifest)
    writer.append(NumberedRecording.samples(0..<seconds * 16_000))
    try writer.flush()
    var session = session
    session.state = .importing
    try library.store.begin(session)
    return writer
  }

  private func session(_ id: String) throws -> RecordedSession { try library.store.session(matching: id) }

  @Test func importIsAliveUntilItsFileIsClosed() throws {
    defer { clean() }
    let id = StoreFixture.session().id
    var writer: RecordingWriter? = try importing(StoreFixture.session(id), copied: 40)
    let alive = library.activity(of: try session(id))
    #expect(writer != nil)
    #expect(alive == SessionActivity(state: .importing, percent: 40, isAlive: true))
    #expect(!alive.needsRecovery)
    #expect(try library.interruptedSessions().isEmpty)
    #expect(throws: RecordingError.self) { try library.erase(id) }
    writer = nil
    let dead = library.activity(of: try session(id))
    #expect(dead.state == .interrupted)
    #expect(dead.needsRecovery)
    #expect(try library.interruptedSessions().map(\.id) == [id])
  }

  @Test func importThatCannotBeCopiedAgainIsIncomplete() async throws {
    defer { clean() }
    let id = StoreFixture.session().id
    _ = try importing(StoreFixture.session(id), copied: 0)
    try Data([1, 2, 3, 4]).write(to: folder.appendingPathComponent("source.wav"))
    let outcome = try await library.recover()
    guard case .incomplete(let recovered, let why)? = outcome.first else {
      Issue.record("\(outcome)")
      return
    }
    #expect(why.contains("100.0 s"))
    #expect(why.contains("has changed"))
    #expect(recovered.state == .incomplete)
    #expect(recovered.duration == 100)
    let missing = CoverageSpan(start: 0, end: 100, kind: .gap, reason: "source")
    #expect(try library.coverageSpans(of: recovered) == [missing])
    #expect(try library.store.coverageSpans(of: id) == [missing])
    let second = try await library.recover()
    #expect(second.isEmpty)
  }

  @Test func sessionWithoutFolderIsIncomplete() async throws {
    defer { clean() }
    let id = try library.store.add(["one"])
    let outcome = try await library.recover()
    guard case .incomplete(let recovered, _)? = outcome.first else {
      Issue.record("\(outcome)")
      return
    }
    #expect(recovered.id == id)
    #expect(try session(id).state == .incomplete)
    #expect(try library.store.transcript(of: id).segments.count == 1)
    let second = try await library.recover()
    #expect(second.isEmpty)
  }

  @Test func emptyFolderOfAKilledProcessIsRemoved() async throws {
    defer { clean() }
    let empty = library.recording(of: UUID().uuidString.lowercased())
    try FileManager.default.createDirectory(at: empty.url, withIntermediateDirectories: true)
    try Data().write(to: folder.appendingPathComponent(".\(UUID().uuidString)"))
    // While a process creates a folder, it is not touched.
    do {
      let lock = try FolderLock(library.recordings, .shared)
      #expect(try await library.recover().isEmpty)
      #expect(FileManager.default.fileExists(atPath: empty.url.path))
      withExtendedLifetime(lock) {}
    }
    #expect(try await library.recover().isEmpty)
    #expect(!FileManager.default.fileExists(atPath: empty.url.path))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.contains { $0.hasPrefix(".") })
  }

  @Test func erasureThatWasKilledIsFinished() async throws {
    defer { clean() }
    let id = try library.store.add(["zqpwjxvkmgbd"])
    _ = try RecordingWriter(library.recording(of: id), NumberedRecording.manifest())
    let kept = try library.store.add(["ordinary"])
    var complete = try session(kept)
    complete.state = .complete
    try library.store.update(complete)
    // As far as a killed process came.
    try library.store.removeContent(of: id)
    #expect(try library.interruptedSessions().map(\.id) == [id])
    let outcome = try await library.recover()
    guard case .erased(id)? = outcome.first else {
      Issue.record("\(outcome)")
      return
    }
    #expect(!FileManager.default.fileExists(atPath: library.recording(of: id).url.path))
    #expect(try library.store.sessions().map(\.id) == [kept])
    #expect(try !library.store.holds("zqpwjxvkmgbd"))
  }

  /// As on a full disk: the text is erased in the room of the audio.
  @Test func sessionIsErasedAlsoIfTheStoreIsNotWritableBefore() throws {
    defer { clean() }
    let id = try library.store.add(["one"])
    _ = try RecordingWriter(library.recording(of: id), NumberedRecording.manifest())
    let store = try TranscriptStore(at: folder, pragmas: ["PRAGMA query_only = ON"])
    try Library(at: folder, store: store).erase(id)
    #expect(!FileManager.default.fileExists(atPath: library.recording(of: id).url.path))
    #expect(try library.store.sessions().isEmpty)
  }

  @Test func audioIsErasedAlsoIfTheStoreCannotBeChanged() throws {
    defer { clean() }
    let id = try library.store.add(["one"])
    _ = try RecordingWriter(library.recording(of: id), NumberedRecording.manifest())
    // Also for a store that is opened anew.
    try library.store.write {
      try $0.execute(
        "CREATE TRIGGER refusal BEFORE UPDATE ON session BEGIN SELECT RAISE(FAIL, 'refused'); END")
    }
    #expect(throws: StoreError.self) { try library.erase(id) }
    #expect(!FileManager.default.fileExists(atPath: library.recording(of: id).url.path))
    try library.store.write { try $0.execute("DROP TRIGGER refusal") }
    try library.erase(id)
    #expect(try library.store.sessions().isEmpty)
  }

  @Test(arguments: [
    "UPDATE session SET duration = 9e999 WHERE number = 1",
    "UPDATE session SET start = -9e999 WHERE number = 1",
    "UPDATE session SET state = 'x' WHERE number = 1",
  ])
  func damagedRowDoesNotHideSessions(_ change: String) throws {
    defer { clean() }
    let ids = try [library.store.add(["one"]), library.store.add(["two"])]
    try library.store.write { try $0.execute(text: change) }
    let sessions = try library.store.sessions()
    #expect(Set(sessions.map(\.id)) == Set(ids))
    #expect(sessions.first { $0.id == ids[0] }?.state == .interrupted)
    #expect(sessions.first { $0.id == ids[0] }?.duration == 0)
  }
}
