import Foundation
import Testing

extension StoredSessionTests {
  /// `import --transcripts`: what a worker wrote becomes a library, without a recognizer.
  @Suite struct TranscriptImportTests {
    private let folder: TemporaryFolder
    private let library: [String: String]
    /// Without a recognizer: nothing may be decoded again.
    private let noRecognizer: [String: String]

    init() async throws {
      folder = try TemporaryFolder()
      library = ["LONGHAND_LIBRARY": folder.path("library")]
      noRecognizer = library.merging(["SPEECH_MODEL": "none"]) { $1 }
      try FileManager.default.createDirectory(atPath: folder.path("audio"), withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: Recordings.short, toPath: folder.path("audio/talk.wav"))
      let jobs = ["audio/talk.wav", "missing.wav"].map { #"{"id": "\#($0)", "path": "\#($0)"}"# }
      let worker = try await LonghandProcess.run(
        "worker", input: .bytes(Data(jobs.joined(separator: "\n").utf8)), in: folder.url)
      try folder.write(worker.output, to: "transcripts.jsonl")
    }

    @Test func sessionHasTheVeryTranscriptAndIsImportedOnce() async throws {
      let arguments = ["import", "--transcripts", "transcripts.jsonl"]
      let result = try await LonghandProcess(arguments, environment: noRecognizer, in: folder.url).result()
      #expect(result.status == 1)
      #expect(result.outputLines.count == 1)
      #expect(result.errorLines.count == 1)
      #expect(result.errors.contains("transcripts.jsonl:2: The job has no transcript. No such file."))
      let exported = try await LonghandProcess.run(
        "export", "last", "--format", "json", environment: library, in: folder.url)
      let transcribed = try await LonghandProcess.run(
        "transcribe", "--json", "audio/talk.wav", in: folder.url)
      #expect(exported.output == transcribed.output)
      let coverage = try await LonghandProcess.run("coverage", "last", environment: library, in: folder.url)
      #expect(coverage.status == 0)

      let again = try await LonghandProcess(arguments, environment: noRecognizer, in: folder.url).result()
      #expect(again.output == "")
      #expect(again.errors.contains("1 of 2 transcripts were in the library already."))
    }

    @Test func sessionsAreListedInPages() async throws {
      let line = try folder.read("transcripts.jsonl").split(separator: "\n")[0]
      for number in 1...3 {
        let job = line.replacing(#""id": "audio/talk.wav""#, with: #""id": "\#(number)""#)
        let result = try await LonghandProcess.run(
          "import", "--transcripts", "-", input: .bytes(Data(job.utf8)), environment: library)
        #expect(result.status == 0)
      }
      func sessions(_ arguments: String...) async throws -> LonghandProcess.Result {
        try await LonghandProcess(["sessions"] + arguments, environment: library, in: folder.url).result()
      }
      let all = try await sessions()
      #expect(all.outputLines.count == 3)
      #expect(all.errors == "")
      let newest = try await sessions("--limit", "2")
      #expect(newest.outputLines == Array(all.outputLines.prefix(2)))
      let last = try #require(newest.outputLines.last?.prefix(8))
      #expect(newest.errors.contains("There are older sessions. Use --before \(last) to list them"))
      let older = try await sessions("--before", String(last))
      #expect(older.outputLines == Array(all.outputLines.suffix(1)))
      #expect(older.errors == "")
    }

    /// Each channel is a speaker.
    @Test func speakersOfChannelsAreImported() async throws {
      let channels = try [Recordings.paths[1], Recordings.paths[3]].map { path in
        WaveFile.samples(try Recordings.samples(of: path).prefix(64_000))
      }
      try WaveFile.write(channels, to: folder.path("call.wav"))
      let options = #"{"channels": "separate", "speaker-names": "Anna"}"#
      let job = #"{"id": "a", "path": "call.wav", "options": \#(options)}"#
      let answer = try await LonghandProcess.run("worker", input: .bytes(Data(job.utf8)), in: folder.url)
      try folder.write(answer.output, to: "call.jsonl")
      let result = try await LonghandProcess.run(
        "import", "--transcripts", "call.jsonl", environment: noRecognizer, in: folder.url)
      #expect(result.status == 0)
      let exported = try await LonghandProcess.run(
        "export", "last", "--format", "json", environment: library, in: folder.url)
      let transcribed = try await LonghandProcess.run(
        "transcribe", "--json", "call.wav", "--channels", "separate", "--speaker-names", "Anna",
        in: folder.url)
      #expect(exported.output == transcribed.output)
      #expect(exported.output.contains(#""name": "Channel 2", "basis": "channel""#))
      try folder.write(answer.output.replacing("Anna", with: "Anna: A, B"), to: "named.jsonl")
      let named = try await LonghandProcess.run(
        "import", "--transcripts", "named.jsonl", "--library", "named", environment: noRecognizer,
        in: folder.url)
      #expect(named.status == 0)
      let speakers = try await LonghandProcess.run("speakers", "last", "--library", "named", in: folder.url)
      #expect(speakers.output.contains("Anna A B"))
    }

    @Test func audioIsCopiedIfItIsTheOneThatWasTranscribed() async throws {
      let arguments = ["import", "--transcripts", "transcripts.jsonl", "--audio-root", "."]
      let result = try await LonghandProcess(arguments, environment: noRecognizer, in: folder.url).result()
      let id = try #require(result.outputLines.first)
      // What an import that was killed leaves: a folder whose session is not in the store.
      let left = folder.path("half/recordings/\(id)")
      try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
      try Data("half".utf8).write(to: URL(fileURLWithPath: left + "/audio.wav"))
      let repeated = try await LonghandProcess(
        arguments + ["--library", "half"], environment: noRecognizer, in: folder.url
      ).result()
      #expect(repeated.output == result.output)
      let audio = folder.path("library/recordings/\(id)/audio.wav")
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: audio)).dropFirst(TemporaryFolder.soundHeader)
          == Recordings.samples(of: Recordings.short))
      let again = try await LonghandProcess.run(
        "retranscribe", "last", "--alternatives", "2", environment: library, in: folder.url)
      #expect(again.status == 0)

      try FileManager.default.removeItem(atPath: folder.path("audio/talk.wav"))
      try FileManager.default.copyItem(atPath: Recordings.long, toPath: folder.path("audio/talk.wav"))
      let other = try await LonghandProcess(
        arguments + ["--library", "other"], environment: noRecognizer, in: folder.url
      ).result()
      #expect(other.output == "")
      #expect(other.errors.contains("is not the audio that was transcribed"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("other/recordings")) == [])
    }
  }
}
