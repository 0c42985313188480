import Foundation
import Longhand
import TestSupport
import Testing

@testable import LonghandServer

/// Uploads, transcribed by a shell script instead of `longhand worker`.
@Suite(.tagged(.childProcess)) struct TranscriptionProcessTests {
  private static let form = Data(
    """
    --b\r\nContent-Disposition: form-data; name=model\r\n\r\nlonghand\r
    --b\r\nContent-Disposition: form-data; name=response_format\r\n\r\nFORMAT\r
    --b\r\nContent-Disposition: form-data; name=stream\r\n\r\nSTREAM\r
    --b\r\nContent-Disposition: form-data; name=language\r\n\r\nLANGUAGE\r
    --b\r\nContent-Disposition: form-data; name=file; filename=a.wav\r\n\r\naudio\r\n--b--
    """.utf8)

  private func connection(
    to server: TestServer, at path: String = "/v1/audio/transcriptions", format: String = "srt",
    isStream: Bool = false, language: String = ""
  ) throws -> HTTPConnection {
    let body = String(decoding: Self.form, as: UTF8.self)
      .replacingOccurrences(of: "FORMAT", with: format)
      .replacingOccurrences(of: "STREAM", with: isStream ? "true" : "false")
      .replacingOccurrences(of: "LANGUAGE", with: language)
    let connection = try HTTPConnection(port: server.port)
    try connection.send(
      "POST", path,
      [
        "Content-Type": "multipart/form-data; boundary=b",
        "Authorization": "Bearer \(server.token?.text ?? "")",
      ], body: Data(body.utf8), port: server.port)
    return connection
  }

  /// A worker: for each job it runs `body`, in which `answer` prints the document of the job, `part` a part of it, and
  /// `refuse` an error.
  static func worker(_ body: String) throws -> ExecutableScript {
    try ExecutableScript(
      #"""
      say() { printf '{"id": "%s", "status": "%s", "%s": %s}\n' "$id" "$1" "$2" "$3"; }
      part() { say running document "\"$1\\n\""; }
      answer() { say ok document "\"$1\\n\""; }
      refuse() { say failed error "$1"; }
      jobs=0
      while read -r job; do
        id=${job#*'"id": "'}
        id=${id%%'"'*}
        jobs=$((jobs + 1))
        \#(body)
      done
      """#)
  }

  private func answer(
    of body: String, format: String = "srt", isStream: Bool = false, language: String = ""
  ) async throws -> HTTPConnection.Response {
    let script = try Self.worker(body)
    var answer: HTTPConnection.Response?
    try await TestServer.run(program: script.url) { server in
      answer = try connection(to: server, format: format, isStream: isStream, language: language).response()
    }
    return try #require(answer)
  }

  /// What was printed before the end is not the whole text.
  @Test(arguments: ["KILL", "TERM", "INT"])
  func interruptedTranscriptionIsAnError(_ signal: String) async throws {
    // What a shell starts in the background ignores SIGINT, and so do its children.
    let end = "exec env --default-signal sh -c 'kill -\(signal) $$'"
    let answer = try await answer(of: "part short; \(end)")
    #expect(answer.status == 500)
    #expect(answer.code == "interrupted")
    let caught = try await self.answer(of: "part short; exit 143")
    #expect(caught.code == "interrupted")
  }

  @Test func interruptedStreamEndsWithAnError() async throws {
    let final = #"{\"type\": \"final\", \"text\": \"short\", \"start\": 0, \"end\": 1}"#
    let end = #"{\"type\": \"end\"}"#
    let answer = try await answer(
      of: "part '\(final)'; part '\(end)'; kill -KILL $$", format: "json", isStream: true)
    #expect(answer.status == 200)
    #expect(answer.text.contains("transcript.text.delta"))
    #expect(!answer.text.contains("transcript.text.done"))
    #expect(answer.text.contains("interrupted"))
  }

  /// A stream is written as the answer that is sent whole: each segment after a pause, in the language that was
  /// detected or named, and without echoes of another channel.
  @Test(
    arguments: [
      ("zh", ["扎", "自己的", "脚"], "扎自己的脚"), ("th", ["ต่าง", "มี"], "ต่างมี"), ("ko", ["한국", "말"], "한국 말"),
      ("en", ["the train was late", "we waited for an hour"], "The train was late. We waited for an hour."),
    ])
  func streamHasTheSpacesAndMarksOfItsWriting(
    _ language: String, _ segments: [String], _ expected: String
  ) async throws {
    for isDetected in [true, false] {
      var time = 0.0
      var lines: [String] = []
      for (number, text) in segments.enumerated() {
        var words: [String] = []
        for word in text.split(separator: " ") {
          words.append(#"{"text": "\#(word)", "start": \#(time), "end": \#(time + 0.3)}"#)
          time += 0.3
        }
        time += 1.4
        let member = isDetected ? #""language": "\#(language)", "# : ""
        lines.append(
          #"{"type": "final", "segment": \#(number), "text": "\#(text)", \#(member)"start": 0, "end": 9, "#
            + #""words": [\#(words.joined(separator: ", "))]}"#)
      }
      lines.append(
        #"{"type": "final", "segment": 8, "text": "echo", "echo": true, "start": 9, "end": 9, "words": []}"#)
      let parts = lines.map { "part '\($0.replacingOccurrences(of: "\"", with: #"\""#))'; " }.joined()
      let answer = try await answer(
        of: parts + #"answer '{\"type\": \"end\"}'"#, format: "json", isStream: true,
        language: isDetected ? "" : language)
      let events = answer.text.split(separator: "\n").compactMap { line -> [String: Any]? in
        guard line.hasPrefix("data: {") else { return nil }
        return (try? JSONSerialization.jsonObject(with: Data(line.dropFirst(6).utf8))) as? [String: Any]
      }
      #expect(events.compactMap { $0["delta"] as? String }.joined() == expected)
      #expect(events.last?["text"] as? String == expected)
    }
  }

  /// A failure after the first captions is not hidden by them.
  @Test func failureAfterSomeTextIsAnError() async throws {
    let answer = try await answer(
      of: #"part short; refuse '{"code": "undecodable", "message": "It is damaged."}'"#)
    #expect(answer.status == 400)
    #expect(answer.code == "undecodable")
    let rest = try await self.answer(of: Self.incomplete("rest\\n", transcribed: 2))
    #expect(rest.status == 200)
    #expect(rest.text == "rest\n")
    #expect(rest.headers["x-longhand-failed-seconds"] == "3.5")
  }

  /// Without a word of the rest, captions look as if nothing were said.
  @Test(arguments: ["srt", "vtt"]) func failureWithoutAnyTextIsAnError(_ format: String) async throws {
    let answer = try await answer(of: Self.incomplete("", transcribed: 0), format: format)
    #expect(answer.status == 500)
    #expect(answer.code == "incomplete")
    #expect(answer.text.contains("3.5 seconds"))
  }

  /// The language of speech that was not recognized is not known.
  @Test func failureToHearALanguageIsAnError() async throws {
    let script = try Self.worker(Self.incomplete("", transcribed: 0))
    try await TestServer.run(program: script.url) { server in
      let answer = try connection(to: server, at: "/detect-language").response()
      #expect(answer.status == 500)
      #expect(answer.code == "incomplete")
    }
  }

  /// The answer of a worker whose recognizer failed on a part of the audio.
  private static func incomplete(_ document: String, transcribed: Int) -> String {
    let coverage =
      #"{"transcribed": \#(transcribed), "silent": 0, "wordless": 0, "nonspeech": 0, "pending": 0, "#
      + #""failed": 3.5, "gaps": 0}"#
    let error = #"{"code": "incomplete", "message": "3.5 seconds failed."}"#
    return #"say failed document '"\#(document)", "coverage": \#(coverage), "error": \#(error)'"#
  }

  /// The server's own model does not know the client's language; without one, the model is missing.
  @Test(arguments: [("de", 400), ("", 500)])
  func aLanguageThatTheModelDoesNotKnowIsTheClients(language: String, status: Int) async throws {
    let answer = try await answer(
      of: #"refuse '{"code": "not_installed", "message": "The model does not recognize de."}'"#,
      language: language)
    #expect(answer.status == status)
    #expect(answer.code == "not_installed")
  }

  /// A worker would copy raw audio to a file with a name, and leave it there when it is killed.
  @Test(arguments: ["/asr", "/detect-language"])
  func rawAudioReachesAWorkerAsAFile(_ path: String) async throws {
    let script = try Self.worker(
      #"""
      path=${job#*'"path": "'}
      path=${path%%'"'*}
      case "$job" in *'"raw"'*) exit 1 ;; esac
      [ "$(head -c 4 "$path") $(wc -c <"$path")" = "RIFF 84" ] || exit 1
      answer text
      """#)
    try await TestServer.run(program: script.url) { server in
      let status = try connection(to: server, at: "\(path)?encode=false").response().status
      #expect(status == 200)
    }
  }

  @Test func stoppingServerSaysSo() async throws {
    let script = try Self.worker("part short; sleep 1000")
    let server = try TestServer(program: script.url)
    let connection = try connection(to: server)
    #expect(await eventually { server.hasTranscription })
    // Not at the same time: the end needs a thread of the pool, and reading would occupy one.
    await server.end()
    let answer = try connection.response()
    #expect(answer.status == 503)
    #expect(answer.code == "stopping")
  }

  /// `shutdown(SHUT_WR)` after the request: the client still waits for the answer.
  @Test func clientThatSendsNothingMoreGetsItsAnswer() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("go-\(UUID().uuidString)")
    let script = try Self.worker(
      "while [ ! -e '\(file.path)' ]; do sleep 0.05; done; answer text; rm '\(file.path)'")
    try await TestServer.run(program: script.url) { server in
      let connection = try connection(to: server)
      #expect(await eventually { server.hasTranscription })
      connection.finishSending()
      // The interim response, which shows that the server has noticed it.
      #expect(try connection.hasInterimResponse())
      try Data().write(to: file)
      let answer = try connection.response()
      #expect(answer.status == 200)
      #expect(answer.text == "text\n")
    }
  }

  /// The work of a client that leaves ends at once, also in a worker that has done other work.
  @Test func clientThatLeavesEndsAWarmWorker() async throws {
    let script = try Self.worker(#"[ $jobs = 1 ] || sleep 1000; answer "$$""#)
    try await TestServer.run(program: script.url) { server in
      let first = try connection(to: server).response().text
      let process = try #require(pid_t(first.dropLast()))
      #expect(kill(process, 0) == 0)
      var client: HTTPConnection? = try connection(to: server)
      #expect(await eventually { server.hasTranscription })
      #expect(client != nil)
      client = nil
      #expect(await eventually { !server.hasTranscription })
      #expect(kill(process, 0) != 0)
      #expect(try connection(to: server).response().text != first)
    }
  }

  @Test func followerThatSendsNothingMoreGetsItsEvents() async throws {
    try await TestServer.run { server in
      let id = try server.begin(["a"])
      let events = try server.follow("/api/sessions/\(id)/events")
      events.finishSending()
      while let event = try events.event(), event.kind != "session" {}
      try server.library.store.append(TestServer.segment(1, "b"), to: id)
      var last: HTTPConnection.Event?
      while let event = try events.event() {
        last = event
        if event.kind == "segment" { break }
      }
      #expect(last?.json["text"] as? String == "b")
    }
  }

  @Test func limitsAreSetForTheProcess() throws {
    let limits = TranscriptionLimits(bytes: 45_000)
    #expect(limits.processorSeconds == 345)
    #expect(limits.seconds == 1380)
    let script = try Self.worker(#"answer "$(ulimit -d) $(ulimit -c)""#)
    let job = try TranscriptionQueue(script.url, arguments: []).begin(STDIN_FILENO, [], for: AbsentClient())
    #expect(String(decoding: try job.all(), as: UTF8.self) == "\(2 << 20) 0\n")
    try job.check()
  }

  @Test func processBeyondALimitIsEnded() throws {
    var limits = TranscriptionLimits(bytes: 0)
    limits.processorSeconds = 1
    limits.memory = 256 << 20
    limits.seconds = 60
    func failure(_ body: String, _ limits: TranscriptionLimits) throws -> String? {
      let script = try Self.worker(body)
      let queue = TranscriptionQueue(script.url, arguments: [], limits: { _ in limits })
      let job = try queue.begin(STDIN_FILENO, [], for: AbsentClient())
      _ = try job.all()
      return #expect(throws: HTTPError.self) { try job.check() }?.message
    }
    #expect(try failure("while :; do :; done", limits)?.contains("1 seconds of processor time") == true)
    // Also what the worker has started.
    #expect(
      try failure("sh -c 'while :; do :; done'", limits)?.contains("1 seconds of processor time") == true)
    let memory = try failure(
      "exec python3 -c 'import ctypes, os\ntry: bytearray(1 << 30)\nexcept MemoryError: os.abort()'", limits)
    #expect(memory?.contains("256 MB of memory") == true)
    limits.seconds = 0.1
    #expect(try failure("sleep 100", limits)?.contains("took more than 0 seconds") == true)
  }

  /// Processor time of the jobs before does not count.
  @Test func limitIsThatOfEachJob() throws {
    var limits = TranscriptionLimits(bytes: 0)
    limits.processorSeconds = 2
    let script = try Self.worker(
      "python3 -c 'import time\nwhile time.process_time() < 1.2: pass'; answer done")
    let queue = TranscriptionQueue(script.url, arguments: [], limits: { [limits] _ in limits })
    for _ in 0..<4 {
      let job = try queue.begin(STDIN_FILENO, [], for: AbsentClient())
      #expect(String(decoding: try job.all(), as: UTF8.self) == "done\n")
      try job.check()
    }
  }
}

/// Workers that are kept from one request to the next.
@Suite(.tagged(.childProcess)) struct WarmWorkerTests {
  private typealias Tests = TranscriptionProcessTests

  /// The answers of a worker to requests that follow each other; an error as its code.
  private func answers(_ count: Int, of script: ExecutableScript) throws -> [String] {
    let queue = TranscriptionQueue(script.url, arguments: [])
    defer { queue.stop() }
    return try (0..<count).map { _ in
      let job = try queue.begin(STDIN_FILENO, [], for: AbsentClient())
      let document = try job.all()
      do { try job.check() } catch let error as HTTPError { return error.code ?? "error" }
      return String(decoding: document, as: UTF8.self)
    }
  }

  private func isRunning(_ process: pid_t) -> Bool { kill(process, 0) == 0 }

  @Test func nextRequestGetsTheSameWorker() throws {
    let answers = try answers(3, of: Tests.worker(#"answer "$$ $jobs""#))
    let processes = answers.map { $0.split(separator: " ").first }
    #expect(Set(processes).count == 1)
    #expect(answers.map { $0.dropLast().last } == ["1", "2", "3"])
    let process = try #require(processes[0].flatMap { pid_t($0) })
    #expect(!isRunning(process), "It outlives the server.")
  }

  /// What one request does to a worker harms no other: not its end, not what it sends without being asked.
  @Test(
    arguments: [
      // It ends after its answer.
      #"answer "$jobs"; exit 0"#,
      // It crashes with the next job.
      #"[ $jobs = 1 ] || kill -SEGV $$; answer "$jobs""#,
      // It answers twice.
      #"answer "$jobs"; answer other"#,
      // It answers for another one.
      #"[ $jobs = 1 ] || id=other; answer "$jobs""#,
      // It sends what is no answer.
      #"[ $jobs = 1 ] || echo text; answer "$jobs""#,
    ])
  func failingWorkerIsReplaced(_ body: String) throws {
    #expect(try answers(3, of: Tests.worker(body)) == ["1\n", "1\n", "1\n"])
  }

  /// The answer to a request of the past cannot wait for the next one.
  @Test func answerThatWasNotAskedForReachesNoOne() throws {
    let body = #"answer "$jobs"; (sleep 0.3; answer secret) &"#
    let script = try Tests.worker(body)
    let queue = TranscriptionQueue(script.url, arguments: [])
    defer { queue.stop() }
    for _ in 0..<4 {
      let job = try queue.begin(STDIN_FILENO, [], for: AbsentClient())
      #expect(String(decoding: try job.all(), as: UTF8.self) != "secret\n")
      usleep(200_000)
    }
  }

  @Test(arguments: ["undecodable", "empty", "unsupported_locale"])
  func workerThatRefusesAFileIsKept(_ code: String) throws {
    let refusal = #"[ $jobs = 2 ] || { refuse '{"code": "\#(code)", "message": "No."}'; continue; }"#
    #expect(try answers(2, of: Tests.worker("\(refusal); answer $jobs")) == [code, "2\n"])
  }

  /// The recognizer of a worker may be what fails.
  @Test func workerWhoseRecognizerFailsIsReplaced() throws {
    let code = "recognizer_failed"
    let refusal = #"[ $jobs != 1 ] || { refuse '{"code": "\#(code)", "message": "No."}'; continue; }"#
    #expect(try answers(2, of: Tests.worker("\(refusal); answer $jobs")) == [code, code])
  }

  @Test func longFileGetsAWorkerOfItsOwn() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("long-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(count: 2 << 20).write(to: file)
    let handle = try FileHandle(forReadingFrom: file)
    let script = try Tests.worker(#"answer "$$""#)
    let queue = TranscriptionQueue(script.url, arguments: [])
    defer { queue.stop() }
    func answer(_ file: Int32) throws -> String {
      let job = try queue.begin(file, [], for: AbsentClient())
      return String(decoding: try job.all(), as: UTF8.self)
    }
    let short = try answer(STDIN_FILENO)
    let long = try (0..<2).map { _ in try answer(handle.fileDescriptor) }
    #expect(Set(long + [short]).count == 3)
    #expect(try answer(STDIN_FILENO) == short)
    for process in long { #expect(!isRunning(try #require(pid_t(process.dropLast())))) }
  }

  /// A worker reads the client's file and no other, also if its descriptor has been closed meanwhile.
  @Test func jobHasItsOwnDescriptorOfTheFile() throws {
    func descriptor(_ text: String) throws -> Int32 {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("file-\(UUID().uuidString)")
      try Data("\(text)\n".utf8).write(to: file)
      defer { unlink(file.path) }
      return open(file.path, O_RDONLY | O_CLOEXEC)
    }
    let go = FileManager.default.temporaryDirectory.appendingPathComponent("go-\(UUID().uuidString)")
    let script = try Tests.worker(
      """
      while [ ! -e '\(go.path)' ]; do sleep 0.05; done
      path=${job#*'"path": "'}; path=${path%%'"'*}; read -r text < "$path"; answer "$text"
      """)
    let queue = TranscriptionQueue(script.url, arguments: [])
    defer { queue.stop() }
    let mine = try descriptor("mine")
    let job = try queue.begin(mine, [], for: AbsentClient())
    // The number of a closed descriptor is free for whatever runs beside: it is taken over without having been free.
    let other = try descriptor("other")
    defer { close(mine) }
    #expect(dup2(other, mine) == mine)
    close(other)
    try Data().write(to: go)
    defer { try? FileManager.default.removeItem(at: go) }
    #expect(String(decoding: try job.all(), as: UTF8.self) == "mine\n")
  }

  @Test func workersEndAfterTenMinutes() {
    var workers = WarmWorkers<String>()
    workers.add("a", now: 0)
    workers.add("b", now: 100)
    #expect(workers.removeExpired(now: 599).isEmpty)
    #expect(workers.removeExpired(now: 600) == ["a"])
    #expect(workers.take() == "b")
    workers.add("c", now: 650)
    workers.add("b", now: 660)
    #expect(workers.take() == "b", "The others wait longer, and can end.")
    #expect(workers.removeExpired(now: 1249).isEmpty)
    #expect(workers.removeExpired(now: 1250) == ["c"])
    #expect(workers.take() == nil)
  }
}
