/// The part of a file that a client asks for (RFC 9110, section 14).
enum ByteRange: Equatable {
  /// All of it: nothing was asked for, or something that may be passed over, such as several ranges at once.
  case whole
  case part(Range<UInt64>)
  /// Beyond the end.
  case unsatisfiable

  /// - Parameters:
  ///   - header: the value of `Range`, if there is one.
  ///   - length: of the whole, in bytes.
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

  /// Numbers that are too great for this are beyond any end.
  private static func number(_ digits: Substring) -> UInt64? {
    let most = UInt64(Int64.max)
    return digits.isEmpty ? nil : min(UInt64(digits) ?? most, most)
  }
}
