import Foundation
import Longhand
import ScriptedSpeech
import Synchronization
import TestSupport
import Testing

@testable import LonghandServer

@Suite struct EventTests {
  /// Breaks the connection at random moments and continues after the last event: every segment and every revision comes
  /// once and in order.
  @Test func brokenConnectionLosesNoSegment() async throws {
    try await TestServer.run { server in
      let id = try server.begin()
      let count = isSoak ? 2000 : 300
      let writing = Thread {
        for number in 0..<count {
          try? server.library.store.append(TestServer.segment(number, "word \(number)"), to: id)
          if number % 7 == 3 {
            _ = try? server.library.store.revise(
              number / 2, in: id, selection: .init(index: 1, rule: "user"), reason: "chosen")
          }
          if number % 50 == 0 { Thread.sleep(forTimeInterval: 0.02) }
        }
        try? server.complete(id)
      }
      writing.start()
      var generator = SeededGenerator(seed: 5)
      var last = 0
      var seen: [Int] = []
      var cuts = 0
      var isEnded = false
      while !isEnded {
        let isHeader = Bool.random(using: &generator)
        // The header wins: a browser that reconnects sends its first address.
        let events = try server.follow(
          "/api/sessions/\(id)/events?after=\(isHeader ? 0 : last)",
          isHeader ? ["Last-Event-ID": "\(last)"] : [:])
        var left = Int.random(in: 1...40, using: &generator)
        while left > 0, !isEnded {
          guard let event = try events.event() else { break }
          if event.kind == "segment" {
            let sequence = try #require(event.id)
            seen.append(sequence)
            last = sequence
            left -= 1
          }
          isEnded = event.kind == "end"
        }
        cuts += 1
      }
      let all = try server.library.store.changes(of: id, after: 0, limit: .max).map(\.sequence)
      #expect(all.count > count)
      #expect(cuts > 5)
      #expect(seen == all)
      #expect(try server.library.store.status(of: id).sequence == last)
    }
  }

  /// Many clients follow a session that another process writes: each gets every segment, in order.
  @Test func everyFollowerGetsEverySegment() async throws {
    try await TestServer.run { server in
      let (readers, count) = isSoak ? (200, 1000) : (40, 150)
      let id = try server.begin(["before"])
      let seen = Mutex<[[Int]]>([])
      let joined = Mutex(0)
      for _ in 0..<readers {
        Thread.detachNewThread {
          var sequences: [Int] = []
          do {
            let events = try server.follow("/api/sessions/\(id)/events")
            joined.withLock { $0 += 1 }
            while let event = try events.event(), event.kind != "end" {
              if event.kind == "segment", let sequence = event.id { sequences.append(sequence) }
            }
          } catch {}
          seen.withLock { $0.append(sequences) }
        }
      }
      #expect(await eventually { joined.withLock { $0 } == readers })
      let before = residentBytes()
      // With connections of its own, like another process.
      let other = try Library(at: server.folder)
      for number in 1...count {
        try other.store.append(TestServer.segment(number, "word \(number)"), to: id)
      }
      try server.complete(id)
      #expect(await eventually { seen.withLock { $0.count } == readers })
      let all = try other.store.changes(of: id, after: 1, limit: .max).map(\.sequence)
      #expect(all.count == count)
      #expect(seen.withLock { $0.allSatisfy { $0 == all } })
      print("\(readers) readers, \(count) segments: memory grew by \((residentBytes() - before) >> 20) MB")
    }
  }

  @Test func lateFollowerReadsTheStore() async throws {
    try await TestServer.run { server in
      let id = try server.begin()
      // Another client follows all the time, so that the feed drops old segments.
      let first = try server.follow("/api/sessions/\(id)/events")
      for number in 0..<700 { try server.library.store.append(TestServer.segment(number, "a"), to: id) }
      var count = 0
      while count < 700, let event = try first.event() { if event.kind == "segment" { count += 1 } }
      let late = try server.follow("/api/sessions/\(id)/events?after=0")
      var seen: [Int] = []
      while seen.count < 700, let event = try late.event() {
        if event.kind == "segment", let sequence = event.id { seen.append(sequence) }
      }
      #expect(seen == Array(1...700))
    }
  }

  @Test func endOfASessionIsReported() async throws {
    try await TestServer.run { server in
      let complete = try server.begin(["a", "b"], state: .complete)
      for _ in 0..<3 {
        let events = try server.follow("/api/sessions/\(complete)/events?after=1")
        var kinds: [String] = []
        while kinds.last != "end", let event = try events.event() { kinds.append(event.kind) }
        #expect(kinds.first == "segment")
        #expect(kinds.last == "end")
        #expect(kinds.filter { $0 == "segment" }.count == 1)
      }
      let erased = try server.begin(["c"])
      let events = try server.follow("/api/sessions/\(erased)/events")
      try server.library.erase(erased)
      var last: String?
      while let event = try events.event() { last = event.kind }
      #expect(last == "end")
      #expect(try server.ask("/api/sessions/\(erased)/events").status == 404)
      for after in ["x", "-1", "1.5"] {
        #expect(try server.ask("/api/sessions/\(complete)/events?after=\(after)").status == 400)
      }
    }
  }

  @Test func changesOfACompleteSessionByAnotherProcessAreReported() async throws {
    try await TestServer.run { server in
      let id = try server.begin(["a", "b c"], state: .complete)
      let events = try server.follow("/api/sessions/\(id)/events?after=2")
      while let event = try events.event(), event.kind != "end" {}
      // With connections of its own, like another process.
      let other = try Library(at: server.folder)
      try other.store.correct(0..<1, to: "d", of: 1, in: id)
      let segment = try #require(try events.event())
      #expect(segment.kind == "segment")
      #expect(segment.json["text"] as? String == "d c")
      while let event = try events.event() {
        if event.kind == "session", event.json["sequence"] as? Int == segment.id { break }
      }
      try other.store.changeSpeakers(of: id) { try $0.assign(try other.store.segment(0, in: id), to: "Anna") }
      while let event = try events.event() {
        if event.kind == "session", event.json["speakersRevision"] as? Int == 1 { break }
      }
      try other.erase(id)
      var last: String?
      while let event = try events.event() { last = event.kind }
      #expect(last == "end")
    }
  }

  @Test func changesOfASessionAndOfTheListAreReported() async throws {
    try await TestServer.run { server in
      let list = try server.follow("/api/events")
      let first = try #require(try list.event())
      #expect(first.kind == "recording")
      #expect(first.json["state"] as? String == "idle")
      // Only documents of one server are compared.
      let name = try #require(first.json["server"] as? String)
      #expect(try server.ask("/api/recording").json["server"] as? String == name)
      let id = try server.begin(["a"])
      while let event = try list.event(), event.kind != "sessions" {}
      let events = try server.follow("/api/sessions/\(id)/events")
      while let event = try events.event(), event.kind != "session" {}
      try server.library.store.setCoverage([.init(start: 0, end: 7, kind: .pending)], of: id)
      var reported: [String: Any] = [:]
      while (reported["coverage"] as? [String: Any])?["pending"] as? Double != 7,
        let event = try events.event()
      {
        if event.kind == "session" { reported = event.json }
      }
      let recent = reported["recent"] as? [String: Any]
      #expect((recent?["spans"] as? [Any])?.count == 1)
      #expect(recent?["from"] as? Double == 0)
    }
  }

  /// The server stops although clients wait for events.
  @Test func waitingFollowersDoNotKeepTheServerFromStopping() async throws {
    let server = try TestServer()
    let id = try server.begin(["a"])
    let followers = try (0..<10).map { _ in try server.follow("/api/sessions/\(id)/events") }
    await server.end()
    for follower in followers { while (try? follower.event()) != nil {} }
  }

  private func residentBytes() -> Int {
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
    return (pages?[1]).flatMap { Int($0) }.map { $0 * 4096 } ?? 0
  }
}
