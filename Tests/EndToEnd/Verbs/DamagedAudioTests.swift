import Foundation
import TestSupport
import Testing

extension LongRecognizerTests {
  /// Files that are damaged, that state a wrong length, or whose channels cancel each other.
  @Suite struct DamagedAudioTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private struct Warned: Decodable {
      struct Warning: Decodable {
        var code: String
        var message: String
        var start: Double
        var end: Double
      }
      var duration: Double
      var statedDuration: Double?
      var warnings: [Warning]?
      var coverage: TranscriptDocument.Coverage
      var segments: [TranscriptDocument.Segment]

      var words: [TranscriptDocument.Word] { segments.flatMap(\.words) }
    }

    private func run(_ arguments: String...) async throws -> LonghandProcess.Result {
      try await LonghandProcess(
        arguments, environment: ["LONGHAND_LIBRARY": folder.path("library")], in: folder.url
      ).result()
    }

    private func document(_ result: LonghandProcess.Result) throws -> Warned {
      try JSONDecoder().decode(Warned.self, from: Data(result.output.utf8))
    }

    private func encode(_ name: String, _ arguments: String...) async throws {
      let command = ["ffmpeg", "-v", "error", "-y", "-i", Recordings.long] + arguments + [name]
      let result = try await LonghandProcess.shell(
        command.map { "'\($0)'" }.joined(separator: " "), in: folder.url)
      try #require(result.status == 0)
    }

    /// Two seconds of a recording of seven seconds are zeroed.
    private func makeHole() async throws {
      try await encode("talk.mp3", "-b:a", "32k")
      var data = try Data(contentsOf: folder.url.appendingPathComponent("talk.mp3"))
      data.resetBytes(in: 12_000..<20_000)
      try folder.write(data, to: "talk.mp3")
    }

    @Test func aHoleIsAGapAndTheWordsAfterItKeepTheirTimes() async throws {
      try await makeHole()
      let whole = try document(try await Recordings.transcribed(Recordings.long, "--format", "json"))
      let result = try await run("transcribe", "-q", "--format", "json", "talk.mp3")
      #expect(result.status == 0)
      #expect(result.errorLines.count == 1)
      #expect(result.errors.hasPrefix("longhand: talk.mp3: Warning: The audio from "))
      #expect(result.errors.contains("is damaged"))
      let damaged = try document(result)
      #expect(abs(damaged.duration - whole.duration) < 0.15)
      #expect(abs(damaged.coverage.sum - damaged.duration) < 0.01)
      #expect(abs(damaged.coverage.gaps - 2) < 0.2)
      #expect(damaged.warnings?.map(\.code) == ["damaged"])
      #expect(abs((damaged.warnings?.first?.start ?? 0) - 3) < 0.3)
      #expect(abs((damaged.warnings?.first?.end ?? 0) - 5) < 0.3)
      // The last word of both: at the same time.
      let (last, expected) = (try #require(damaged.words.last), try #require(whole.words.last))
      #expect(abs(last.end - expected.end) < 0.3)

      let imported = try await run("import", "-q", "talk.mp3")
      #expect(imported.status == 0)
      #expect(imported.errorLines.count == 1)
      let exported = try document(try await run("export", "last", "--json"))
      #expect(exported.warnings?.map(\.code) == ["damaged"])
      #expect(abs(exported.coverage.gaps - damaged.coverage.gaps) < 0.01)
      #expect(try await run("coverage", "last").output.contains("gap  damaged"))
      #expect(try await run("retranscribe", "last").status == 0)
    }

    @Test func aTruncatedFileIsTranscribedWithAWarning() async throws {
      var data = try Data(contentsOf: URL(fileURLWithPath: Recordings.long))
      data.removeLast(data.count / 2)
      try folder.write(data, to: "talk.wav")
      let result = try await run("transcribe", "--json-errors", "--format", "json", "talk.wav")
      #expect(result.status == 0)
      #expect(result.errorLines.count == 1)
      #expect(result.errors.contains("\"code\":\"shorter-than-stated\""))
      let document = try document(result)
      let stated = try #require(document.statedDuration)
      #expect(abs(stated - 2 * document.duration) < 0.1)
      let warning = try #require(document.warnings?.first)
      #expect(warning.code == "shorter-than-stated")
      #expect(abs(warning.start - document.duration) < 0.001)
      #expect(abs(warning.end - stated) < 0.001)
      #expect(!document.words.isEmpty)
    }

    @Test(arguments: ["analyzer", "rolling"]) func oppositePhasesGiveTheirWords(engine: String) async throws {
      try await encode("talk.wav", "-af", "pan=stereo|c0=c0|c1=-1*c0")
      let result = try await run("transcribe", "--engine", engine, "--format", "json", "talk.wav")
      #expect(result.errors.contains("opposite phase"))
      let document = try document(result)
      #expect(document.warnings?.map(\.code) == ["opposite-phase"])
      let text = document.segments.map(\.text).joined(separator: " ")
      #expect(try Recordings.errorRate(text, of: Recordings.long) < 0.5)
    }

    @Test func audioThatCannotBeStoredIsRefusedBeforeItsSessionBegins() async throws {
      for rate in ["900", "800000"] {
        let header = WaveBytes.file(rate: UInt32(rate) ?? 0, samples: 2000)
        try folder.write(header, to: "odd.wav")
        let result = try await run("import", "odd.wav")
        #expect(result.status == 1)
        #expect(result.errors.contains("sample rate of \(rate) Hz"))
        #expect(try await run("sessions").outputLines.isEmpty)
      }
      for rate in [1000, 768_000] as [UInt32] {
        try folder.write(WaveBytes.file(rate: rate, samples: Int(rate)), to: "odd.wav")
        #expect(try await run("import", "odd.wav").status == 0)
        #expect(try await run("retranscribe", "last").status == 0)
        #expect(try await run("recover").status == 0)
      }
    }
  }
}

/// WAVE files of silence.
private enum WaveBytes {
  static func file(rate: UInt32, samples: Int) -> Data {
    func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
    let size = UInt32(samples * 2)
    let head = Array("RIFF".utf8) + bytes(size + 36) + Array("WAVEfmt ".utf8) + bytes(UInt32(16))
    let format = bytes(UInt16(1)) + bytes(UInt16(1)) + bytes(rate) + bytes(rate * 2) + bytes(UInt16(2))
    return Data(head + format + bytes(UInt16(16)) + Array("data".utf8) + bytes(size))
      + Data(repeating: 0, count: samples * 2)
  }
}
