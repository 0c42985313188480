import Foundation
import Longhand
import TestSupport
import Testing

@testable import LonghandServer

/// Uploads, transcribed by a shell script instead of `longhand transcribe`.
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
    to server: TestServer, format: String = "srt", isStream: Bool = false, language: String = ""
  ) throws -> HTTPConnection {
    let body = String(decoding: Self.form, as: UTF8.self)
      .replacingOccurrences(of: "FORMAT", with: format)
      .replacingOccurrences(of: "STREAM", with: isStream ? "true" : "false")
      .replacingOccurrences(of: "LANGUAGE", with: language)
    let connection = try HTTPConnection(port: server.port)
    try connection.send(
      "POST", "/v1/audio/transcriptions",
      [
        "Content-Type": "multipart/form-data; boundary=b",
        "Authorization": "Bearer \(server.token?.text ?? "")",
      ], body: Data(body.utf8), port: server.port)
    return connection
  }

  private func answer(
    of script: String, format: String = "srt", isStream: Bool = false, language: String = ""
  ) async throws -> HTTPConnection.Response {
    let script = try ExecutableScript(script)
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
    let answer = try await answer(of: "echo '1\n00:00 --> 00:01\nshort'; \(end)")
    #expect(answer.status == 500)
    #expect(answer.code == "interrupted")
    let caught = try await self.answer(of: "echo short; exit 143")
    #expect(caught.code == "interrupted")
  }

  @Test func interruptedStreamEndsWithAnError() async throws {
    let final = #"{"type": "final", "text": "short", "start": 0, "end": 1}"#
    let end = #"{"type": "end"}"#
    let answer = try await answer(
      of: "echo '\(final)'; echo '\(end)'; kill -KILL $$", format: "json", isStream: true)
    #expect(answer.status == 200)
    #expect(answer.text.contains("transcript.text.delta"))
    #expect(!answer.text.contains("transcript.text.done"))
    #expect(answer.text.contains("interrupted"))
  }

  /// A failure after the first captions is not hidden by them.
  @Test func failureAfterSomeTextIsAnError() async throws {
    let reported = #"{"error": {"code": "undecodable", "message": "It is damaged."}}"#
    let answer = try await answer(of: "echo short; echo '\(reported)' >&2; exit 1")
    #expect(answer.status == 400)
    #expect(answer.code == "undecodable")
    let incomplete = #"{"error": {"code": "incomplete", "message": "Three seconds failed."}}"#
    let rest = try await self.answer(of: "echo rest; echo '\(incomplete)' >&2; exit 1")
    #expect(rest.status == 200)
    #expect(rest.text == "rest\n")
  }

  /// The server's own model does not know the client's language; without one, the model is missing.
  @Test(arguments: [("de", 400), ("", 500)])
  func aLanguageThatTheModelDoesNotKnowIsTheClients(language: String, status: Int) async throws {
    let reported = #"{"error": {"code": "not_installed", "message": "The model does not recognize de."}}"#
    let answer = try await answer(of: "echo '\(reported)' >&2; exit 1", language: language)
    #expect(answer.status == status)
    #expect(answer.code == "not_installed")
  }

  @Test func stoppingServerSaysSo() async throws {
    let script = try ExecutableScript("echo short; sleep 1000")
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
    let script = try ExecutableScript(
      "while [ ! -e '\(file.path)' ]; do sleep 0.05; done; echo text; rm '\(file.path)'")
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
    let script = try ExecutableScript("ulimit -d; ulimit -S -t; ulimit -c")
    let process = try TranscriptionProcess(
      script.url, [], input: STDIN_FILENO, limits: limits, for: AbsentClient())
    #expect(String(decoding: try process.all(), as: UTF8.self) == "\(2 << 20)\n345\n0\n")
    #expect(process.exitStatus == 0)
  }

  @Test func processBeyondALimitIsEnded() throws {
    var limits = TranscriptionLimits(bytes: 0)
    limits.processorSeconds = 1
    limits.memory = 256 << 20
    limits.seconds = 60
    func failure(_ text: String, _ limits: TranscriptionLimits) throws -> String? {
      let script = try ExecutableScript(text)
      let process = try TranscriptionProcess(
        script.url, [], input: STDIN_FILENO, limits: limits, for: AbsentClient())
      _ = try process.all()
      return limits.failure(exitStatus: process.exitStatus, isOverdue: process.isOverdue)?.message
    }
    #expect(try failure("while :; do :; done", limits)?.contains("1 seconds of processor time") == true)
    let memory = try failure(
      "exec python3 -c 'import ctypes, os\ntry: bytearray(1 << 30)\nexcept MemoryError: os.abort()'", limits)
    #expect(memory?.contains("256 MB of memory") == true)
    limits.seconds = 0.1
    #expect(try failure("sleep 100", limits)?.contains("took more than 0 seconds") == true)
  }
}
