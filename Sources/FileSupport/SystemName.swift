import Foundation

/// Names of files as the system has them: bytes, usually but not always UTF-8.
///
/// In a string, a byte that is not UTF-8 is a private character, from U+10FE80 to U+10FEFF. So every name can be split,
/// joined and passed on, and becomes the same bytes again.
extension String {
  private static let offset: UInt32 = 0x10FE00
  private static let escapes: ClosedRange<UInt32> = 0x10FE80...0x10FEFF

  /// Decodes a name or an argument of the program.
  package init(systemName bytes: [UInt8]) {
    var scalars = String.UnicodeScalarView()
    func escape(_ bytes: ArraySlice<UInt8>) {
      for byte in bytes {
        if let scalar = Unicode.Scalar(Self.offset + UInt32(byte)) { scalars.append(scalar) }
      }
    }
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var index = 0
    while index < bytes.count {
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        let end = index + encoded.count
        // A private character that stands for itself.
        if Self.escapes.contains(scalar.value) { escape(bytes[index..<end]) } else { scalars.append(scalar) }
        index = end
      case .error(let length):
        escape(bytes[index..<index + length])
        index += length
      case .emptyInput: index = bytes.count
      }
    }
    self.init(scalars)
  }

  /// The bytes of the name, with a zero at the end, for the system's functions.
  package var systemName: [CChar] {
    unicodeScalars.flatMap { scalar -> [CChar] in
      guard let byte = scalar.escapedByte else {
        return UTF8.encode(scalar)?.map { CChar(bitPattern: $0) } ?? []
      }
      return [CChar(bitPattern: byte)]
    } + [0]
  }

  /// Whether the name is UTF-8, so that Foundation can use it.
  package var isUnicodeName: Bool { unicodeScalars.allSatisfy { $0.escapedByte == nil } }

  /// The path without symbolic links; nil if there is nothing.
  package var resolvedSystemName: String? {
    guard let resolved = realpath(systemName, nil) else { return nil }
    defer { free(resolved) }
    return String(systemName: UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)).map { $0 })
  }

  /// The names in the folder, sorted; nil if it cannot be read, and `errno` says why.
  package var namesInFolder: [String]? {
    guard let stream = opendir(systemName) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { $0.prefix { $0 != 0 }.map { $0 } }
      names.append(String(systemName: bytes))
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }

  /// The name for readers: bytes that are not UTF-8 as `\\xE9`, which bash reads in `$'…'`.
  package var readableName: String {
    guard !isUnicodeName else { return self }
    return unicodeScalars.map { scalar in
      scalar.escapedByte.map { "\\x" + String($0, radix: 16, uppercase: true) } ?? String(scalar)
    }.joined()
  }
}

extension Unicode.Scalar {
  /// The byte that the character stands for in a name that is not UTF-8; nil for all others.
  fileprivate var escapedByte: UInt8? {
    (0x10FE80...0x10FEFF).contains(value) ? UInt8(value - 0x10FE00) : nil
  }
}
