import Foundation
import Synchronization
import TestSupport
import Testing

extension LongRecognizerTests {
  /// `transcribe` while its speech services die.
  @Suite(.recognizer(.pocketSphinx)) struct TranscribeFaultTests {
    private let folder: TemporaryFolder
    private let recording: String

    init() throws {
      folder = try TemporaryFolder()
      recording = folder.path("talk.wav")
    }

    /// The programs as the system names them: by their first 15 characters.
    private static let names = ["whisper-service", "pocketsphinx-service"].map { "(\($0.prefix(15)))" }

    /// The speech services of a process that are at work: a model takes half a second of a processor to load, and a
    /// service that dies of that three times in a row ends the work, as it should.
    private func busyServices(of process: LonghandProcess) -> [pid_t] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      return names.compactMap { pid_t($0) }.filter { number in
        guard let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8) else {
          return false
        }
        // The fields: number, name in parentheses, state, parent's number; the 14th is the time spent, in 1/100 s.
        let fields = text.split(separator: " ")
        return fields.count > 13 && Self.names.contains { fields[1] == $0 }
          && fields[3] == "\(process.identifier)"
          && (Int(fields[13]) ?? 0) > 100
      }
    }

    private func document(_ output: String) throws -> TranscriptDocument {
      try JSONDecoder().decode(TranscriptDocument.self, from: Data(output.utf8))
    }

    /// One round in every run of the tests, many in `make soak`.
    static let rounds = isSoak ? 25 : 1

    @Test(arguments: 1...rounds) func killedServicesChangeNoByte(_ round: Int) async throws {
      // So long that services are at work when they are killed.
      try Recordings.repeated(seconds: 60, to: recording)
      let undisturbed = try await LonghandProcess.run("transcribe", "--format", "json", recording)
      #expect(undisturbed.status == 0)
      let process = try LonghandProcess(["transcribe", "--format", "json", recording])
      let killed = Atomic(0)
      await process.watch(every: UInt32(200 + 37 * round)) {
        for service in busyServices(of: process).prefix(1) where kill(service, SIGKILL) == 0 {
          killed.add(1, ordering: .relaxed)
        }
        return killed.load(ordering: .relaxed) < 4
      }
      let result = try await process.result()
      #expect(killed.load(ordering: .relaxed) > 0)
      #expect(result.status == 0)
      #expect(result.errors.isEmpty)
      #expect(result.output == undisturbed.output)
    }

    @Test func aPieceThatAlwaysFailsIsSaidAndTheRestIsWhole() async throws {
      try Recordings.repeated(seconds: isSoak ? 60 : 25, to: recording)
      let undisturbed = try document(
        try await LonghandProcess.run("transcribe", "--format", "json", recording).output)
      let result = try await LonghandProcess.run(
        "transcribe", "--format", "json", "-o", folder.path("out.json"), recording,
        environment: LonghandProcess.faultyService(pieces: "1"))
      #expect(result.status == 1)
      #expect(result.errorLines.count == 1)
      #expect(result.errors.contains("talk.wav"))
      let disturbed = try document(try folder.read("out.json"))
      #expect(disturbed.coverage.failed > 0)
      #expect(abs(disturbed.coverage.sum - disturbed.duration) < 0.01)
      #expect(disturbed.segments.count == undisturbed.segments.count - 1)
      let texts = undisturbed.segments.map(\.text)
      #expect(disturbed.segments.map(\.text) == Array(texts.prefix(1)) + Array(texts.dropFirst(2)))
    }
  }
}
