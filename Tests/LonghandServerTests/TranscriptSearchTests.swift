import Foundation
import Longhand
import Testing

@testable import LonghandServer

/// Searches whose clients give them up.
@Suite struct TranscriptSearchTests {
  private struct Client: HTTPClient {
    var socket: Int32 { -1 }
    var presence: ClientPresence
    func probe() {}
  }

  @Test func searchOfAClientThatHasGoneIsNotMade() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("search-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let library = try Library(at: folder)
    let session = RecordedSession(source: "talk", locale: "en-US", engine: "analyzer", start: .now)
    try library.store.begin(session)
    try library.store.append((0..<30).map { TestServer.segment($0, "word \($0)") }, to: session.id)
    let searches = TranscriptSearch(try Library(at: folder))
    func count(_ presence: ClientPresence) throws -> Int {
      try searches.hits(
        .words("word"), of: SessionFilter(), saidBy: nil, limit: 25, for: Client(presence: presence)
      ).count
    }
    #expect(try count(.open) == 25)
    #expect(try count(.silent) == 25)
    #expect(throws: HTTPError.self) { try count(.gone) }
  }

  @Test func silentClientWaitsOnlyWhileNoOtherClientDoes() {
    #expect(TranscriptSearch.isWanted(.open, waiting: 3))
    #expect(TranscriptSearch.isWanted(.silent, waiting: 0))
    #expect(!TranscriptSearch.isWanted(.silent, waiting: 1))
    #expect(!TranscriptSearch.isWanted(.gone, waiting: 0))
  }
}
