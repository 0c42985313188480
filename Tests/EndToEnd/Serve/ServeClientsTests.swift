#if os(Linux)
  import Foundation
  import ScriptedSpeech
  import TestSupport
  import Testing

  /// Replays the requests of programs that know OpenAI's endpoint for transcriptions. They were written down from the
  /// sources of these programs: the headers, the form with its boundary and the order of its parts, and what is read of the
  /// response. The recognizer is scripted.
  @Suite(.tagged(.childProcess)) struct ServeClientsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func requestsOfOtherProgramsGetWhatTheyRead() async throws {
      let said = [1, 2, 3, 4]
      let samples = SpokenTones.sound(of: said)
      let path = try Recordings.write(samples.withUnsafeBytes { Data($0) }, to: folder.path("talk.wav"))
      let file = try Data(contentsOf: URL(fileURLWithPath: path))
      let expected = Self.words(SpokenTones.text(of: said))
      let server = try await ServeProcess(
        in: folder, environment: SpeechScript().environment(in: folder.url))
      let requests = try ClientRequest.all()
      #expect(requests.count > 10)
      for request in requests {
        let connection = try HTTPConnection(port: server.port)
        try connection.write(request.bytes(with: file, port: server.port, token: server.token))
        let head = try connection.head()
        #expect(head.status == 200, "\(request.client)")
        let ignored = head.headers["x-longhand-ignored"]?.components(separatedBy: ", ") ?? []
        #expect(ignored.sorted() == request.reads.ignored ?? [], "\(request.client)")
        if request.reads.events == true {
          #expect(head.headers["content-type"] == "text/event-stream", "\(request.client)")
          try check(connection, request, expected)
        } else {
          let body = try connection.body(of: head)
          if request.reads.captions == true {
            #expect(body.text.hasPrefix("1\n00:00:00"), "\(request.client)")
          } else {
            #expect(head.headers["content-type"] == "application/json", "\(request.client)")
            check(body.json, request, expected)
          }
        }
      }
      #expect(server.children.count == 1)
    }

    /// Reads a stream as OpenAI's clients do: the deltas together are the text of the last event.
    private func check(_ connection: HTTPConnection, _ request: ClientRequest, _ expected: [String]) throws {
      var deltas = ""
      var done: [String: Any] = [:]
      var last = ""
      while let event = try connection.event() {
        last = event.data
        let type = event.json["type"] as? String
        if request.reads.hasNamedEvents == true, type != nil {
          #expect(event.kind == type, "\(request.client)")
        }
        if type == "transcript.text.delta" { deltas += event.json["delta"] as? String ?? "" }
        if type == "transcript.text.done" { done = event.json }
      }
      #expect(deltas == done["text"] as? String, "\(request.client)")
      #expect(Self.words(deltas) == expected, "\(request.client)")
      if request.reads.endsWithDone == true { #expect(last == "[DONE]", "\(request.client)") }
      check(done, request, expected)
    }

    private func check(_ document: [String: Any], _ request: ClientRequest, _ expected: [String]) {
      for (path, kind) in request.reads.members ?? [:] {
        let value = path.split(separator: ".").reduce(document as Any?) { value, step in
          if let list = value as? [Any] {
            return Int(step).flatMap { list.indices.contains($0) ? list[$0] : nil }
          }
          return (value as? [String: Any])?[String(step)]
        }
        switch kind {
        case "text": #expect(Self.words(value as? String ?? "") == expected, "\(request.client): \(path)")
        case "string": #expect((value as? String)?.isEmpty == false, "\(request.client): \(path)")
        case "number": #expect(value is NSNumber, "\(request.client): \(path)")
        case "list": #expect(value is [Any], "\(request.client): \(path)")
        default: Issue.record("\(request.client): there is no kind '\(kind)'")
        }
      }
    }

    private static func words(_ text: String) -> [String] {
      text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" }.map(String.init)
    }
  }

  /// A file of the folder `OpenAI/Clients`.
  private struct ClientRequest: Decodable {
    struct Part: Decodable {
      var head: [String]
      /// Nil for the file.
      var value: String?
    }

    /// What the program reads of the response.
    struct Reads: Decodable {
      /// Members of the JSON document, or of the last event, with their kinds.
      var members: [String: String]?
      /// Fields that the response must name as ignored.
      var ignored: [String]?
      var events: Bool?
      var hasNamedEvents: Bool?
      var endsWithDone: Bool?
      var captions: Bool?
    }

    var client: String
    var head: [String]
    var boundary: String
    var quotesBoundary: Bool
    var isChunked: Bool
    var parts: [Part]
    var reads: Reads

    static func all() throws -> [ClientRequest] {
      let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../OpenAI/Clients").standardized
      return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .sorted { $0.path < $1.path }
        .map { try JSONDecoder().decode(ClientRequest.self, from: Data(contentsOf: $0)) }
    }

    /// The request as it comes over the network.
    func bytes(with file: Data, port: Int, token: String) -> Data {
      var body = Data()
      for part in parts {
        let head = part.head.joined(separator: "\r\n")
          .replacingOccurrences(of: "FILELENGTH", with: "\(file.count)")
        body += Data("--\(boundary)\r\n\(head)\r\n\r\n".utf8) + (part.value.map { Data($0.utf8) } ?? file)
        body += Data("\r\n".utf8)
      }
      body += Data("--\(boundary)--\r\n".utf8)
      let length = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(body.count)"
      let mark = quotesBoundary ? "\"\(boundary)\"" : boundary
      let lines =
        ["POST /v1/audio/transcriptions HTTP/1.1", "Host: 127.0.0.1:\(port)"]
        + head.map { $0.replacingOccurrences(of: "TOKEN", with: token) }
        + ["Content-Type: multipart/form-data; boundary=\(mark)", length]
      return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        + (isChunked ? Self.chunks(body) : body)
    }

    private static func chunks(_ body: Data) -> Data {
      let size = 65_536
      let chunks = stride(from: 0, to: body.count, by: size).map { body.dropFirst($0).prefix(size) }
      return (chunks + [Data()]).reduce(into: Data()) { all, chunk in
        all += Data("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Data("\r\n".utf8)
      }
    }
  }
#endif
