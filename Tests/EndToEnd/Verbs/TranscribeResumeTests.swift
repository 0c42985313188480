import Foundation
import Testing

extension RecognizerTests {
  /// `transcribe --files-from LIST --resume DIR`.
  @Suite struct TranscribeResumeTests {
    private let folder: TemporaryFolder
    private let command = ["transcribe", "--files-from", "list.txt", "--resume", "texts", "--jobs", "1"]

    init() throws {
      folder = try TemporaryFolder()
      for (name, index) in [("a", 1), ("b", 3), ("c", 4)] {
        let samples = try Recordings.samples(of: Recordings.paths[index]).prefix(48_000)
        try Recordings.write(Data(samples), to: folder.path("\(name).wav"))
      }
      try folder.write("a.wav\nb.wav\nc.wav\n", to: "list.txt")
    }

    /// The files of the folder, each with its identity: a file that was written again has another one.
    private var outputs: [String: UInt64] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path("texts"))) ?? []
      return Dictionary(
        uniqueKeysWithValues: names.filter { $0.hasSuffix(".txt") }.map { name in
          let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path("texts/\(name)"))
          return (name, (attributes?[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0)
        })
    }

    @Test func finishedInputsAreSkippedAndKilledWorkContinues() async throws {
      let process = try LonghandProcess(command, in: folder.url)
      while outputs.isEmpty, process.isRunning { try await Task.sleep(for: .milliseconds(5)) }
      process.send(SIGKILL)
      _ = try await process.result()
      let first = outputs
      #expect(!first.isEmpty)
      // A line that was not written to its end.
      let record = folder.path("texts/longhand-resume.jsonl")
      let lines = try String(contentsOfFile: record, encoding: .utf8)
      try (lines + "{\"output\": \"a").write(toFile: record, atomically: true, encoding: .utf8)

      let second = try await LonghandProcess(command, in: folder.url).result()
      #expect(second.status == 0)
      #expect(second.errors == "")
      #expect(Set(outputs.keys) == ["a.txt", "b.txt", "c.txt"])
      let expected = try await LonghandProcess.run("transcribe", "a.wav", in: folder.url)
      #expect(try folder.read("texts/a.txt") == expected.output)

      let done = outputs
      #expect(try await LonghandProcess(command, in: folder.url).result().status == 0)
      #expect(outputs == done)

      // Other audio under the same name, and then other options.
      try FileManager.default.removeItem(atPath: folder.path("b.wav"))
      try FileManager.default.copyItem(atPath: folder.path("c.wav"), toPath: folder.path("b.wav"))
      #expect(try await LonghandProcess(command, in: folder.url).result().status == 0)
      #expect(outputs["b.txt"] != done["b.txt"])
      #expect(outputs["a.txt"] == done["a.txt"])
      #expect(try folder.read("texts/b.txt") == folder.read("texts/c.txt"))
      let words = command + ["--style", "words"]
      #expect(try await LonghandProcess(words, in: folder.url).result().status == 0)
      #expect(outputs["a.txt"] != done["a.txt"])
      for option in [["--numbers", "spoken"], ["--with-echo"]] {
        let before = outputs
        #expect(try await LonghandProcess(words + option, in: folder.url).result().status == 0)
        #expect(outputs["a.txt"] != before["a.txt"], "\(option)")
      }
    }

    @Test func fileOfAnotherProgramIsKept() async throws {
      try folder.write("mine", to: "texts/b.txt")
      let result = try await LonghandProcess(command, in: folder.url).result()
      #expect(result.status == 1)
      #expect(result.errors.contains("The file texts/b.txt already exists."))
      #expect(try folder.read("texts/b.txt") == "mine")
      #expect(Set(outputs.keys) == ["a.txt", "b.txt", "c.txt"])
    }

    /// Two folders of an archive that have a file of the same name, one after the other.
    @Test func theOutputOfAnotherInputWithTheSameNameIsKept() async throws {
      try FileManager.default.createDirectory(atPath: folder.path("other"), withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: folder.path("b.wav"), toPath: folder.path("other/a.wav"))
      let resume = ["--resume", "texts"]
      let mine = try await LonghandProcess(["transcribe", "a.wav"] + resume, in: folder.url).result()
      #expect(mine.status == 0)
      let first = try folder.read("texts/a.txt")
      let other = try await LonghandProcess(["transcribe", "other/a.wav"] + resume, in: folder.url).result()
      #expect(other.status == 1)
      #expect(other.errors.contains("The file texts/a.txt already exists."))
      #expect(try folder.read("texts/a.txt") == first)
    }

    /// Whatever makes the program write it again: another option, or another output that is missing.
    @Test(arguments: [["--format", "txt,srt"], []]) func editedOutputIsKept(_ options: [String]) async throws
    {
      let resume = ["transcribe", "a.wav", "--resume", "texts"]
      let formats = options.isEmpty ? ["--format", "txt,vtt"] : []
      #expect(try await LonghandProcess(resume + formats, in: folder.url).result().status == 0)
      try folder.write("What she really said.", to: "texts/a.txt")
      if options.isEmpty { try FileManager.default.removeItem(atPath: folder.path("texts/a.vtt")) }
      let again = resume + formats + options
      let refused = try await LonghandProcess(again, in: folder.url).result()
      #expect(refused.status == 1)
      #expect(refused.errors.contains("The file texts/a.txt already exists."))
      #expect(try folder.read("texts/a.txt") == "What she really said.")
      #expect(try await LonghandProcess(again + ["--force"], in: folder.url).result().status == 0)
      #expect(try folder.read("texts/a.txt") != "What she really said.")
    }

    @Test func aSecondProcessIsRefused() async throws {
      try folder.write("", to: "texts/longhand-resume.jsonl")
      let result = try await LonghandProcess.shell(
        "flock texts/longhand-resume.jsonl longhand \(command.joined(separator: " "))", in: folder.url)
      #expect(result.status == 1)
      #expect(result.errors.contains("Another process transcribes into the folder texts."))
    }
  }
}
