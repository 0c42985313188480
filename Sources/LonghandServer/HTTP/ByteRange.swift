/// The part of a file that a client requests with a `Range` header (RFC 9110, section 14).
enum ByteRange: Equatable {
  /// The whole file: there is no such header, or one that a server may ignore, such as several ranges at once.
  case whole
  case part(Range<UInt64>)
  /// A range that starts after the end of the file.
  case unsatisfiable

  /// - Parameters:
  ///   - header: the value of `Range`, if the request has one.
  ///   - length: the length of the file in bytes.
  init(_ header: String?, of length: UInt64) {
    guard let header, header.hasPrefix("bytes=") else {
      self = .whole
      return
    }
    let sides = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard sides.count == 2, sides.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
      self = .whole
      return
    }
    let (first, last) = (Self.number(sides[0]), Self.number(sides[1]))
    switch (first, last) {
    case (nil, nil): self = .whole
    case (nil, let count?):
      self = count == 0 || length == 0 ? .unsatisfiable : .part(length - min(count, length)..<length)
    case (let first?, let last):
      if let last, last < first {
        self = .whole
      } else if first >= length {
        self = .unsatisfiable
      } else {
        self = .part(first..<min(length, (last ?? length) + 1))
      }
    }
  }

  /// Numbers that are too large for `Int64` are after the end of any file.
  private static func number(_ digits: Substring) -> UInt64? {
    let maximum = UInt64(Int64.max)
    return digits.isEmpty ? nil : min(UInt64(digits) ?? maximum, maximum)
  }
}
