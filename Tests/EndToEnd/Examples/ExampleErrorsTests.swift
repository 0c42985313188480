import Foundation
import TestSupport
import Testing

extension StoredSessionTests {
  /// What the programs in `Examples` do with what they cannot use.
  @Suite(.tagged(.childProcess)) struct ExampleErrorsTests {
    static let programs = [
      "LiveRecognition --fast", "FileRecognition", "FileCaptions", "LiveTranscription --fast",
      "PhraseDictation --expect it",
    ]

    @Test(arguments: programs) func missingFileIsReported(_ program: String) async throws {
      let result = try await LonghandProcess.shell("\(program) /nowhere/none.wav")
      #expect(result.status == 1)
      #expect(result.output.isEmpty)
      #expect(result.errorLines.count == 1)
      #expect(result.errors.contains("/nowhere/none.wav"))
    }

    @Test(arguments: programs) func fileWithoutAudioIsReported(_ program: String) async throws {
      let folder = try TemporaryFolder()
      try folder.write("Nobody says this.", to: "words.wav")
      let result = try await LonghandProcess.shell("\(program) words.wav", in: folder.url)
      #expect(result.status == 1)
      #expect(result.output.isEmpty)
      #expect(result.errorLines.count == 1)
      #expect(result.errors.contains("words.wav"))
    }

    @Test(arguments: programs.suffix(3)) func silenceIsNoError(_ program: String) async throws {
      let folder = try TemporaryFolder()
      let result = try await LonghandProcess.shell(
        "ffmpeg -nostdin -v error -f lavfi -i anullsrc=r=16000:cl=mono -t 1 none.wav && \(program) none.wav",
        in: folder.url)
      #expect(result.status == 0)
      #expect(result.errors.isEmpty)
      #expect(["", "WEBVTT"].contains(result.output.trimmingCharacters(in: .newlines)))
    }

    @Test(arguments: [
      "LiveRecognition --fast", "LiveRecognition a b", "FileRecognition", "FileRecognition a b",
      "FileCaptions", "FileCaptions a b", "LiveTranscription --fast", "LiveTranscription a b",
      "PhraseDictation", "PhraseDictation --expect", "PhraseDictation --expect a", "PhraseDictation a b",
    ])
    func otherUsesAreErrors(_ line: String) async throws {
      let result = try await LonghandProcess.shell(line)
      #expect(result.status == 2)
      #expect(result.output.isEmpty)
      #expect(result.errorLines.count == 1)
      #expect(result.errors.hasPrefix("usage: \(line.prefix { $0 != " " }) "))
    }
  }
}
