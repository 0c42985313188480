import Foundation

/// Reads a form with files (`multipart/form-data`, RFC 7578) piece by piece, however it is cut, and keeps no more of it
/// than a boundary is long, or the head of a part.
struct MultipartParser {
  /// What comes, in order: each part begins, has any number of pieces, and ends.
  enum Event: Equatable {
    case begin(name: String, fileName: String?)
    case data(Data)
    case end
  }

  /// The text is not such a form.
  struct Malformed: Error {}

  private enum State { case preamble, delimiter, head, content, epilogue }

  /// Bytes of the head of a part.
  private static let mostHead = 8 << 10

  private let boundary: Data
  private var state = State.preamble
  /// What is not told yet. The first boundary may stand at the very beginning, where no line ends before it.
  private var rest = Data("\r\n".utf8)

  /// - Parameter contentType: the header.
  /// - Returns: nil if it is not that of such a form.
  init?(contentType: String) {
    let (type, parameters) = Self.parameters(of: contentType)
    guard type == "multipart/form-data", let boundary = parameters["boundary"],
      (1...70).contains(boundary.utf8.count)
    else { return nil }
    self.boundary = Data("\r\n--\(boundary)".utf8)
  }

  /// Whether the last boundary was there.
  var isComplete: Bool { state == .epilogue }

  /// - Throws: `Malformed`.
  mutating func take(_ bytes: Data) throws -> [Event] {
    rest += bytes
    var events: [Event] = []
    while try step(&events) {}
    return events
  }

  /// - Returns: whether there may be more in what is there.
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
      guard let end = Self.place(of: Data("\r\n\r\n".utf8), in: rest) else {
        guard rest.count <= Self.mostHead else { throw Malformed() }
        return false
      }
      guard end <= Self.mostHead else { throw Malformed() }
      events.append(try Self.begin(String(decoding: rest.prefix(end), as: UTF8.self)))
      drop(end + 4)
      state = .content
    case .content:
      let found = skip(to: boundary)
      if let piece = found ?? keepTail(), !piece.isEmpty { events.append(.data(piece)) }
      guard found != nil else { return false }
      events.append(.end)
      state = .delimiter
    case .epilogue:
      rest = Data()
      return false
    }
    return true
  }

  /// What stands before a mark, which is dropped with it; nil if it is not there. Of a preamble nothing is kept.
  private mutating func skip(to mark: Data) -> Data? {
    guard let place = Self.place(of: mark, in: rest) else {
      if state == .preamble { _ = keepTail() }
      return nil
    }
    let before = Data(rest.prefix(place))
    drop(place + mark.count)
    return before
  }

  /// All but what may be the beginning of a boundary.
  private mutating func keepTail() -> Data? {
    let count = rest.count - (boundary.count - 1)
    guard count > 0 else { return nil }
    let told = Data(rest.prefix(count))
    drop(count)
    return told
  }

  private mutating func drop(_ count: Int) { rest = Data(rest.dropFirst(count)) }

  private static func place(of mark: Data, in data: Data) -> Int? {
    data.withUnsafeBytes { bytes in
      mark.withUnsafeBytes { mark in
        guard let start = bytes.baseAddress, let wanted = mark.baseAddress else { return nil }
        var place = 0
        // By the first byte, which the C library finds many times as fast as a loop.
        while place + mark.count <= bytes.count,
          let found = memchr(start + place, Int32(mark[0]), bytes.count - mark.count - place + 1)
        {
          if memcmp(found, wanted, mark.count) == 0 { return UnsafeRawPointer(found) - start }
          place = UnsafeRawPointer(found) - start + 1
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
      return .begin(name: name, fileName: parameters["filename"])
    }
    throw Malformed()
  }

  /// A header's value and what is said of it: `form-data; name="file"`.
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
