#if os(Linux)
  import Foundation
  import Longhand
  import ScriptedSpeech
  import TestSupport
  import Testing

  /// A person's names, merges and assignments, killed at random moments: a command is stored as a whole or not at all, and a
  /// new decoding takes nothing of it away.
  ///
  /// 200 rounds in `make soak`; the moments come from a fixed seed.
  @Suite(.tagged(.childProcess)) struct SpeakersKillTests {
    private static let rounds = isSoak ? 200 : 2
    private static let change = [
      "speakers", "last", "--rename", "Ben=Carl", "--assign", "2=Dora", "--merge", "Anna,Dora",
    ]
    private static let retranscription = ["retranscribe", "last", "--engine", "rolling"]

    private let library: KillableLibrary

    init() throws { library = try KillableLibrary(pause: 5) }

    /// What is stored of the speakers, and who says each word.
    private func said() throws -> (stored: SessionSpeakers, words: [String?]) {
      let store = try library.open().store
      let session = try store.session(matching: "last").id
      return (
        try store.speakers(of: session),
        try store.transcript(of: session).segments.flatMap(\.words).map(\.speaker)
      )
    }

    private func restore() throws {
      try? FileManager.default.removeItem(atPath: library.folder.path("library"))
      try FileManager.default.copyItem(
        atPath: library.folder.path("before"), toPath: library.folder.path("library"))
    }

    /// Milliseconds that a command takes.
    private func time(_ arguments: [String]) async throws -> Int {
      let start = ContinuousClock.now
      #expect(try await library.start(arguments).result().status == 0)
      return Int((ContinuousClock.now - start) / .milliseconds(1))
    }

    @Test(.timeLimit(.minutes(120))) func speakerChangesAreCompleteAndKept() async throws {
      #expect(try await library.run("import", library.talk).status == 0)
      let plain = try await library.run("export", "last", "--format", "tsv").output
      #expect(!plain.isEmpty)
      let first = try await library.run("speakers", "last", "--assign", "0=Anna", "--assign", "1=Ben")
      #expect(first.status == 0)
      let before = try said()
      try FileManager.default.moveItem(
        atPath: library.folder.path("library"), toPath: library.folder.path("before"))
      try restore()
      let changing = try await time(Self.change)
      let after = try said()
      #expect(Set(after.words) == ["person1", "person2"])
      let decoding = try await time(Self.retranscription)
      #expect(try said() == after)
      var random = SeededGenerator(seed: 5)
      var changes = 0
      for round in 0..<Self.rounds {
        try restore()
        try await library.kill(Self.change, after: Int.random(in: 0...changing, using: &random))
        let standing = try said()
        #expect(standing == before || standing == after, "round \(round)")
        changes += standing == after ? 1 : 0
        #expect(try await library.run("export", "last", "--format", "tsv").output == plain, "round \(round)")
        try await library.kill(Self.retranscription, after: Int.random(in: 0...decoding, using: &random))
        #expect(try await library.run("recover").status == 0, "round \(round)")
        #expect(try said() == standing, "round \(round)")
        let opened = try library.open()
        let session = try opened.store.session(matching: "last")
        #expect(try library.complaints(about: session, in: opened) == [], "round \(round)")
      }
      if isSoak { print("\(changes) of \(Self.rounds) changes were stored") }
      #expect(changes < Self.rounds || !isSoak, "no change was interrupted")
    }
  }
#endif
