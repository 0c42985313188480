import Foundation
import TestSupport
import Testing

extension StoredSessionTests {
  /// Voices in one channel.
  @Suite struct VoiceTests {
    private let folder: TemporaryFolder
    private var environment: [String: String] { ["LONGHAND_LIBRARY": folder.path("library")] }

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String...) async throws -> LonghandProcess.Result {
      try await LonghandProcess(arguments, environment: environment, in: folder.url).result()
    }

    /// One recording after another, with half a second between.
    private func writeConversation() throws {
      let first = WaveFile.samples(try Recordings.samples(of: Recordings.paths[4]))
      let second = WaveFile.samples(try Recordings.samples(of: Recordings.short))
      try WaveFile.write([first + [Int16](repeating: 0, count: 8000) + second], to: folder.path("talk.wav"))
    }

    @Test func wordsAreTheSameWithVoices() async throws {
      try writeConversation()
      let plain = try await run("transcribe", "talk.wav", "--format", "ctm")
      #expect(plain.status == 0)
      let labelled = try await run("transcribe", "talk.wav", "--format", "ctm", "--speakers", "2")
      #expect(labelled.output == plain.output)
      #expect(try await run("import", "talk.wav", "--speakers", "2").status == 0)
      #expect(try await run("export", "last", "--format", "ctm").output == plain.output)
      let turns = try await run("export", "last", "--format", "rttm").output
      #expect(turns.contains("Speaker_1"))
      #expect(turns.contains("Speaker_2"))
      #expect(try await run("speakers", "last", "--rename", "Speaker 2=Ben").status == 0)
      #expect(try await run("retranscribe", "last", "--speakers", "2").status == 0)
      #expect(try await run("export", "last", "--format", "rttm").output.contains(" Ben "))
    }

    @Test func impossibleNumbersAreErrors() async throws {
      try writeConversation()
      for number in ["0", "31", "many"] {
        #expect(try await run("transcribe", "talk.wav", "--speakers", number).status == 2)
      }
      #expect(
        try await run("transcribe", "talk.wav", "--speakers", "2", "--channels", "separate").status == 2)
      #expect(
        try await run("transcribe", "talk.wav", "--speakers", "2", "--speaker-names", "A,B").status == 2)
    }
  }
}
