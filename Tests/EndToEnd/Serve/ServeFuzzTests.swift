#if os(Linux)
  import Foundation
  import LonghandServer
  import ScriptedSpeech
  import TestSupport
  import Testing

  extension StoredSessionTests {
    /// Sends malformed requests: 500 of them, and 10,000 in `make soak`.
    @Suite struct ServeFuzzTests {
      @Test func serverSurvivesMalformedRequests() async throws {
        let folder = try TemporaryFolder()
        let environment = ["LONGHAND_LIBRARY": folder.path("library"), "PULSE_SERVER": "unix:/nowhere"]
        _ = try await LonghandProcess(["import", Recordings.short], environment: environment).result()
        let server = try await ServeProcess(in: folder, environment: environment)
        let list = try server.ask("/api/sessions").json["sessions"] as? [[String: Any]]
        let id = try #require(list?.first?["id"] as? String)
        var requests = MalformedRequests(seed: 17, server, session: id)
        let before = server.descriptors
        var statuses: [Int: Int] = [:]
        for _ in 0..<(isSoak ? 10_000 : 500) {
          let bytes = requests.next()
          guard let connection = try? HTTPConnection(port: server.port, patience: 2) else { continue }
          try? connection.write(bytes)
          connection.finishSending()
          statuses[(try? connection.head())?.status ?? 0, default: 0] += 1
        }
        #expect(server.process.isRunning)
        #expect(try server.ask("/health").status == 200)
        #expect(await eventually { server.children.isEmpty })
        #expect(await eventually { server.descriptors <= before })
        #expect(try folder.read("serve-errors").isEmpty)
        // The requests reach every kind of response.
        for status in [200, 400, 401, 404, 405] { #expect((statuses[status] ?? 0) > 0, "\(statuses)") }
        print("answers to malformed requests: \(statuses.sorted { $0.key < $1.key })")
      }
    }
  }

  /// Makes malformed requests, the same ones for the same seed.
  private struct MalformedRequests {
    private var generator: SeededGenerator
    private let port: Int
    private let token: String
    private let targets: [String]

    init(seed: UInt64, _ server: ServeProcess, session: String) {
      generator = SeededGenerator(seed: seed)
      port = server.port
      token = server.token
      let part = "/api/sessions/\(session)"
      targets = [
        "/", "/?token=\(server.token)", "/page/app.js", "/health", "/api/sessions?before=\(session)&limit=3",
        part,
        part + "/segments?from=0&limit=10", part + "/segments/0", part + "/segments/0/selection",
        part + "/export?format=srt", part + "/audio?until=1", part + "/waveform?from=0&to=2&points=40",
        part + "/events?after=0", "/api/events", "/api/search?q=young&limit=5", "/api/sources",
        "/api/recording",
        "/api/recording/audio/0?offset=2", "/api/recording/take-over", "/sign-in", "/api/browser-key",
        "/api/recording/pause", "/api/recording/resume", "/api/recording/stop", "/v1/audio/transcriptions",
        "/v1/models", "/v1/models/longhand",
      ]
    }

    mutating func next() -> Data {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: return noise(Int.random(in: 1...3000, using: &generator))
      case 1:
        let whole = request()
        return Data(whole.prefix(Int.random(in: 1...whole.count, using: &generator)))
      case 2...5: return mutated(request())
      default: return request()
      }
    }

    private mutating func noise(_ count: Int) -> Data {
      Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    private mutating func mutated(_ data: Data) -> Data {
      var data = data
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let index = Int.random(in: 0..<data.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: data[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: data.insert(contentsOf: noise(Int.random(in: 1...40, using: &generator)), at: index)
        case 2: data.insert(contentsOf: Data("\r\n".utf8), at: index)
        default: data.removeSubrange(index..<min(data.count, index + 7))
        }
        if data.isEmpty { data = Data([0]) }
      }
      return data
    }

    private mutating func pick<Element>(_ all: [Element]) -> Element {
      all[Int.random(in: 0..<all.count, using: &generator)]
    }

    private mutating func target() -> String {
      let target = pick(targets)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0:
        return target.replacingOccurrences(
          of: "0", with: pick(["-1", "9223372036854775808", "%00", "x", ""]))
      case 1:
        return target
          + pick([
            "/", "//..//", "%", "?", "&&&===", "%ff", "?q=%2500", "/" + String(repeating: "a", count: 9000),
          ])
      case 2: return target.replacingOccurrences(of: "/", with: pick(["//", "/../", "%2f", "\\"]))
      default: return target
      }
    }

    private mutating func request() -> Data {
      let method = pick([
        "GET", "GET", "GET", "POST", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "x", "",
      ])
      // The other requests need the session.
      let target = method == "DELETE" ? "/api/sessions/x" : target()
      let body = body()
      var headers = [
        "Host: \(pick(["127.0.0.1:\(port)", "127.0.0.1:\(port)", "127.0.0.1:\(port)", "evil.example", ""]))"
      ]
      // Most requests have the token. The others do not reach the routes.
      headers.append("Authorization: Bearer \(pick([token, token, token, token, token, "none"]))")
      headers.append(
        pick([
          "Content-Length: \(body.count)", "Content-Length: \(body.count)", "Content-Length: -1",
          "Content-Length: 99999999999999999999", "Content-Length: 3000000000", "Transfer-Encoding: chunked",
          "X: y",
        ]))
      headers.append(
        pick([
          "Content-Type: application/json", "Content-Type: multipart/form-data; boundary=b", "Content-Type:",
          "Content-Type: multipart/form-data; boundary=\"", "Content-Type: text/plain",
        ]))
      headers.append(
        pick([
          "Range: bytes=0-", "Range: bytes=-", "Range: bytes=5-1,9-", "Range: bytes=\(UInt64.max)-",
          "Last-Event-ID: \(UInt64.max)", "Last-Event-ID: 0", "Origin: null", "Cookie: longhand=; ;=;",
          "Expect: 100-continue", "Connection: close", "A: " + String(repeating: "b", count: 20_000), ": x",
          "X\u{0}Y: z", " folded",
        ]))
      let version = pick(["HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/9.9", ""])
      return Data("\(method) \(target) \(version)\r\n\(headers.joined(separator: "\r\n"))\r\n\r\n".utf8)
        + body
    }

    private mutating func body() -> Data {
      let part = "--b\r\nContent-Disposition: form-data; name="
      return pick([
        Data(), Data("{\"index\": 0}".utf8), Data("{\"index\": 1e999}".utf8), Data("{\"token\": null}".utf8),
        Data(String(repeating: "[", count: 5000).utf8), noise(200),
        Data("\(part)model\r\n\r\nlonghand\r\n\(part)file; filename=x\r\n\r\nno sound\r\n--b--\r\n".utf8),
        Data("\(part)file; filename=x\r\n\r\n".utf8) + noise(300) + Data("\r\n--b--".utf8),
        Data("\(part)\"model\r\n\r\n--b--".utf8), Data("ffffffffffffffff\r\nx\r\n0\r\n\r\n".utf8),
        Data("5\r\nhello\r\n0\r\n\r\n".utf8),
      ])
    }
  }
#endif
