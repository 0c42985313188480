import Foundation
import Testing

@testable import LonghandArchive
@testable import LonghandTranscripts
@testable import LonghandServer

@Suite struct SessionListFeedTests {
  private func row(_ name: String, percent: Int? = nil, position: Int? = nil) -> SessionListFeed.Row {
    var session = RecordedSession(
      id: UUID(uuidString: "00000000-0000-0000-0000-00000000000\(name)") ?? UUID(), source: "talk.wav",
      locale: "en-US", engine: "analyzer", start: Date(timeIntervalSinceReferenceDate: 0))
    session.name = "session \(name)"
    return SessionListFeed.Row(
      session: session,
      activity: percent.map { SessionActivity(state: .transcribing, percent: $0, isAlive: true) },
      position: position)
  }

  private func text(_ event: Data?) -> String? { event.map { String(decoding: $0, as: UTF8.self) } }

  @Test func onlyChangedSessionsAreNamed() {
    var feed = SessionListFeed()
    feed.note([], [row("1"), row("2"), row("3")])
    #expect(text(feed.event(after: 0)) == "event: sessions\ndata: {}\n\n")
    let second = [row("1"), row("2", percent: 1), row("3")]
    feed.note([row("1"), row("2"), row("3")], second)
    feed.note(second, [row("1"), row("2", percent: 1), row("3", position: 0)])
    let data = { (ids: [String]) in
      "event: sessions\ndata: {\"changed\": [\(ids.map { "\"\(row($0).session.id)\"" }.joined(separator: ", "))]}\n\n"
    }
    #expect(text(feed.event(after: 2)) == data(["3"]))
    // A client that missed the change before gets both.
    #expect(text(feed.event(after: 1)) == data(["2", "3"]))
    #expect(feed.event(after: 3) == nil)
  }

  @Test func otherListIsLoadedAsAWhole() {
    var feed = SessionListFeed()
    feed.note([row("1")], [row("1", percent: 1)])
    feed.note([row("1", percent: 1)], [row("2"), row("1", percent: 1)])
    feed.note([row("2"), row("1", percent: 1)], [row("2"), row("1", percent: 2)])
    #expect(text(feed.event(after: 1))?.contains("data: {}") == true)
    #expect(text(feed.event(after: 2))?.contains("changed") == true)
    var renamed = row("2")
    renamed.session.name = "another"
    feed.note([row("2")], [renamed])
    #expect(text(feed.event(after: 3))?.contains("data: {}") == true)
  }
}
