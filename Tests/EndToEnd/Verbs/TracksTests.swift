import Foundation
import TestSupport
import Testing

extension RecognizerTests {
  /// Audio that another track or channel must not hide.
  @Suite struct TracksTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String...) async throws -> LonghandProcess.Result {
      try await LonghandProcess(
        arguments, environment: ["LONGHAND_LIBRARY": folder.path("library")], in: folder.url
      ).result()
    }

    private func encode(_ arguments: String...) async throws {
      let command = ["ffmpeg", "-v", "error", "-y", "-i", Recordings.long] + arguments
      let result = try await LonghandProcess.shell(
        command.map { "'\($0)'" }.joined(separator: " "), in: folder.url)
      try #require(result.status == 0)
    }

    @Test func everyTrackIsTranscribedListedAndImported() async throws {
      try await encode(
        "-f", "lavfi", "-i", "anullsrc=r=16000:cl=mono", "-map", "1", "-map", "0", "-shortest", "-c:a",
        "pcm_s16le", "-metadata:s:a:1", "title=Host", "two.mkv")
      let list = try await run("transcribe", "--list-tracks", "two.mkv")
      #expect(list.output.split(separator: "\n").map { String($0.prefix(9)) } == ["1  Track ", "2  Host  "])
      let all = try await run("transcribe", "-q", "--format", "json", "two.mkv")
      let document = try JSONDecoder().decode(TranscriptDocument.self, from: Data(all.output.utf8))
      #expect(!document.segments.isEmpty)
      #expect(all.output.contains(#""name": "Host""#))
      let first = try await run("transcribe", "-q", "--tracks", "1", "two.mkv")
      #expect(first.output.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty)
      #expect(first.errors.contains("Not transcribed: track 2 (Host)"))
      #expect(try await run("import", "-q", "two.mkv").status == 0)
      #expect(try await run("show", "last").output.contains("Host"))
    }

    /// A name with a colon or a comma could not be remembered, or typed.
    @Test func titlesOfTracksBecomePossibleNames() async throws {
      try await encode(
        "-f", "lavfi", "-i", "anullsrc=r=16000:cl=mono", "-map", "0", "-map", "1", "-shortest", "-c:a",
        "pcm_s16le", "-metadata:s:a:0", "title=Guest: Ann", "-metadata:s:a:1", "title=Host, Bob", "two.mkv")
      let transcribed = try await run("transcribe", "-q", "two.mkv")
      #expect(transcribed.output.contains("Guest Ann: "))
      try #require(await run("import", "-q", "two.mkv").status == 0)
      let speakers = try await run("speakers", "last").output
      #expect(speakers.contains("Guest Ann"))
      #expect(speakers.contains("Host Bob"))
    }

    @Test func noiseOnOneChannelHidesNoWordOfAnother() async throws {
      try await encode(
        "-f", "lavfi", "-i", "anoisesrc=d=8:r=16000:a=0.5:seed=1", "-filter_complex",
        "[0:a][1:a]join=inputs=2:channel_layout=stereo:map=0.0-FL|1.0-FR", "noise.wav")
      let result = try await run("transcribe", "-q", "--format", "json", "noise.wav")
      let document = try JSONDecoder().decode(TranscriptDocument.self, from: Data(result.output.utf8))
      #expect(document.segments.flatMap(\.words).count > 5)
      #expect(result.errors.contains("no speech"))
      try await encode("-f", "lavfi", "-i", "anoisesrc=d=5:r=16000:a=0.3:seed=1", "-map", "1", "alone.wav")
      let noise = try await run("transcribe", "-q", "--format", "json", "alone.wav")
      let alone = try JSONDecoder().decode(TranscriptDocument.self, from: Data(noise.output.utf8))
      #expect(alone.coverage.nonspeech > 4)
      #expect(abs(alone.coverage.sum - 5) < 0.01)
    }
  }
}
