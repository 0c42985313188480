import Foundation
import Longhand
import TestSupport
import Testing

@testable import LonghandServer

/// A server in this process with a library of its own, and a second connection that writes to the library.
final class TestServer: Sendable {
  let folder: URL
  let library: Library
  let port: Int
  /// The server's token, with which `ask` and `follow` sign in.
  let token: AccessToken?
  private let server: Server

  /// - Parameter program: transcribes what clients send.
  init(
    address: String = "127.0.0.1", hasToken: Bool = true, program: URL = URL(fileURLWithPath: "/bin/false")
  ) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("serve-\(UUID().uuidString)")
    library = try Library(at: folder)
    token = hasToken ? .random() : nil
    server = try Server(
      at: folder, .init(address: address, port: 0, token: token, program: program))
    port = try #require(URL(string: server.address)?.port)
  }

  /// Stops the server and deletes the library. Every test must call this.
  func end() async {
    #expect(await server.finish())
    try? FileManager.default.removeItem(at: folder)
  }

  /// Runs a test with a server, and stops the server.
  static func run(
    address: String = "127.0.0.1", hasToken: Bool = true, program: URL = URL(fileURLWithPath: "/bin/false"),
    _ body: (TestServer) async throws -> Void
  ) async throws {
    let server = try TestServer(address: address, hasToken: hasToken, program: program)
    do {
      try await body(server)
    } catch {
      await server.end()
      throw error
    }
    await server.end()
  }

  /// Whether a transcription is running.
  var hasTranscription: Bool { server.hasTranscription }

  /// The address that opens the page.
  var pageAddress: String { server.pageAddress }

  /// Signs a client in. A header that a test sets itself stays, and is left out if it is empty.
  private func signedIn(_ headers: [String: String]) -> [String: String] {
    ["Authorization": token.map { "Bearer \($0.text)" } ?? ""].merging(headers) { $1 }
  }

  /// One request.
  func ask(
    _ method: String = "GET", _ target: String, _ headers: [String: String] = [:], body: Data = Data(),
    json: String? = nil
  ) throws -> HTTPConnection.Response {
    try HTTPConnection.ask(port, method, target, signedIn(headers), body: body, json: json)
  }

  /// One request that the server answers by asynchronous work: it needs the threads of tasks, and this waits outside them.
  func answer(
    _ method: String = "GET", _ target: String, json: String? = nil
  ) async throws -> HTTPConnection.Response {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { [self] in
        continuation.resume(with: Result { try ask(method, target, json: json) })
      }
    }
  }

  /// Opens a stream of events and reads its head.
  func follow(_ target: String, _ headers: [String: String] = [:]) throws -> HTTPConnection {
    let connection = try HTTPConnection(port: port)
    try connection.send("GET", target, signedIn(headers), port: port)
    guard try connection.head().status == 200 else { throw HTTPConnection.Broken() }
    return connection
  }

  /// Adds a session to the library.
  func begin(_ texts: [String] = [], state: RecordedSession.State = .recording) throws -> String {
    let session = RecordedSession(
      source: "talk.wav", locale: "en-US", engine: "analyzer", start: .now, state: state)
    try library.store.begin(session)
    try library.store.append(texts.enumerated().map { Self.segment($0, $1) }, to: session.id)
    return session.id
  }

  /// Marks a session as complete.
  func complete(_ id: String) throws {
    var session = try library.store.session(matching: id)
    session.state = .complete
    try library.store.update(session)
  }

  /// A segment with one alternative.
  static func segment(_ id: Int, _ text: String) -> Segment {
    let start = Double(id) * 3
    let candidates = [text, "\(text) else"].map { text in
      Candidate(
        text: text,
        words: text.split(separator: " ").enumerated().map {
          Word(text: "\($1)", start: start + Double($0) / 2, end: start + Double($0 + 1) / 2, confidence: 0.5)
        }, confidence: 0.75)
    }
    return Segment(id: id, start: start, end: start + 2, candidates: candidates)
  }

  /// Writes the audio of a session, as a recorder does.
  func record(_ id: String, seconds: Int, isComplete: Bool) throws -> RecordingWriter {
    let writer = try RecordingWriter(
      library.recording(of: id),
      RecordingManifest(id: id, source: "talk", format: RecordingFormat(sampleRate: 8000, channels: 1)))
    writer.append(Self.samples(seconds: seconds))
    if isComplete { try writer.finish() } else { try writer.flush() }
    return writer
  }

  /// A tone with a rising level.
  static func samples(seconds: Int) -> Data {
    let samples = (0..<8000 * seconds).map { index -> Int16 in
      let loudness = Int16(index % 30_000)
      return (index % 2 == 0 ? loudness : -loudness).littleEndian
    }
    return samples.withUnsafeBytes { Data($0) }
  }
}
