import Foundation
import Longhand
import TestSupport
import Testing

extension StoredSessionTests {
  /// Voices that are remembered beyond a session.
  @Suite struct RememberedVoiceTests {
    private let folder: TemporaryFolder
    private var environment: [String: String] {
      ["LONGHAND_LIBRARY": folder.path("library"), "XDG_DATA_HOME": folder.path("data")]
    }
    private var file: String { folder.path("data/longhand-speakers/voices.json") }
    private var hasFile: Bool { FileManager.default.fileExists(atPath: file) }

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String...) async throws -> LonghandProcess.Result {
      try await LonghandProcess(arguments, environment: environment, in: folder.url).result()
    }

    private func words() async throws -> String { try await run("export", "last", "--format", "ctm").output }

    private func names() async throws -> [String] {
      struct List: Decodable {
        struct Speaker: Decodable { var name: String }
        var speakers: [Speaker]
      }
      let output = try await run("speakers", "last", "--json").output
      return try JSONDecoder().decode(List.self, from: Data(output.utf8)).speakers.map(\.name)
    }

    private func libraryHas(_ name: String) throws -> Bool {
      let library = folder.url.appendingPathComponent("library")
      let files = FileManager.default.enumerator(at: library, includingPropertiesForKeys: nil)
      let all = (files?.allObjects as? [URL] ?? []).compactMap { try? Data(contentsOf: $0) }
      return all.contains { $0.range(of: Data(name.utf8)) != nil }
    }

    @Test func rememberedVoiceIsRecognizedInAnotherSessionUntilItIsForgotten() async throws {
      let (own, other) = try Recordings.reader()
      let pause = [Int16](repeating: 0, count: 8000)
      try WaveFile.write([own + pause + own + pause + own], to: folder.path("anna.wav"))
      try WaveFile.write([other + pause + own], to: folder.path("talk.wav"))
      try #require(await run("import", "anna.wav", "--speakers", "1").status == 0)
      // Not requested yet: nothing is kept.
      #expect(!hasFile)
      #expect(try await names() == ["Speaker 1"])
      let unnamed = try await run("speakers", "last", "--remember", "Speaker 1")
      #expect(unnamed.status == 1)
      #expect(unnamed.errors.contains("--rename"))
      #expect(!hasFile)
      let remembered = try await run("speakers", "last", "--rename", "Speaker 1=Anna", "--remember", "Anna")
      #expect(remembered.status == 0, "\(remembered.errors)")
      #expect(try await run("speakers", "remembered").output.hasPrefix("Anna  "))
      let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      #expect(!(try libraryHas("squares")))
      try #require(await run("delete", "last", "--yes").status == 0)
      #expect(hasFile)

      // In another session, one of two voices; and only if voices are separated.
      try #require(await run("import", "talk.wav").status == 0)
      let text = try await words()
      #expect(try await names().isEmpty)
      try #require(await run("retranscribe", "last", "--speakers", "2").status == 0)
      #expect(try await names() == ["Speaker 1", "Anna"])
      #expect(try await words() == text)
      #expect(try await run("speakers", "last").output.contains("Anna  (voice, recognized"))
      let document = try await run("export", "last", "--json").output
      #expect(document.contains(/"nameBasis": *"voice"/))

      // No voice is recognized any more.
      let kept = try Data(contentsOf: URL(fileURLWithPath: file))
      let unknown = try await run("speakers", "forget", "Zoe")
      #expect(unknown.status == 1)
      #expect(unknown.errors.contains("The remembered voices are: Anna"))
      #expect(try await run("speakers", "forget").output == "Forgot the voice of Anna.\n")
      #expect(!hasFile)
      try #require(await run("speakers", "last", "--speakers", "2").status == 0)
      #expect(try await names() == ["Speaker 1", "Speaker 2"])

      // A person's name wins, and stays.
      try kept.write(to: URL(fileURLWithPath: file))
      try #require(await run("speakers", "last", "--speakers", "2").status == 0)
      #expect(try await names() == ["Speaker 1", "Anna"])
      try #require(await run("speakers", "last", "--rename", "Anna=Zoe").status == 0)
      try #require(await run("speakers", "last", "--speakers", "2").status == 0)
      #expect(try await names() == ["Speaker 1", "Zoe"])

      // A damaged file is a warning, and nothing is lost.
      try kept.prefix(kept.count / 2).write(to: URL(fileURLWithPath: file))
      #expect(try await run("speakers", "last", "--speakers", "2").status == 0)
      #expect(try await run("export", "last", "--json").output.contains("remembered-voices-unreadable"))
      #expect(try await names() == ["Speaker 1", "Zoe"])
      #expect(try await words() == text)
      #expect(try await run("speakers", "remembered").status == 1)
      #expect(try await run("speakers", "forget").status == 0)
      #expect(!hasFile)
    }

    @Test(.tagged(.soak), .enabled(if: VoiceNetworks.areInstalled))
    func voiceThatWasRememberedWithoutTheNetworksMustBeRememberedAgain() async throws {
      let networks = environment.merging(try VoiceNetworks.variables(in: folder)) { $1 }
      func withNetworks(_ arguments: String...) async throws -> LonghandProcess.Result {
        try await LonghandProcess(arguments, environment: networks, in: folder.url).result()
      }
      let (own, _) = try Recordings.reader()
      try WaveFile.write([own + own + own], to: folder.path("anna.wav"))
      try #require(await run("import", "anna.wav", "--speakers", "1").status == 0)
      let remembered = try await run("speakers", "last", "--rename", "Speaker 1=Anna", "--remember", "Anna")
      try #require(remembered.status == 0, "\(remembered.errors)")
      #expect(!(try await run("speakers", "remembered").output.contains("again")))
      #expect(try await withNetworks("speakers", "remembered").output.contains("remember it again"))
      #expect(try await withNetworks("speakers", "remembered", "--json").output.contains(/"known": *false/))

      try #require(await run("delete", "last", "--yes").status == 0)
      try #require(await withNetworks("import", "anna.wav", "--speakers", "1").status == 0)
      #expect(try await names() == ["Speaker 1"])
      #expect(try await run("export", "last", "--json").output.contains("voices-remembered-otherwise"))
      let without = try await run("speakers", "last", "--speakers", "1")
      #expect(without.errors.contains("'speakers' is missing"))
      #expect(!without.errors.contains("Not recognized"))
      #expect(try await names() == ["Anna"])

      // Both prints are known from now on.
      let again = try await withNetworks("speakers", "last", "--rename", "Anna=Anna", "--remember", "Anna")
      #expect(again.status == 0, "\(again.errors)")
      #expect(!(try await withNetworks("speakers", "remembered").output.contains("again")))
      #expect(!(try await run("speakers", "remembered").output.contains("again")))
      try #require(await run("delete", "last", "--yes").status == 0)
      try #require(await withNetworks("import", "anna.wav", "--speakers", "1").status == 0)
      #expect(try await names() == ["Anna"])
      #expect(!(try await run("export", "last", "--json").output.contains("voices-remembered-otherwise")))
      #expect(try await run("speakers", "forget", "Anna").status == 0)
      #expect(!hasFile)
    }

    /// As libraries of earlier versions have it, from the title of a track.
    @Test func impossibleNameIsNotRemembered() async throws {
      let (own, _) = try Recordings.reader()
      try WaveFile.write([own + own + own], to: folder.path("anna.wav"))
      try #require(await run("import", "anna.wav", "--speakers", "1").status == 0)
      let store = try Library(at: folder.url.appendingPathComponent("library")).store
      let session = try #require(try store.sessions(limit: 1).first).id
      try store.changeSpeakers(of: session) { $0.entries[0].name = "Guest: Ann" }
      let refused = try await run("speakers", "last", "--remember", "Guest: Ann")
      #expect(refused.status == 1)
      #expect(refused.errors.contains("cannot be a speaker's name"))
      #expect(!hasFile)
      let renamed = try await run("speakers", "last", "--rename", "Guest: Ann=Ann", "--remember", "Ann")
      #expect(renamed.status == 0, "\(renamed.errors)")
    }

    @Test func tooLittleSpeechAndUnknownSpeakersAreErrors() async throws {
      try #require(await run("import", Recordings.short, "--speakers", "1").status == 0)
      try #require(await run("speakers", "last", "--rename", "Speaker 1=Anna").status == 0)
      let short = try await run("speakers", "last", "--remember", "Anna")
      #expect(short.status == 1)
      #expect(short.errors.contains("20 s are needed"))
      #expect(try await run("speakers", "last", "--remember", "Ben").status == 1)
      #expect(try await run("speakers", "forget", "--rename", "A=B").status == 2)
      #expect(try await run("speakers", "remembered", "more").status == 2)
      #expect(!hasFile)
      for session in try FileManager.default.contentsOfDirectory(atPath: folder.path("library/recordings")) {
        try FileManager.default.removeItem(atPath: folder.path("library/recordings/\(session)/audio.wav"))
      }
      #expect(try await run("speakers", "last", "--remember", "Anna").errors.contains("no longer exists"))
    }
  }
}
