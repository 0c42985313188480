import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LonghandArchive
@testable import LonghandTranscripts

@Suite struct StoreErasureTests {
  /// Words of which none begins like another, so that the index, which leaves out what a word shares with the one
  /// before it, holds them whole.
  private static let rare = ["qxjvkwzpgmbh", "zqpwjxvkmgbd", "jzxqvwkpmghb", "vqzjxkwpgmhd"]

  private func fill(_ store: TranscriptStore) throws -> (erased: String, kept: String) {
    let kept = try store.add((0..<200).map { "ordinary words number \($0)" })
    var session = StoreFixture.session()
    session.source = "wkqzjxvpmgbh"
    session.folder = "/kqzjwxvpmgbd"
    try store.begin(session)
    try store.append(
      (0..<200).map { id in
        let long = String(repeating: "filler ", count: id * 10)
        return StoreFixture.segment(id, "so \(Self.rare[0]) it", alternatives: ["or \(Self.rare[1])", long])
      }, to: session.id)
    try store.revise(
      3, in: session.id, candidates: [StoreFixture.segment(3, Self.rare[2]).chosen],
      selection: .recognizer, reason: "pxqzjwkvmgbh")
    try store.setCoverage([CoverageSpan(start: 0, end: 1, kind: .gap, reason: Self.rare[3])], of: session.id)
    try store.changeSpeakers(of: session.id) { speakers in
      try speakers.assign(StoreFixture.segment(0, "so"), to: "gqxzjvkwpmbh")
      speakers.echoes = [EchoWord(channel: 0, start: 0, end: 1, word: "wjqkzvxpmgbh")]
    }
    return (session.id, kept)
  }

  private static let all =
    rare + ["wkqzjxvpmgbh", "kqzjwxvpmgbd", "pxqzjwkvmgbh", "gqxzjvkwpmbh", "wjqkzvxpmgbh"]

  @Test func erasedTextIsInNoFile() throws {
    try StoreFixture.temporary { store in
      let (erased, kept) = try fill(store)
      let before = try store.transcript(of: kept)
      for word in Self.all { #expect(try store.holds(word)) }
      try store.erase(erased)
      for word in Self.all { #expect(try !store.holds(word)) }
      expect(.noSession(erased)) { _ = try store.transcript(of: erased) }
      expect(.noSession(erased)) { try store.erase(erased) }
      let after = try store.transcript(of: kept)
      #expect(after == before)
      #expect(try store.search("ordinary", limit: 500).count == 200)
    }
  }

  /// What each of the two means is for: without it the search for bytes does find something.
  @Test func removalAloneLeavesBytes() throws {
    try StoreFixture.temporary(pragmas: ["PRAGMA secure_delete = OFF"]) { store in
      let (erased, _) = try fill(store)
      try store.removeContent(of: erased)
      try store.write { try $0.emptyLog() }
      #expect(try store.holds(Self.rare[1]))
      try store.forget()
      for word in Self.all { #expect(try !store.holds(word)) }
    }
    try StoreFixture.temporary { store in
      let (erased, _) = try fill(store)
      try store.removeContent(of: erased)
      try store.write { try $0.run("VACUUM") }
      try store.write { try $0.emptyLog() }
      // The index, which was not merged, still knows the word of the text.
      #expect(try store.holds(Self.rare[0]))
      #expect(try !store.holds(Self.rare[1]))
    }
  }

  /// The disk was full, and the session is left for the next erasure.
  @Test(
    arguments: [
      ("the secret word", "secret"), ("The secret, word!", "Secret"), ("秘密の言葉", "言葉"),
      ("الكلمة السرية هنا", "السرية"), ("тайное слово здесь", "слово"),
    ])
  func sessionThatIsBeingErasedIsNotSearched(text: String, query: String) throws {
    try StoreFixture.temporary { store in
      let erased = try store.add([text, "take the pawn"])
      try store.correct(1..<2, to: "that", of: 1, in: erased)
      try store.setCoverage([CoverageSpan(start: 0, end: 9, kind: .gap)], of: erased)
      let kept = try store.add([text], StoreFixture.session(start: 1))
      try store.write { try $0.run("UPDATE session SET state = 'erasing' WHERE id = ?", .text(erased)) }
      #expect(try store.search(query).map(\.session) == [kept])
      #expect(
        try store.search(query, of: SessionFilter(since: .distantPast)).map(\.session) == [kept])
      let newest = try store.read { database in
        try IndexSearch(database: database, query: "\"the\" OR \"secret\"", limit: 9).newestFirst()
      }
      #expect(newest.allSatisfy { $0.session == kept })
      #expect(try store.correctedWords() == [])
      #expect(try store.unheardSeconds(in: SessionFilter()) == 0)
    }
  }

  /// The words of a vocabulary in its second texts are not found either.
  @Test func secondTextOfASessionThatIsBeingErasedIsNotSearched() throws {
    try StoreFixture.temporary { store in
      let erased = try store.add(["the win a were"])
      try store.write { database in
        try database.run(
          """
          INSERT INTO normalization (revision, text, spans)
            SELECT number, 'the Winawer', '[]' FROM revision
          """)
      }
      #expect(try store.search("Winawer").map(\.session) == [erased])
      try store.write { try $0.run("UPDATE session SET state = 'erasing' WHERE id = ?", .text(erased)) }
      #expect(try store.search("Winawer") == [])
    }
  }

  private static func word(_ random: inout SeededGenerator) -> String {
    String((0..<12).compactMap { _ in "abcdefghijklmnopqrstuvwxyz".randomElement(using: &random) })
  }

  @Test(arguments: 0..<(isSoak ? 8 : 1) as Range<UInt64>)
  func erasureInAnyOrderLeavesNothing(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    try StoreFixture.temporary { store in
      var words: [String: [String]] = [:]
      for _ in 0..<12 {
        words[try store.add([])] = []
        for (id, said) in words {
          let new = (0..<Int.random(in: 0..<20, using: &random)).map { _ in Self.word(&random) }
          let segments = new.enumerated().map { index, word in
            let long = String(repeating: "[] ", count: Int.random(in: 0..<900, using: &random))
            return StoreFixture.segment(said.count + index, "the \(word)", alternatives: [long])
          }
          try store.append(segments, to: id)
          words[id] = said + new
        }
        guard words.count > 4, let id = words.keys.sorted().randomElement(using: &random) else { continue }
        try store.erase(id)
        // The end of a word is enough: the index may have left out its beginning.
        let left = try words.removeValue(forKey: id)?.filter { try store.holds(String($0.suffix(8))) }
        #expect(left == [])
        let kept = try words.values.joined().allSatisfy { try store.search($0).count == 1 }
        #expect(kept)
      }
    }
  }

  @Test func blockedErasureCanBeRunAgain() throws {
    try StoreFixture.temporary(pragmas: ["PRAGMA busy_timeout = 50"]) { store in
      let (erased, kept) = try fill(store)
      let reader = try StoreDatabase.open(store.file, role: .reader)
      try reader.run("BEGIN")
      _ = try reader.row("SELECT count(*) FROM revision") { $0.integer(0) }
      expect(.erasureIncomplete("it is being read")) { try store.erase(erased) }
      #expect(try store.holds(Self.rare[0]))
      let session = try store.session(matching: erased)
      #expect(session.state == .erasing)
      #expect(session.source.isEmpty)
      #expect(session.folder == nil)
      #expect(try store.search(Self.rare[0]).isEmpty)
      expect(.noSession(erased)) { try store.append(StoreFixture.segment(0, "x"), to: erased) }
      expect(.noSession(erased)) { try store.update(session) }
      try reader.run("ROLLBACK")
      try store.erase(erased)
      for word in Self.all { #expect(try !store.holds(word)) }
      #expect(try store.sessions().map(\.id) == [kept])
    }
  }

  /// Damage to the index, in its contents and in its pages.
  @Test(arguments: [false, true]) func damagedIndexDoesNotKeepText(isPage: Bool) throws {
    try Folder.temporary { folder in
      var store: TranscriptStore? = try TranscriptStore(at: folder)
      let (erased, kept) = try fill(#require(store))
      if isPage {
        let page = try #require(store).write { database -> Int? in
          try database.emptyLog()
          return try database.row("SELECT rootpage FROM sqlite_schema WHERE name = 'word_index_data'") {
            $0.integer(0)
          }
        }
        let file = try FileHandle(forUpdating: #require(store).file)
        store = nil
        try file.seek(toOffset: UInt64(try #require(page) - 1) * 4096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        try file.close()
      } else {
        try store?.write { try $0.execute("UPDATE word_index_data SET block = x'0102030405' WHERE id > 10") }
      }
      let damaged = try TranscriptStore(at: folder)
      try damaged.erase(erased)
      for word in Self.all { #expect(try !damaged.holds(word)) }
      #expect(try damaged.sessions().map(\.id) == [kept])
      #expect(try damaged.search("ordinary", limit: 500).count == 200)
      #expect(
        try store?.search("ordinary", limit: 500).count ?? 200 == 200,
        "an open connection reads the new index")
    }
  }

  #if os(Linux)
    /// An erasure rewrites the store. The copy that it makes is longer than the memory that SQLite uses for it.
    @Test(.timeLimit(.minutes(5))) func copyOfTheStoreStaysInItsFolder() async throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("erasure-\(UUID())")
      defer { try? FileManager.default.removeItem(at: folder) }
      let store = try TranscriptStore(at: folder, pragmas: ["PRAGMA cache_size = 20"])
      let long = String(repeating: "ordinary words ", count: 100)
      _ = try store.add((0..<4000).map { "\($0) \(long)" })
      let erased = try store.add(["one"])
      let watch = DescriptorWatch()
      // A thread of its own: the others of this process may all be busy.
      Thread.detachNewThread { watch.run() }
      try store.erase(erased)
      let copies = await watch.end()
      // Other tests erase in their own folders.
      #expect(copies.contains { $0.hasPrefix(folder.path) })
      let temporary = FileManager.default.temporaryDirectory.standardizedFileURL.path
      #expect(!copies.contains { URL(fileURLWithPath: $0).deletingLastPathComponent().path == temporary })
    }

    /// The temporary files of SQLite that this process has open, as often as they can be looked at.
    private final class DescriptorWatch: Sendable {
      private let isEnding = Mutex(false)
      private let result = FirstAnswer<Set<String>>()

      func run() {
        var copies: Set<String> = []
        while !isEnding.withLock({ $0 }) {
          for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
            let path =
              (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")) ?? ""
            if path.contains("etilqs_") { copies.insert(path) }
          }
        }
        result.give(copies)
      }

      func end() async -> Set<String> {
        isEnding.withLock { $0 = true }
        return await result.value
      }
    }
  #endif
}
