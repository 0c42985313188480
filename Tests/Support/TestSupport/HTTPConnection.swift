#if os(Linux)
  import Foundation

  /// A connection to a local server that can send invalid requests too. It blocks; use it from one thread.
  package final class HTTPConnection {
    /// A response.
    package struct Response {
      package var status: Int
      /// The headers, with names in lower case.
      package var headers: [String: String]
      package var body: Data

      package var text: String { String(decoding: body, as: UTF8.self) }
      /// The body as JSON; empty if it is not a JSON object.
      package var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
      }
      /// `error.code` of the body.
      package var code: String? { (json["error"] as? [String: Any])?["code"] as? String }
    }

    /// An event of a stream.
    package struct Event {
      package var kind = "message"
      package var id: Int?
      package var data = ""

      package var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(data.utf8))) as? [String: Any] ?? [:]
      }
    }

    /// The connection failed, or nothing came in time.
    package struct Broken: Error {
      package init() {}
    }

    private let descriptor: Int32
    private var waiting = Data()
    /// Whether the body has the chunked transfer encoding.
    private var chunks = false
    private var content = Data()
    private var isAtEnd = false

    /// - Parameters:
    ///   - port: the port at the loopback address.
    ///   - patience: the timeout of a read, in seconds.
    package init(port: Int, patience: Int = 300) throws {
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      name.sin_port = UInt16(port).bigEndian
      name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let isConnected = withUnsafePointer(to: &name) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      var time = timeval(tv_sec: patience, tv_usec: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
      setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
      guard isConnected else { throw Broken() }
    }

    deinit { close(descriptor) }

    /// Sends one request on a new connection.
    /// - Parameter json: the body; sets the content type too.
    package static func ask(
      _ port: Int, _ method: String = "GET", _ target: String, _ headers: [String: String] = [:],
      body: Data = Data(), json: String? = nil
    ) throws -> Response {
      let connection = try HTTPConnection(port: port)
      let type = json == nil ? [:] : ["Content-Type": "application/json"]
      try connection.send(
        method, target, headers.merging(type) { first, _ in first }, body: json.map { Data($0.utf8) } ?? body,
        port: port)
      return try connection.response(isHead: method == "HEAD")
    }

    /// Sends a request. A header whose value is empty is left out.
    package func send(
      _ method: String = "GET", _ target: String, _ headers: [String: String] = [:], body: Data = Data(),
      port: Int
    ) throws {
      var all = ["Host": "127.0.0.1:\(port)"]
      if !body.isEmpty { all["Content-Length"] = "\(body.count)" }
      all.merge(headers) { $1 }
      let lines = all.filter { !$0.value.isEmpty }.map { "\($0.key): \($0.value)\r\n" }.joined()
      try write(Data("\(method) \(target) HTTP/1.1\r\n\(lines)\r\n".utf8) + body)
    }

    /// Sends bytes as they are.
    package func write(_ data: Data) throws {
      var done = 0
      while done < data.count {
        let part = data.withUnsafeBytes {
          Foundation.send(
            descriptor, $0.baseAddress?.advanced(by: done), data.count - done, Int32(MSG_NOSIGNAL))
        }
        guard part > 0 else { throw Broken() }
        done += part
      }
    }

    /// Everything that comes until the other side closes the connection.
    package func rest() throws -> Data {
      var all = waiting
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      while true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        // What was not read at the other end resets the connection.
        if count == 0 || (count < 0 && errno == ECONNRESET) { return all }
        guard count > 0 else { throw Broken() }
        all += buffer[..<count]
      }
    }

    /// Closes the sending side. Responses can still be read.
    package func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Reads an interim response with status 100.
    /// - Returns: false if another response comes.
    package func hasInterimResponse() throws -> Bool {
      let isInterim = try line().contains(" 100 ")
      return try line().isEmpty && isInterim
    }

    /// Reads the head of a response.
    package func head() throws -> Response {
      while true {
        let head = try line()
        let words = head.split(separator: " ")
        guard words.count >= 2, let status = Int(words[1]) else { throw Broken() }
        var headers: [String: String] = [:]
        while case let text = try line(), !text.isEmpty {
          let sides = text.split(separator: ":", maxSplits: 1)
          guard sides.count == 2 else { throw Broken() }
          headers[sides[0].lowercased()] = sides[1].trimmingCharacters(in: .whitespaces)
        }
        if status == 100 { continue }
        chunks = headers["transfer-encoding"] == "chunked"
        isAtEnd = false
        return Response(status: status, headers: headers, body: Data())
      }
    }

    /// Reads a whole response.
    /// - Parameters:
    ///   - isHead: whether the response is to a request with the method `HEAD`.
    ///   - readsStreams: whether a stream of events is read to its end, which it may not have.
    package func response(isHead: Bool = false, readsStreams: Bool = true) throws -> Response {
      let response = try head()
      if isHead || response.status == 204 { return response }
      if !readsStreams, response.headers["content-type"] == "text/event-stream" { return response }
      return try body(of: response)
    }

    /// Reads the body of a response whose head was read.
    package func body(of head: Response) throws -> Response {
      var response = head
      if chunks {
        while let piece = try chunk() { response.body += piece }
      } else if let length = response.headers["content-length"].flatMap({ Int($0) }) {
        while waiting.count < length { try read() }
        response.body = Data(waiting.prefix(length))
        waiting = Data(waiting.dropFirst(length))
      } else {
        while (try? read()) != nil {}
        response.body = waiting
      }
      return response
    }

    /// The next event of a stream, after its head was read; nil at its end.
    package func event() throws -> Event? {
      var event = Event()
      var isEmpty = true
      while let line = try eventLine() {
        if line.isEmpty {
          if isEmpty { continue }
          return event
        }
        let sides = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let value = sides.count > 1 ? String(sides[1].drop { $0 == " " }) : ""
        switch sides[0] {
        case "event": event.kind = value
        case "id": event.id = Int(value)
        case "data":
          event.data = value
          isEmpty = false
        default: break
        }
      }
      return nil
    }

    private func eventLine() throws -> String? {
      while true {
        if let end = content.firstIndex(of: 10) {
          let line = String(decoding: content[..<end], as: UTF8.self)
          content = Data(content[content.index(after: end)...])
          return line
        }
        guard !isAtEnd, let piece = try chunk() else { return nil }
        content += piece
      }
    }

    private func chunk() throws -> Data? {
      guard let length = Int(try line(), radix: 16) else { throw Broken() }
      while waiting.count < length + 2 { try read() }
      let piece = Data(waiting.prefix(length))
      waiting = Data(waiting.dropFirst(length + 2))
      if length == 0 { isAtEnd = true }
      return length == 0 ? nil : piece
    }

    private func line() throws -> String {
      while true {
        if let end = waiting.firstIndex(of: 10) {
          let line = waiting[..<end]
          defer { waiting = Data(waiting[waiting.index(after: end)...]) }
          return String(decoding: line.last == 13 ? line.dropLast() : line, as: UTF8.self)
        }
        try read()
      }
    }

    private func read() throws {
      var buffer = [UInt8](repeating: 0, count: 32 << 10)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { throw Broken() }
      waiting += buffer.prefix(count)
    }
  }
#endif
