import Foundation
import TestSupport
import Testing

extension LongRecognizerTests {
  /// `worker`: the protocol that Spark, Slurm and `xargs` rely on.
  @Suite struct WorkerTests {
    /// What the tests read of an answer.
    private struct Answer: Decodable {
      struct Problem: Decodable {
        var code: String
        var input: String?
      }
      var id: String?
      var status: String
      var sha256: String?
      var audioSeconds: Double
      var processorSeconds: Double
      var error: Problem?
    }

    private let folder: TemporaryFolder
    init() throws {
      folder = try TemporaryFolder()
      try folder.write("this is no audio", to: "text.wav")
      try folder.write(Data(), to: "empty.wav")
    }

    private static func job(_ id: String, _ path: String, _ options: String = "{}") -> String {
      #"{"id": "\#(id)", "path": "\#(path)", "options": \#(options)}"#
    }

    private static func answers(_ text: String) throws -> [Answer] {
      try text.split(separator: "\n").map { try JSONDecoder().decode(Answer.self, from: Data($0.utf8)) }
    }

    /// The document of `transcribe --json` as one line.
    private static func line(of document: String) -> String {
      [
        ("[\n    ", "["), (",\n    ", ", "), ("\n  ]", "]"), ("{\n  ", "{"), (",\n  ", ", "), ("\n}\n", "}"),
      ]
      .reduce(document) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }

    /// Eight jobs, four a process, three of them bad. Each process writes its own file: lines are longer than what a pipe
    /// takes at once.
    @Test func everyJobOfXargsHasOneAnswerWithTheTextOfTranscribe() async throws {
      let paths = isSoak ? Recordings.paths : [Recordings.short, Recordings.paths[4]]
      let good = paths.enumerated().map { ("good-\($0)", $1) }
      let bad = ["text.wav", "empty.wav", "missing.wav"].map { ("bad-\($0)", $0) }
      let jobs = (good + bad).shuffled().map { Self.job($0.0, $0.1) }
      try folder.write(jobs.joined(separator: "\n") + "\n", to: "jobs.jsonl")
      let result = try await LonghandProcess.shell(
        """
        xargs -d '\\n' -n 4 -P 2 sh -c 'printf "%s\\n" "$@" | longhand worker >answers-$$' sh <jobs.jsonl
        echo "status $?" >&2; cat answers-*
        """, in: folder.url)
      #expect(result.errorLines.last == "status 0")
      let answers = try Self.answers(result.output)
      #expect(answers.compactMap(\.id).sorted() == (good + bad).map(\.0).sorted())
      for answer in answers where answer.id?.hasPrefix("bad") == true {
        #expect(answer.status == "failed")
        #expect(answer.error?.input == answer.id?.dropFirst(4).description)
      }
      for (id, path) in good {
        let answer = try #require(answers.first { $0.id == id })
        let line = try #require(result.outputLines.first { $0.hasPrefix(#"{"id": "\#(id)""#) })
        #expect(answer.status == "ok")
        let document = Self.line(of: try await Recordings.transcribed("--json", path).output)
        #expect(line.contains(#""transcript": \#(document), "spans": ["#))
        // A tenth of what the recognizer needs for this speech, and many times what the worker itself needs.
        #expect(answer.processorSeconds > 0.03 * answer.audioSeconds)
      }
      #expect(try await schemaProblems(in: result.outputLines) == "[]\n")
    }

    /// Whether the lines are as `Schemas/worker.schema.json` says, as a list of problems.
    private func schemaProblems(in lines: [String]) async throws -> String {
      try folder.write(lines.joined(separator: "\n"), to: "lines.jsonl")
      let program = """
        import json, sys, jsonschema, referencing
        transcript, worker = (json.load(open(f"Schemas/{name}.schema.json")) for name in ("transcript", "worker"))
        resource = referencing.Resource.from_contents(transcript)
        registry = referencing.Registry().with_resource("urn:longhand:transcript:1", resource)
        jsonschema.Draft202012Validator.check_schema(worker)
        validator = jsonschema.Draft202012Validator(worker, registry=registry)
        broken = [{"id": "a", "status": "ok"}, {"id": "a", "status": "failed", "audioSeconds": 0, "processorSeconds": 0}]
        assert all(list(validator.iter_errors(line)) for line in broken)
        print([e.message[:200] for line in open(sys.argv[1]) for e in validator.iter_errors(json.loads(line))])
        """
      try folder.write(program, to: "validate.py")
      let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
      return try await LonghandProcess.shell(
        "$(Scripts/test-python) '\(folder.path("validate.py"))' '\(folder.path("lines.jsonl"))'", in: package
      ).output
    }

    @Test func badLinesAndBadOptionsAreAnsweredAndHarmNoOther() async throws {
      let lines = [
        "not json", "", #"{"path": "a.wav"}"#, #"{"id": "key", "path": "a", "option": {}}"#,
        Self.job("unknown", Recordings.short, #"{"colour": "red"}"#),
        Self.job("kind", Recordings.short, #"{"alternatives": true}"#),
        Self.job("number", Recordings.short, #"{"alternatives": 1000}"#),
        Self.job("locale", Recordings.short, #"{"locale": "tlh"}"#),
        Self.job("remote", "https://localhost/a.wav"), Self.job("input", "/dev/stdin"),
        Self.job("long", String(repeating: "x", count: 1 << 20)),
        // The last line has no line break.
        Self.job("good", Recordings.short, #"{"alternatives": 1}"#),
      ]
      let input = Data(lines.joined(separator: "\n").utf8)
      let result = try await LonghandProcess.run("worker", input: .bytes(input), in: folder.url)
      #expect(result.status == 0)
      let answers = try Self.answers(result.output)
      #expect(
        answers.map(\.id) == [
          nil, nil, "key", "unknown", "kind", "number", "locale", "remote", "input", nil, "good",
        ])
      #expect(
        answers.map { $0.error?.code ?? "none" } == [
          "malformed", "malformed", "malformed", "malformed", "malformed", "usage", "unsupported_locale",
          "unreadable", "unreadable", "malformed", "none",
        ])
      #expect(answers.last?.status == "ok")
      #expect(result.outputLines.last?.contains(#""alternatives": [{"text": "#) == true)
      #expect(try await schemaProblems(in: result.outputLines) == "[]\n")
    }

    /// With a format, the answer has the document as `transcribe` prints it; JSON lines come while they are recognized.
    @Test func documentIsThatOfTranscribe() async throws {
      let options = [
        ("srt", #"{"format": "srt"}"#, ["--format", "srt"]),
        ("tsv", #"{"format": "tsv", "alternatives": 1}"#, ["--format", "tsv", "--alternatives", "1"]),
        ("json", #"{"format": "json"}"#, ["--format", "json"]),
        ("speakers", #"{"format": "rttm", "speakers": "1"}"#, ["--format", "rttm", "--speakers", "1"]),
        (
          "lines", #"{"format": "jsonl", "word-timestamps": true}"#,
          ["--format", "jsonl", "--word-timestamps"]
        ),
      ]
      let plain = Self.job("plain", Recordings.short)
      let raw = try folder.write(
        Data(try Data(contentsOf: URL(fileURLWithPath: Recordings.short)).dropFirst(44)), to: "short.raw")
      let jobs =
        options.map { Self.job($0.0, Recordings.short, $0.1) } + [
          Self.job("two formats", Recordings.short, #"{"format": "srt,vtt"}"#),
          Self.job("raw", raw, #"{"format": "txt", "raw": "s16le:16000:1"}"#), plain,
        ]
      let result = try await LonghandProcess.run(
        "worker", input: .bytes(Data(jobs.joined(separator: "\n").utf8)), in: folder.url)
      #expect(result.status == 0)
      #expect(try await schemaProblems(in: result.outputLines) == "[]\n")
      let lines = try result.outputLines.map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      func document(_ id: String) -> String {
        lines.filter { $0["id"] as? String == id }.compactMap { $0["document"] as? String }.joined()
      }
      for (id, _, arguments) in options {
        let printed = try await LonghandProcess(["transcribe"] + arguments + [Recordings.short]).result()
        #expect(document(id) == printed.output, "\(id)")
        #expect(!printed.output.isEmpty, "\(id)")
      }
      #expect(
        lines.filter { $0["id"] as? String == "lines" }.map { $0["status"] as? String }.first == "running")
      #expect(
        lines.filter { $0["status"] as? String == "running" }.allSatisfy { $0["id"] as? String == "lines" })
      #expect(document("raw") == (try await LonghandProcess.run("transcribe", Recordings.short).output))
      let refused = try #require(lines.first { $0["id"] as? String == "two formats" })
      #expect((refused["error"] as? [String: Any])?["code"] as? String == "usage")
      // Without a format, the transcript.
      let last = try #require(result.outputLines.last)
      #expect(last.contains(#""transcript": {"version": "#))
      #expect(!last.contains(#""document""#))
    }

    /// A line depends on its job, the audio, the model and the version alone.
    @Test func linesAreTheSameInOtherSurroundings() async throws {
      let jobs = [
        Self.job("one", "speech.wav"), Self.job("two", "speech.wav", #"{"alternatives": 2}"#),
        Self.job("toy", "words.wav", #"{"model": "toy-ctc"}"#), Self.job("bad", "text.wav"),
      ]
      let surroundings = [
        ("a", "1", ["LANG": "C", "TZ": "UTC"]),
        ("a folder/\u{E9}", "3", ["LANG": "de_DE.UTF-8", "LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Kathmandu"]),
      ]
      var outputs: [[String]] = []
      for (name, services, variables) in surroundings {
        let place = folder.url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try Recordings.repeated(seconds: 20, to: place.appendingPathComponent("speech.wav").path)
        try FileManager.default.copyItem(
          at: ToyModel.models.appendingPathComponent("recordings/words-01.wav"),
          to: place.appendingPathComponent("words.wav"))
        try FileManager.default.copyItem(
          atPath: folder.path("text.wav"), toPath: place.appendingPathComponent("text.wav").path)
        let home = ["HOME": place.path, "XDG_DATA_HOME": place.path + "/data", "TMPDIR": place.path]
        let environment = variables.merging(home) { $1 }
        let model = try await LonghandProcess.run(
          "models", "import", ToyModel.models.path + "/toy-ctc", "--language", "en", environment: environment)
        try #require(model.status == 0, "\(model.errors)")
        let result = try await LonghandProcess.run(
          "worker", "--jobs", services, input: .bytes(Data(jobs.joined(separator: "\n").utf8)),
          environment: environment, in: place)
        #expect(result.status == 0)
        outputs.append(
          result.outputLines.map { $0.replacing(/"processorSeconds": [0-9.]+/, with: "") })
      }
      #expect(outputs[0].count == jobs.count)
      #expect(outputs[0] == outputs[1])
      #expect(
        outputs[0].first?.contains(#""model": {"name": "\#(TestedRecognizer.current.model)", "#) == true)
      #expect(outputs[0].contains { $0.contains(#""model": {"name": "toy-ctc", "sha256": ""#) })
    }

    @Test func signalEndsItAfterAWholeLine() async throws {
      try Recordings.repeated(seconds: 1800, to: folder.path("long.wav"))
      let result = try await LonghandProcess.shell(
        """
        mkfifo jobs; longhand worker <jobs >answers & process=$!
        exec 3>jobs; echo '\(Self.job("first", Recordings.short))' >&3
        until [ -s answers ]; do sleep 0.05; done
        echo '\(Self.job("second", "long.wav"))' >&3
        sleep 0.3; kill -TERM $process; wait $process; echo "status $?"; cat answers
        """, in: folder.url)
      #expect(result.outputLines.first == "status 143")
      #expect(try Self.answers(result.outputLines.dropFirst().joined(separator: "\n")).map(\.id) == ["first"])
    }

    /// The second job takes minutes, and standard input stays open.
    @Test func aReaderThatLeavesEndsIt() async throws {
      try Recordings.repeated(seconds: 1800, to: folder.path("long.wav"))
      let result = try await LonghandProcess.shell(
        """
        mkfifo jobs; { longhand worker <jobs; echo "status $?" >&2; } | head -n 1 >answers & process=$!
        exec 3>jobs; echo '\(Self.job("first", Recordings.short))' >&3
        echo '\(Self.job("second", "long.wav"))' >&3; wait $process
        """, in: folder.url)
      #expect(result.errors == "status 1\n")
      #expect(try Self.answers(try folder.read("answers")).map(\.id) == ["first"])
    }

    @Test func remoteLocationsAreFetchedByTheCommandAlone() async throws {
      try folder.write(
        "case $1 in memory://short) exec cat '\(Recordings.short)';; *) echo no such object >&2; exit 7;; esac",
        to: "fetch.sh")
      let jobs = [
        Self.job("good", "memory://short"), Self.job("bad", "memory://$(touch harm);`touch harm`"),
        Self.job("file", URL(fileURLWithPath: folder.path("empty.wav")).absoluteString),
      ]
      let result = try await LonghandProcess.run(
        "worker", "--allow-remote", "--fetch", "sh fetch.sh {url}",
        input: .bytes(Data(jobs.joined(separator: "\n").utf8)), environment: ["TMPDIR": folder.url.path],
        in: folder.url)
      let answers = try Self.answers(result.output)
      #expect(answers.map(\.status) == ["ok", "failed", "failed"])
      #expect(answers[1].error?.code == "unreadable")
      #expect(answers[2].error?.code == "empty")
      // Neither a command out of the URL nor a copy is left.
      #expect(folder.names == ["empty.wav", "fetch.sh", "text.wav"])
    }

    /// Without a temporary folder, nothing is read of what the command writes.
    @Test func commandThatIsNotReadToItsEndIsEnded() async throws {
      let result = try await LonghandProcess.run(
        "worker", "--allow-remote", "--fetch", "sh -c 'exec head -c 1000000 /dev/zero' {url}",
        input: .bytes(Data(Self.job("a", "memory://a").utf8)),
        environment: ["TMPDIR": folder.path("missing")], in: folder.url)
      #expect(result.status == 0)
      #expect(try Self.answers(result.output).map(\.error?.code) == ["output"])
    }

    /// With an end of a pipe of its own, a command would neither see its reader leave nor end its output.
    @Test func commandHasOneEndOfItsPipe() async throws {
      let script = """
        pipe=$(readlink /proc/$$/fd/1); all=$(ls -l /proc/$$/fd)
        grep SigIgn /proc/$$/status | cut -f 2 >ignored
        echo "$pipe" >pipe; echo "$all" >descriptors; exec cat "\(Recordings.short)"
        """
      let result = try await LonghandProcess.run(
        "worker", "--allow-remote", "--fetch", "sh -c '\(script)' {url}",
        input: .bytes(Data(Self.job("a", "memory://a").utf8)), in: folder.url)
      #expect(try Self.answers(result.output).map(\.status) == ["ok"])
      let pipe = try folder.read("pipe").trimmingCharacters(in: .newlines)
      #expect(pipe.hasPrefix("pipe:["))
      #expect(try folder.read("descriptors").components(separatedBy: pipe).count == 2)
      // A pipeline of the command needs SIGPIPE, and `timeout` the others.
      let ignored = try #require(UInt64(folder.read("ignored").trimmingCharacters(in: .newlines), radix: 16))
      for number in [SIGINT, SIGPIPE, SIGTERM] { #expect(ignored & 1 << UInt64(number - 1) == 0) }
    }

    @Test func signalEndsItWhileACommandDoesNotEnd() async throws {
      try folder.write("cat '\(Recordings.short)'; exec >&-; touch written; exec sleep 1000", to: "fetch.sh")
      let result = try await LonghandProcess.shell(
        """
        mkfifo jobs; longhand worker --allow-remote --fetch 'sh fetch.sh {url}' <jobs & process=$!
        exec 3>jobs; echo '\(Self.job("a", "memory://a"))' >&3
        until [ -e written ]; do sleep 0.05; done
        kill -TERM $process; wait $process; echo "status $?"
        """, environment: ["TMPDIR": folder.url.path], in: folder.url)
      #expect(result.output == "status 143\n")
      // No copy is left.
      #expect(folder.names == ["empty.wav", "fetch.sh", "jobs", "text.wav", "written"])
    }

    /// Memory and descriptors after many files. The slope is that of the second half.
    @Test func memoryStaysFlatOverManyFiles() async throws {
      let count = isSoak ? 10_000 : 60
      let environment = try ToneRecognizer.environment(in: folder)
      try ToneRecognizer.write([0], to: folder.path("word.wav"))
      let result = try await LonghandProcess.shell(
        """
        mkfifo jobs; longhand worker <jobs >answers & process=$!
        exec 3>jobs
        for number in $(seq \(count)); do
          echo '{"id": "'$number'", "path": "'word.wav'"}' >&3
          until [ $(wc -l <answers) -ge $number ]; do sleep 0.01; done
          if [ $number = \(count / 2) ] || [ $number = \(count) ]; then
            awk '/VmRSS/ {print $2}' /proc/$process/status; ls /proc/$process/fd | wc -l
          fi
        done
        exec 3>&-; wait $process; echo $?; grep -c '"status": "ok"' answers
        """, environment: environment, in: folder.url)
      let numbers = result.outputLines.compactMap { Int($0) }
      try #require(numbers.count == 6)
      #expect(numbers[4] == 0)
      #expect(numbers[5] == count)
      #expect(numbers[3] <= numbers[1])
      // In KB. A short run only finds what is lost by the megabyte.
      #expect(numbers[2] - numbers[0] < (isSoak ? count / 2 : 8_000))
    }
  }
}
