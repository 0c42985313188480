import Foundation

/// Parses a form with files (`multipart/form-data`, RFC 7578) incrementally, however the bytes are divided. It buffers at
/// most the length of a boundary, or the head of a part.
///
/// libmicrohttpd's `MHD_PostProcessor` is not used. It reports an empty body, text without any part and a part without a
/// name as a complete form, cuts a quoted file name at its first escaped quote, and reports the start of a part twice
/// when the network divides the body there.
struct MultipartParser {
  /// Each part begins, has any number of chunks of data, and ends.
  enum Event: Equatable {
    case begin(name: String, fileName: String?)
    case data(Data)
    case end
  }

  /// The bytes are not a form.
  struct Malformed: Error {}

  private enum State { case preamble, delimiter, head, content, epilogue }

  /// Bytes of the head of a part.
  private static let maxHead = 8 << 10

  private let boundary: Data
  private var state = State.preamble
  /// Bytes that are not reported yet. A line end comes first, because the body may start with a boundary.
  private var rest = Data("\r\n".utf8)

  /// Returns nil if the header is not that of a form.
  /// - Parameter contentType: the value of `Content-Type`.
  init?(contentType: String) {
    let (type, parameters) = Self.parameters(of: contentType)
    guard type == "multipart/form-data", let boundary = parameters["boundary"],
      (1...70).contains(boundary.utf8.count)
    else { return nil }
    self.boundary = Data("\r\n--\(boundary)".utf8)
  }

  /// Whether the closing boundary has been read.
  var isComplete: Bool { state == .epilogue }

  /// The events in the next bytes.
  /// - Throws: `Malformed`.
  mutating func take(_ bytes: Data) throws -> [Event] {
    rest += bytes
    var events: [Event] = []
    while try step(&events) {}
    return events
  }

  /// - Returns: whether the buffered bytes may contain another event.
  private mutating func step(_ events: inout [Event]) throws -> Bool {
    switch state {
    case .preamble:
      guard skip(to: boundary) != nil else { return false }
      state = .delimiter
    case .delimiter:
      guard rest.count >= 2 else { return false }
      let mark = rest.prefix(2)
      guard mark == Data("--".utf8) || mark == Data("\r\n".utf8) else { throw Malformed() }
      state = mark == Data("--".utf8) ? .epilogue : .head
      drop(2)
    case .head:
      guard let end = Self.offset(of: Data("\r\n\r\n".utf8), in: rest) else {
        guard rest.count <= Self.maxHead else { throw Malformed() }
        return false
      }
      guard end <= Self.maxHead else { throw Malformed() }
      events.append(try Self.begin(String(decoding: rest.prefix(end), as: UTF8.self)))
      drop(end + 4)
      state = .content
    case .content:
      let found = skip(to: boundary)
      if let data = found ?? keepTail(), !data.isEmpty { events.append(.data(data)) }
      guard found != nil else { return false }
      events.append(.end)
      state = .delimiter
    case .epilogue:
      rest = Data()
      return false
    }
    return true
  }

  /// Removes everything up to and including a mark.
  /// - Returns: the bytes before the mark; nil if the buffer does not contain it. A preamble is not kept then.
  private mutating func skip(to mark: Data) -> Data? {
    guard let offset = Self.offset(of: mark, in: rest) else {
      if state == .preamble { _ = keepTail() }
      return nil
    }
    let before = Data(rest.prefix(offset))
    drop(offset + mark.count)
    return before
  }

  /// Removes and returns all bytes that cannot be the start of a boundary.
  private mutating func keepTail() -> Data? {
    let count = rest.count - (boundary.count - 1)
    guard count > 0 else { return nil }
    let data = Data(rest.prefix(count))
    drop(count)
    return data
  }

  private mutating func drop(_ count: Int) { rest = Data(rest.dropFirst(count)) }

  private static func offset(of mark: Data, in data: Data) -> Int? {
    data.withUnsafeBytes { bytes in
      mark.withUnsafeBytes { mark in
        guard let start = bytes.baseAddress, let wanted = mark.baseAddress else { return nil }
        var offset = 0
        // memchr finds the first byte many times faster than a loop.
        while offset + mark.count <= bytes.count,
          let found = memchr(start + offset, Int32(mark[0]), bytes.count - mark.count - offset + 1)
        {
          if memcmp(found, wanted, mark.count) == 0 { return UnsafeRawPointer(found) - start }
          offset = UnsafeRawPointer(found) - start + 1
        }
        return nil
      }
    }
  }

  private static func begin(_ head: String) throws -> Event {
    for line in head.components(separatedBy: "\r\n") {
      let sides = line.split(separator: ":", maxSplits: 1)
      guard sides.count == 2, sides[0].lowercased() == "content-disposition" else { continue }
      let (type, parameters) = parameters(of: String(sides[1]))
      guard type == "form-data", let name = parameters["name"] else { throw Malformed() }
      return .begin(
        name: name, fileName: parameters["filename*"].map(plain) ?? parameters["filename"])
    }
    throw Malformed()
  }

  /// The text of an extended parameter (RFC 8187), such as `UTF-8''a%20talk.wav`.
  private static func plain(_ extended: String) -> String {
    let parts = extended.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    return parts.last?.removingPercentEncoding ?? extended
  }

  /// The value of a header and its parameters, as in `form-data; name="file"`.
  static func parameters(of header: String) -> (value: String, parameters: [String: String]) {
    var parts: [String] = [""]
    var isQuoted = false
    var isEscaped = false
    for character in header.unicodeScalars {
      if isEscaped {
        parts[parts.count - 1].unicodeScalars.append(character)
        isEscaped = false
      } else if character == "\\", isQuoted {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if character == ";", !isQuoted {
        parts.append("")
      } else {
        parts[parts.count - 1].unicodeScalars.append(character)
      }
    }
    var parameters: [String: String] = [:]
    for part in parts.dropFirst() {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2 else { continue }
      parameters[sides[0].trimmingCharacters(in: .whitespaces).lowercased()] = String(sides[1])
    }
    return (parts[0].trimmingCharacters(in: .whitespaces).lowercased(), parameters)
  }
}
