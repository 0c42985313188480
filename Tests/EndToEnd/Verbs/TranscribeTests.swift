import Foundation
import Longhand
import TestSupport
import Testing

extension RecognizerTests {
  /// `transcribe` with the real recognizer and real recordings.
  @Suite struct TranscribeTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private func transcribe(_ arguments: String..., input: LonghandProcess.Input = .empty) async throws
      -> LonghandProcess.Result
    {
      try await LonghandProcess(["transcribe"] + arguments, input: input, in: folder.url).result()
    }

    /// What a process that nobody waits for has used is missing in the processor time that `time longhand` shows. Orphans
    /// belong to the script.
    @Test func everyProcessIsWaitedFor() async throws {
      let script = """
        import ctypes, os, subprocess, sys
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
        status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
        try: print(status, os.waitpid(-1, os.WNOHANG))
        except ChildProcessError: print(status)
        """
      let result = try await LonghandProcess.shell(
        "exec python3 -c '\(script)' '\(LonghandProcess.products.path)/longhand' transcribe -q '\(Recordings.long)'"
      )
      #expect(result.output == "0\n", "\(result.errors)")
    }

    @Test func textAndNothingElseGoesToStandardOutput() async throws {
      let result = try await transcribe(Recordings.long)
      #expect(result.status == 0)
      #expect(result.errors.isEmpty)
      let words = TextNormalizer().words(in: result.output)
      let reference = TextNormalizer().words(in: try Recordings.reference(of: Recordings.long))
      #expect(WordErrorRate(reference: reference, hypothesis: words).rate < 0.5)
    }

    @Test func everySecondIsAccountedFor() async throws {
      for path in Recordings.paths {
        let result = try await Recordings.transcribed(path, "--format", "json")
        let document = try JSONDecoder().decode(TranscriptDocument.self, from: Data(result.output.utf8))
        #expect(document.version == 1)
        #expect(document.source == path.split(separator: "/").last.map(String.init))
        #expect(document.locale == "en-US")
        #expect(abs(document.duration - (try Recordings.seconds(of: path))) < 0.01)
        #expect(abs(document.coverage.sum - document.duration) < 0.01)
        #expect(document.coverage.failed == 0)
        for segment in document.segments {
          #expect(0 <= segment.start)
          #expect(segment.start < segment.end)
          #expect(segment.end <= document.duration + 0.01)
          #expect(segment.words.map(\.text).joined(separator: " ") == segment.text)
        }
      }
    }

    @Test func theTranscriptDoesNotDependOnTheJobs() async throws {
      let arguments = ["transcribe", "--format", "json"] + Recordings.sample
      let one = try await LonghandProcess(arguments + ["--jobs", "1"]).result()
      let four = try await LonghandProcess(arguments + ["--jobs", "4"]).result()
      #expect(one.status == 0)
      #expect(!one.output.isEmpty)
      #expect(one.output == four.output)
    }

    @Test func severalInputsComeInTheirOrder() async throws {
      let paths = [Recordings.paths[4], Recordings.short, Recordings.paths[4]]
      var expected = ""
      for path in paths { expected += try await Recordings.transcribed(path).output }
      let result = try await LonghandProcess(["transcribe", "--jobs", "3"] + paths).result()
      #expect(result.output == expected)
    }

    @Test func aBadInputDoesNotCostTheOthers() async throws {
      try folder.write("this is no sound\n", to: "notes.wav")
      let result = try await transcribe("notes.wav", Recordings.short, "none.wav")
      #expect(result.status == 1)
      #expect(result.output == (try await Recordings.transcribed(Recordings.short).output))
      #expect(result.errorLines.count == 2)
      #expect(result.errors.contains("longhand: notes.wav: "))
      #expect(result.errors.contains("longhand: none.wav: "))
    }

    @Test func aFileHoldsWhatStandardOutputWould() async throws {
      let formats = TranscriptFormat.allCases.map(\.fileExtension).filter {
        isSoak && $0 != "docx" || ["json", "srt"].contains($0)
      }
      for format in formats {
        let result = try await transcribe(Recordings.short, "-o", "talk.\(format)")
        #expect(result.status == 0)
        #expect(result.output.isEmpty)
        #expect(result.errors.isEmpty)
        let written = try folder.read("talk.\(format)")
        #expect(written == (try await transcribe(Recordings.short, "--format", format).output))
      }
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("talk.srt"))
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
      #expect(folder.names.count == formats.count)
    }

    @Test func aFolderGetsAFileAnInputAndFormat() async throws {
      let formats = TranscriptFormat.allCases.map(\.fileExtension)
      let result = try await transcribe(
        Recordings.paths[4], Recordings.short, "--output-dir", "out/deep", "--format",
        formats.joined(separator: ","))
      #expect(result.status == 0)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("out/deep")).sorted()
      let stems = [Recordings.short, Recordings.paths[4]].map {
        $0.split(separator: "/").last?.dropLast(4) ?? ""
      }
      #expect(names == stems.flatMap { stem in formats.map { "\(stem).\($0)" }.sorted() })
      let document = try Data(contentsOf: URL(fileURLWithPath: folder.path("out/deep/\(stems[0]).docx")))
      #expect(document.starts(with: [0x50, 0x4B]), "a ZIP archive")
    }

    /// A name that is too long for one of the formats would be noticed after hours.
    @Test func aNameThatIsTooLongIsNoticedBeforeTheWork() async throws {
      let name = String(repeating: "n", count: 245)
      try FileManager.default.copyItem(atPath: Recordings.short, toPath: folder.path("\(name).wav"))
      let result = try await transcribe(
        "\(name).wav", "--format", "srt,textgrid,fcpxml", "--output-dir", "out")
      #expect(result.status == 0, "\(result.errors)")
      let long = String(repeating: "n", count: 249)
      try FileManager.default.moveItem(atPath: folder.path("\(name).wav"), toPath: folder.path("\(long).wav"))
      let late = try await transcribe("\(long).wav", "--format", "srt,textgrid", "--output-dir", "more")
      #expect(late.status == 1)
      #expect(late.errors.contains("is too long"), "\(late.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("more")).isEmpty)
    }

    @Test func joinedFilesAreListedInTheirOrder() async throws {
      for name in ["b.wav", "a.wav"] {
        try FileManager.default.copyItem(atPath: Recordings.short, toPath: folder.path(name))
      }
      let result = try await transcribe("--join", "b.wav", "a.wav")
      #expect(
        result.errors.hasPrefix(
          "longhand: One recording of 2 parts, in this order:\n  1. b.wav\n  2. a.wav\n"))
      #expect(try await transcribe("--join", "b.wav", "a.wav", "-q").errors.isEmpty)
    }

    @Test func aFileThatAppearsMeanwhileIsNotWrittenOver() async throws {
      try Recordings.repeated(seconds: isSoak ? 120 : 20, to: folder.path("long.wav"))
      let process = try LonghandProcess(["transcribe", "long.wav", "-o", "long.txt"], in: folder.url)
      try await Task.sleep(for: .milliseconds(500))
      try folder.write("mine", to: "long.txt")
      let result = try await process.result(within: .seconds(300))
      #expect(result.status == 1)
      #expect(result.errors.contains("long.txt already exists"))
      #expect(folder.names == ["long.txt", "long.wav"])
      #expect(try folder.read("long.txt") == "mine")
    }

    @Test func captionsKeepTheirWidth() async throws {
      let result = try await transcribe(
        Recordings.long, "--srt", "--max-line-width", "20", "--max-line-count", "1")
      #expect(result.status == 0)
      #expect(result.output.contains(" --> "))
      for line in result.output.split(separator: "\n") where !line.contains("-->") {
        #expect(line.count <= 20 || !line.contains(" "))
      }
    }

    @Test func progressIsForProgramsToo() async throws {
      struct Line: Decodable {
        var type: String
        var input: String
        var processed: Double
        var duration: Double
        var number: Int
        var count: Int
        var total: Double
      }
      let both = try await transcribe(
        Recordings.long, Recordings.short, "--progress", "json", "--jobs", "1", "--output-dir", "out")
      let all = try both.errorLines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
      #expect(Set(all.map(\.number)) == [1, 2])
      #expect(all.allSatisfy { $0.count == 2 })
      #expect(zip(all, all.dropFirst()).allSatisfy { $0.total <= $1.total })
      #expect(all.last?.total == 1)
      #expect(all.first?.processed == 0, "before the first result, the length is known")
      let result = try await transcribe(Recordings.long, "--progress", "json")
      let lines = try result.errorLines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
      #expect(lines.allSatisfy { $0.type == "progress" && $0.input == Recordings.long })
      #expect(zip(lines, lines.dropFirst()).allSatisfy { $0.processed <= $1.processed })
      #expect(lines.last.map { $0.processed == $0.duration } == true)
      #expect(try await transcribe(Recordings.long, "--progress", "json", "-q").errors.isEmpty)
    }

    @Test func anUnknownLanguageIsSaidOnce() async throws {
      let result = try await transcribe(Recordings.long, Recordings.short, "--locale", "tlh")
      #expect(result.status == 1)
      #expect(result.output.isEmpty)
      #expect(result.errorLines.count == 1)
      #expect(result.errors.contains("tlh"))
    }

    @Test func everyExampleOfTheHelpWorksAsTyped() async throws {
      for name in ["talk.wav", "panel.wav"] {
        try FileManager.default.copyItem(atPath: Recordings.short, toPath: folder.path(name))
      }
      let help = try await LonghandProcess.run("help", "transcribe").output
      let examples = help.split(separator: "\n").filter {
        $0.hasPrefix("  longhand ") || $0.hasPrefix("  cat ")
      }
      #expect(examples.count >= 3)
      for example in examples {
        let result = try await LonghandProcess.shell(String(example), in: folder.url)
        #expect(result.status == 0, "\(example)")
        #expect(result.errors.isEmpty)
      }
      #expect(folder.names == ["out", "panel.wav", "talk.vtt", "talk.wav", "texts"])
    }
  }
}
