import Foundation
import Longhand
import TestSupport
import Testing

extension StoredSessionTests {
  /// Recordings that are kept: from `import` to `delete`.
  @Suite struct LibraryTests {
    private let folder: TemporaryFolder
    private var environment: [String: String] { ["LONGHAND_LIBRARY": folder.path("library")] }

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String...) async throws -> LonghandProcess.Result {
      try await LonghandProcess(arguments, environment: environment).result()
    }

    /// Imports a recording.
    private func importFile(_ path: String) async throws -> String {
      let result = try await run("import", path)
      try #require(result.status == 0 && result.errors.isEmpty)
      return result.output.trimmingCharacters(in: .newlines)
    }

    /// What `show` printed, without the times: what `transcribe` prints.
    private static func texts(_ shown: LonghandProcess.Result) -> String {
      shown.outputLines.map { $0.drop { $0 != "]" }.dropFirst(2) + "\n" }.joined()
    }

    /// Every byte of the library that is a file's content.
    private func bytes() throws -> Data {
      let names =
        FileManager.default.enumerator(atPath: folder.path("library"))?.allObjects as? [String] ?? []
      return names.reduce(into: Data()) { all, name in
        all += FileManager.default.contents(atPath: folder.path("library/\(name)")) ?? Data()
      }
    }

    /// A library with one session, which no process has open.
    private func makeSession() throws {
      let library = try Library(at: URL(fileURLWithPath: folder.path("library")))
      let session = RecordedSession(
        source: "hello.wav", locale: "en-US", engine: "analyzer", start: .now, state: .complete)
      try library.store.begin(session)
      let candidate = Candidate(text: "hello there", words: [], confidence: 0.9)
      try library.store.append(Segment(id: 0, start: 0, end: 1.5, candidates: [candidate]), to: session.id)
    }

    /// What is wrong with a name is not about segments, and a name that finds nothing is reported.
    @Test func uselessNameIsRefusedOrReported() async throws {
      try makeSession()
      try makeSession()
      let ids = try Library(at: URL(fileURLWithPath: folder.path("library"))).store.sessions().map(\.id)
      for name in ["last", String(ids[1].prefix(8))] {
        let refused = try await run("sessions", "--rename", "\(ids[0])=\(name)")
        #expect(refused.status == 1, "\(name)")
        #expect(refused.errors.contains(": A name "), "\(refused.errors)")
        #expect(!refused.errors.contains("explain"), "\(refused.errors)")
      }
      #expect(try await run("sessions", "--rename", "\(ids[0])=talk").errors.isEmpty)
      let taken = try await run("sessions", "--rename", "\(ids[1])=talk")
      #expect(taken.status == 0)
      #expect(taken.errors.contains("More than one session has the name 'talk'"), "\(taken.errors)")
    }

    /// A call whose microphone has the loudspeaker's words before its owner's, with corrections of a vocabulary.
    private func makeCall() throws {
      let store = try Library(at: URL(fileURLWithPath: folder.path("library"))).store
      let session = RecordedSession(
        source: "call.wav", locale: "en-US", engine: "analyzer", start: .now, state: .complete)
      var vocabulary = Vocabulary(name: "names")
      vocabulary.corrections = [.init(recognized: "slabs of", text: "Slabz Off")]
      try store.begin(session, spellings: vocabulary)
      let words = ["weasels", "have", "eaten", "five", "six", "slabs", "of"].enumerated().map {
        Word(text: $1, start: Double($0), end: Double($0) + 0.9, confidence: 0.9)
      }
      let candidate = Candidate(text: words.map(\.text).joined(separator: " "), words: words, confidence: 0.9)
      try store.append(
        Segment(id: 0, start: 0, end: 7, candidates: [candidate], channel: 0), to: session.id)
      try store.changeSpeakers(of: session.id) { speakers in
        speakers.addChannels(2, names: ["Me", "Call"])
        speakers.echoes = words.prefix(3).map {
          EchoWord(channel: 0, start: $0.start, end: $0.end, word: $0.text)
        }
      }
    }

    @Test func correctionsOfACallReplaceTheirOwnWords() async throws {
      try makeCall()
      let alone = try await run("show", "last", "--only-normalized", "--style", "words").output
      #expect(alone.hasSuffix("] Me: five six Slabz Off\n"), "\(alone)")
      let both = try await run("show", "last", "--normalize", "--style", "words").output
      #expect(both.hasSuffix("] Me: five six slabs of\n    normalized: five six Slabz Off\n"), "\(both)")
      let whole = try await run(
        "show", "last", "--only-normalized", "--style", "words", "--with-echo"
      ).output
      #expect(whole.hasSuffix("weasels have eaten five six Slabz Off\n"), "\(whole)")
      let export = try await run("export", "last", "--only-normalized", "--style", "words")
      #expect(export.output == "Me: five six Slabz Off\n")
      let labelled = try await run("export", "last", "--normalize", "--style", "words").output
      #expect(labelled.contains("]\nfive six Slabz Off\n"), "\(labelled)")
    }

    @Test func onlyNormalizedTextHasTheNamedVocabulary() async throws {
      try makeCall()
      try folder.write(#"{name: "w", corrections: [{heard: "five", text: "Fiver"}]}"#, to: "w.json5")
      let path = folder.path("w.json5")
      let named = ["export", "last", "--only-normalized", "--style", "words", "--vocabulary", path]
      let result = try await LonghandProcess(named, environment: environment).result()
      #expect(result.output == "Me: Fiver six slabs of\n", "\(result.errors)")
      // A session without a vocabulary of its own has one that is named.
      try makeSession()
      try folder.write(#"{name: "w", corrections: [{heard: "hello", text: "Hallo"}]}"#, to: "w.json5")
      let other = try await LonghandProcess(named, environment: environment).result()
      #expect(other.output == "Hallo there\n", "\(other.errors)")
    }

    /// The segment that was divided off stays without words.
    @Test(arguments: ["hello there", "Hello, there!", "guten Tag", "добрый день"])
    func divisionThatWasUndoneIsNoLine(text: String) async throws {
      let store = try Library(at: URL(fileURLWithPath: folder.path("library"))).store
      let session = RecordedSession(
        source: "hello.wav", locale: "en-US", engine: "analyzer", start: .now, state: .complete)
      try store.begin(session)
      let parts = text.split(separator: " ").map(String.init)
      let words = parts.enumerated().map { index, part in
        Word(text: part, start: Double(index), end: Double(index) + 1, confidence: nil)
      }
      let candidate = Candidate(text: text, words: words, confidence: nil)
      try store.append(Segment(id: 0, start: 0, end: 2, candidates: [candidate]), to: session.id)
      try store.edit([0], to: parts, in: session.id)
      try store.undo(in: session.id)
      for style in ["words", "sentences"] {
        let shown = try await run("show", "last", "--style", style)
        #expect(shown.outputLines.count == 1, "\(shown.output)")
      }
    }

    /// Where no file can get a byte.
    @Test(arguments: ["sessions", "show last", "export last --format txt", "search hello"])
    func storeIsReadOnFullDisk(command: String) async throws {
      try makeSession()
      let result = try await LonghandProcess(
        ["trap '' XFSZ; ulimit -f 0; exec longhand \(command)"], environment: environment, shell: true
      ).result()
      #expect(result.errors == "")
      #expect(result.status == 0)
      #expect(result.output.lowercased().contains("hello"))
    }

    @Test func importedFileIsListedShownFoundAndExported() async throws {
      let id = try await importFile(Recordings.long)
      let short = try await importFile(Recordings.short)
      let sessions = try await run("sessions")
      #expect(sessions.outputLines.count == 2)
      #expect(sessions.output.contains("complete"))
      let json = try await run("sessions", "--json").output
      let listed = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
      #expect(listed?.count == 2)
      #expect(listed?.contains { $0["id"] as? String == id } == true)

      let plain = try await Recordings.transcribed(Recordings.long, "--style", "words").output
      let shown = try await run("show", String(id.prefix(6)), "--style", "words")
      #expect(shown.status == 0)
      #expect(Self.texts(shown) == plain)

      let exported = try await run("export", id, "--json").output
      let transcribed = try await Recordings.transcribed(Recordings.long, "--json").output
      #expect(
        exported == transcribed, "the library keeps the transcript as it is, evidence and all")
      let vtt = try await run("export", "last", "-o", folder.path("short.vtt"))
      #expect(vtt.status == 0)
      #expect(try folder.read("short.vtt").hasPrefix("WEBVTT"))
      #expect(try await run("export", short, "-o", folder.path("short.vtt")).status == 1, "it exists")
      // A folder is made, as for `transcribe`.
      let several = try await run(
        "export", short, "--format", "srt,txt", "--offset", "3600", "--output-dir", folder.path("a/b"))
      #expect(several.status == 0)
      #expect(several.output.isEmpty)
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("a/b"))
      #expect(files.count == 2)
      let captions = try folder.read("a/b/\(#require(files.first { $0.hasSuffix(".srt") }))")
      #expect(captions.contains("\n01:00:0") && !captions.contains("\n00:"), "\(captions)")
      let nowhere = try await run("export", short, "-o", folder.path("none/short.vtt"))
      #expect(nowhere.status == 1)
      #expect(nowhere.errors.contains("mkdir -p"))

      let words = plain.split(whereSeparator: \.isWhitespace).map(String.init)
      let longest = try #require(words.max { $0.count < $1.count })
      let found = try await run("search", String(longest.dropLast()))
      #expect(found.outputLines.contains { $0.hasPrefix(id.prefix(8)) && $0.lowercased().contains(longest) })
      let none = try await run("search", "zzyzx")
      #expect(none.status == 1)
      #expect(none.output.isEmpty)
      #expect(none.errors.contains("Nothing was found for 'zzyzx'."))
      #expect(try await run("search", "\" OR * NEAR(").errors.contains("Nothing was found"))
    }

    @Test func everySecondIsAccountedFor() async throws {
      let id = try await importFile(Recordings.long)
      let text = try await run("coverage", id)
      #expect(text.output.contains("transcribed"))
      #expect(text.output.contains("total"))
      struct Report: Decodable {
        var duration: Double
        var coverage: Coverage
        var spans: [CoverageSpan]
      }
      let json = try await run("coverage", id, "--json").output
      let report = try JSONDecoder().decode(Report.self, from: Data(json.utf8))
      let seconds = try Recordings.seconds(of: Recordings.long)
      #expect(abs(report.duration - seconds) < 0.001)
      #expect(report.spans.first?.start == 0)
      #expect(report.spans.last?.end == report.duration)
      #expect(zip(report.spans, report.spans.dropFirst()).allSatisfy { $0.end == $1.start })
      #expect(report.coverage.transcribed > 0)
      #expect(report.coverage.pending == 0)
    }

    @Test func deletedSessionLeavesNoTrace() async throws {
      let id = try await importFile(Recordings.long)
      let kept = try await importFile(Recordings.short)
      let words = try await run("show", id).output.split(whereSeparator: { !$0.isLetter }).map(String.init)
      let others = try await run("show", kept).output
      let rare = words.filter { $0.count > 6 && !others.contains($0) }
      try #require(!rare.isEmpty)
      // The negative control: as long as it is there, it is found.
      let before = try bytes()
      #expect(rare.contains { before.range(of: Data($0.utf8)) != nil })
      #expect(try await run("delete", id).status == 0)
      let after = try bytes()
      #expect(rare.allSatisfy { after.range(of: Data($0.utf8)) == nil })
      #expect(!folder.has("library/recordings/\(id)"))
      #expect(folder.has("library/recordings/\(kept)"))
      #expect(try await run("show", kept).output == others)
      let again = try await run("show", id)
      #expect(again.status == 1)
      #expect(again.errorLines.count == 1)
      #expect(again.errors.contains("No session"))
    }

    @Test func onlyItsOwnerMayReadTheLibrary() async throws {
      _ = try await importFile(Recordings.short)
      let names =
        FileManager.default.enumerator(atPath: folder.path("library"))?.allObjects as? [String] ?? []
      #expect(names.count >= 5)
      for name in names + ["."] {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("library/\(name)"))
        let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
        #expect(mode & 0o077 == 0, "\(name)")
      }
    }

    /// Killed at any moment of an import; 30 times in `make soak`.
    @Test func killedRecordingIsRecoveredAndASecondRecoveryChangesNothing() async throws {
      let recording = isSoak ? Recordings.long : Recordings.short
      let plain = try await Recordings.transcribed(recording, "--style", "words").output
      var resumed = 0
      for round in 0..<(isSoak ? 30 : 4) {
        try? FileManager.default.removeItem(atPath: folder.path("library"))
        // Any moment of the process, and then moments of the import itself; in the last round one that does not end.
        let process = try LonghandProcess(
          ["import", recording],
          environment: environment.merging(round % 4 == 3 ? Self.hanging : [:]) { $1 })
        if round % 4 > 0 { await waitForRecording(by: process) }
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...(round % 4 == 1 ? 20 : 1000))))
        process.send(SIGKILL)
        _ = try await process.result()
        let recovered = try await run("recover")
        #expect(recovered.status == 0)
        #expect(recovered.errors.isEmpty)
        let sessions = try await run("sessions").outputLines
        guard !sessions.isEmpty else { continue }
        #expect(sessions.count == 1)
        #expect(sessions[0].contains("complete"))
        resumed += recovered.outputLines.count
        // What was not copied before is copied now.
        #expect(try Self.seconds(of: folder) == Recordings.seconds(of: recording))
        #expect(Self.texts(try await run("show", "last", "--style", "words")) == plain)
        let before = try bytes()
        let second = try await run("recover")
        #expect(second.status == 0)
        #expect(second.output.isEmpty)
        #expect(try bytes() == before)
      }
      #expect(resumed > 0, "no import was interrupted")
    }

    /// The seconds of audio of the only recording.
    private static func seconds(of folder: TemporaryFolder) throws -> Double {
      Double(folder.recordedSamples.count) / 32_000
    }

    /// The environment in which the recognizer never answers.
    private static let hanging = LonghandProcess.faultyService(pieces: "0", of: "whisper-service")
      .merging(["SPEECH_FAULTY_WAY": "hang"]) { $1 }

    /// Waits until an import has begun to copy, or has ended.
    private func waitForRecording(by process: LonghandProcess) async {
      let recordings = folder.path("library/recordings")
      await process.watch {
        (try? FileManager.default.contentsOfDirectory(atPath: recordings))?.isEmpty != false
      }
    }

    @Test func anInterruptedImportIsTakenUp() async throws {
      let process = try LonghandProcess(["import", Recordings.long], environment: environment)
      await waitForRecording(by: process)
      process.send(SIGINT)
      let result = try await process.result()
      guard result.status == 130 else { return #expect(result.status == 0) }
      #expect(try await run("recover").outputLines.count == 1)
      #expect(try await run("sessions").output.contains("complete"))
    }

    @Test func failedImportLeavesNothing() async throws {
      try folder.write("no sound", to: "text.wav")
      for (name, expected) in [("text.wav", "Cannot decode any audio"), ("none.wav", "o such file")] {
        let result = try await run("import", folder.path(name))
        #expect(result.status == 1)
        #expect(result.errorLines.count == 1)
        #expect(result.errors.contains(expected))
      }
      #expect(try await run("sessions").output.isEmpty)
      // One bad file does not keep another out.
      let mixed = try await run("import", folder.path("text.wav"), Recordings.short)
      #expect(mixed.status == 1)
      #expect(mixed.outputLines.count == 1)
      #expect(try await run("sessions").outputLines.count == 1)
    }

    @Test(
      arguments: [
        (["show"], 2, "The argument ID is missing."), (["show", "last"], 1, "No session has an ID"),
        (["import"], 2, "No input file."),
        (["import", "-"], 2, "standard input"), (["search"], 2, "The argument TEXT is missing."),
        (["export", ""], 1, "No session has an ID"),
        (["sessions", "--library", ""], 2, "empty"), (["delete", "ffff"], 1, "No session has an ID"),
        (["sessions", "x"], 2, "Unexpected argument 'x'."),
      ] as [([String], Int32, String)])
    func mistakesAreNamed(_ arguments: [String], _ status: Int32, _ expected: String) async throws {
      let result = try await LonghandProcess(arguments, environment: environment).result()
      #expect(result.status == status)
      #expect(result.errorLines.count == 1)
      #expect(result.errors.contains(expected))
      #expect(result.output.isEmpty)
    }

    @Test func errorsForProgramsHaveTheSessionAndAHint() async throws {
      let result = try await run("show", "nosuch", "--json-errors")
      let json =
        try JSONSerialization.jsonObject(with: Data(result.errors.utf8)) as? [String: [String: String]]
      #expect(json?["error"]?["input"] == "nosuch")
      #expect(json?["error"]?["code"] == "library")
      #expect(json?["error"]?["hint"] == "Run 'longhand sessions' to list all sessions.")
    }

    @Test func aLibraryThatIsNoneIsSaidToBe() async throws {
      try folder.write("not a database, whatever its name", to: "library/transcripts.sqlite")
      let result = try await run("sessions")
      #expect(result.status == 1)
      #expect(result.errors.contains("t is not a transcript store"))
      #expect(try folder.read("library/transcripts.sqlite").hasPrefix("not a database"))
    }
  }
}
