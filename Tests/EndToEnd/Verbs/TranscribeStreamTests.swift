import Foundation
import Testing

extension RecognizerTests {
  /// `transcribe` and what comes through a pipe, with the real recognizer.
  @Suite struct TranscribeStreamTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private func transcribe(_ data: Data, _ arguments: String...) async throws -> LonghandProcess.Result {
      let result = try await LonghandProcess(
        ["transcribe", "-"] + arguments, input: .bytes(data), environment: ["TMPDIR": folder.url.path]
      ).result()
      #expect(folder.names.isEmpty, "the copy is gone")
      return result
    }

    private func expected() async throws -> String {
      try await Recordings.transcribed(Recordings.short).output
    }

    @Test func aSoundFileMayComeThroughAPipe() async throws {
      let data = try Data(contentsOf: URL(fileURLWithPath: Recordings.short))
      let result = try await transcribe(data)
      #expect(result.status == 0)
      #expect(result.errors.isEmpty)
      #expect(result.output == (try await expected()))
      let document = try await transcribe(data, "--json")
      #expect(
        try JSONDecoder().decode(TranscriptDocument.self, from: Data(document.output.utf8)).source == "stdin")
    }

    @Test func rawSamplesMayComeThroughAPipe() async throws {
      let samples = try Recordings.samples(of: Recordings.short)
      let expected = try await expected()
      let little = try await transcribe(samples, "--raw", "s16le:16000:1")
      #expect(little.status == 0)
      #expect(little.output == expected)
      var swapped = samples
      for index in stride(from: 0, to: samples.count - 1, by: 2) { swapped.swapAt(index, index + 1) }
      #expect(try await transcribe(swapped, "--raw", "s16be:16000:1").output == expected)
    }

    @Test func rawSamplesOfOtherFormsAreUnderstood() async throws {
      let samples = try Recordings.samples(of: Recordings.short)
      let numbers = samples.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
      let floats = numbers.flatMap { number in
        withUnsafeBytes(of: (Float(number) / 32768).bitPattern.littleEndian) { Array($0) }
      }
      let result = try await transcribe(Data(floats), "--raw", "f32le:16000:1")
      #expect(result.status == 0)
      #expect(result.output == (try await expected()))
    }

    @Test func aNamedPipeIsReadOnce() async throws {
      let result = try await LonghandProcess.shell(
        "longhand transcribe <(cat '\(Recordings.short)')", environment: ["TMPDIR": folder.url.path])
      #expect(result.status == 0)
      #expect(result.output == (try await expected()))
      #expect(folder.names.isEmpty)
    }

    @Test func inputWithoutAudioIsReported() async throws {
      let result = try await transcribe(Data("this is no sound\n".utf8))
      #expect(result.status == 1)
      #expect(result.output.isEmpty)
      #expect(result.errors.hasPrefix("longhand: standard input: "))
    }

    @Test func aClosedReaderEndsTheWork() async throws {
      let inputs = Recordings.paths.map { "'\($0)'" }.joined(separator: " ")
      let result = try await LonghandProcess.shell(
        "longhand transcribe --json --jobs 1 \(inputs) | head -c 1; exit ${PIPESTATUS[0]}")
      #expect(result.status == 1)
      #expect(result.output == "{")
      #expect(result.errors.isEmpty)
    }
  }
}
