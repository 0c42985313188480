import Foundation
import Longhand
import Synchronization
import TestSupport
import Testing

@testable import LonghandServer

@Suite struct LiveHubTests {
  /// A hub over a library of its own, and a library object that writes like another process.
  private final class Fixture {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hub-\(UUID().uuidString)")
    let hub: LiveHub
    let library: Library
    let session: String

    init(pollInterval: TimeInterval) throws {
      library = try Library(at: folder)
      hub = try LiveHub(try Library(at: folder), pollInterval: pollInterval)
      let session = RecordedSession(source: "talk", locale: "en-US", engine: "analyzer", start: .now)
      try library.store.begin(session)
      self.session = session.id
      _ = try hub.join(session.id)
    }

    deinit {
      hub.stop()
      try? FileManager.default.removeItem(at: folder)
    }

    /// Waits until the hub has read the session for the first time.
    func waitForFirstRead() async {
      let isRead = await eventually { [hub, session] in
        hub.wait(for: session) { $0.report == nil ? nil : true }.found != nil
      }
      #expect(isRead)
    }

    func append(_ number: Int) throws {
      try library.store.append(TestServer.segment(number, "word \(number)"), to: session)
    }
  }

  /// The sequence number of the newest segment that followers have, once it is at least `sequence`.
  private func newest(_ fixture: Fixture, atLeast sequence: Int) -> Int? {
    fixture.hub.wait(for: fixture.session) { $0.newest >= sequence ? $0.newest : nil }.found
  }

  @Test func changeOfThisProcessIsReadAtOnce() async throws {
    let fixture = try Fixture(pollInterval: 3600)
    await fixture.waitForFirstRead()
    for number in 0..<5 {
      try fixture.append(number)
      fixture.hub.storeChanged()
      #expect(newest(fixture, atLeast: number + 1) == number + 1)
    }
  }

  @Test func changeOfAnotherProcessIsReadByTheNextPoll() async throws {
    let fixture = try Fixture(pollInterval: 0.05)
    await fixture.waitForFirstRead()
    for number in 0..<5 {
      try fixture.append(number)
      #expect(newest(fixture, atLeast: number + 1) == number + 1)
    }
  }

  @Test func onlySessionsOfOtherProcessesAreLookedAtOften() {
    func interval(_ followed: [String], _ own: Set<String>) -> TimeInterval {
      LiveHub.interval(followed: followed, own: own, pollInterval: 0.25)
    }
    #expect(interval([], []) == 0.25)
    #expect(interval(["a"], ["a", "b"]) == 0.25)
    #expect(interval(["a", "c"], ["a", "b"]) == 0.05)
  }

  @Test func secondTextThatComesLaterIsSent() async throws {
    let fixture = try Fixture(pollInterval: 3600)
    await fixture.waitForFirstRead()
    try fixture.append(0)
    fixture.hub.storeChanged()
    #expect(newest(fixture, atLeast: 1) == 1)
    let segment = try #require(try fixture.library.store.page(of: fixture.session, limit: 1).last)
    try fixture.library.store.setNormalized(
      NormalizedTranscript(text: "Word 0."), of: segment, in: fixture.session)
    fixture.hub.secondTextChanged(of: 0, in: fixture.session)
    let sent = fixture.hub.wait(for: fixture.session) { feed in
      feed.secondTexts.count > 0 ? String(decoding: feed.secondTexts.events(after: 0), as: UTF8.self) : nil
    }.found
    #expect(sent?.hasPrefix("event: written") == true)
    #expect(sent?.contains("\"text\": \"Word 0.\"") == true, "\(sent ?? "")")
    #expect(fixture.hub.wait(for: fixture.session) { $0.secondTexts.events(after: 1) }.found == Data())
  }

  @Test func aClientIsNeverToldAStateFromBeforeIt() async throws {
    // The hub reads nothing by itself.
    let fixture = try Fixture(pollInterval: 3600)
    await fixture.waitForFirstRead()
    try fixture.library.store.rename(fixture.session, to: "Monday")
    let stream = try SessionEventStream(of: fixture.session, after: nil, by: fixture.hub, to: AbsentClient())
    var event = ""
    while !event.contains("event: session") {
      event = String(decoding: try #require(try stream.next()), as: UTF8.self)
    }
    #expect(event.contains("Monday"), "\(event)")
  }

  @Test func eventsThatChangeTheStoreAreKnown() {
    #expect(SessionEvent.committed(TestServer.segment(0, "a")).changesStore)
    #expect(SessionEvent.storeBack.changesStore)
    #expect(!SessionEvent.partial(nil).changesStore)
    #expect(!SessionEvent.recording(.level(-20)).changesStore)
  }

  /// Commits segments at the pace of speech, and prints the delay until followers have them, and the processor time.
  @Test(arguments: [true, false]) func delayFromCommitToEventIsPrinted(_ isOwnProcess: Bool) async throws {
    let fixture = try Fixture(pollInterval: 0.25)
    await fixture.waitForFirstRead()
    let count = isSoak ? 500 : 20
    var delays: [Double] = []
    for number in 0..<count {
      let written = Mutex(ContinuousClock.now)
      let (library, hub, session) = (fixture.library, fixture.hub, fixture.session)
      Thread.detachNewThread {
        try? library.store.append(TestServer.segment(number, "word"), to: session)
        written.withLock { $0 = .now }
        if isOwnProcess { hub.storeChanged() }
      }
      try #require(newest(fixture, atLeast: number + 1) == number + 1)
      delays.append((ContinuousClock.now - written.withLock { $0 }) / .milliseconds(1))
    }
    delays.sort()
    let kind = isOwnProcess ? "own process" : "another process"
    print("commit to event, \(kind): p50 \(delays[count / 2]) ms, p95 \(delays[count * 95 / 100]) ms")
    #expect(delays.count == count)
  }
}
