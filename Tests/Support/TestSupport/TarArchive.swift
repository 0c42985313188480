import Foundation

/// A tar archive whose entries may be what no honest program writes.
package struct TarArchive {
  /// The kind of an entry, as in its header.
  package enum Kind: String, Sendable {
    case file = "0"
    case hardLink = "1"
    case symbolicLink = "2"
    case device = "3"
    case folder = "5"
    case extendedHeader = "x"
  }

  private var entries = Data()

  package init() {}

  /// Adds an entry.
  package mutating func add(_ name: String, _ data: Data = Data(), kind: Kind = .file, link: String = "") {
    var header = Data(count: 512)
    func put(_ text: String, at offset: Int) {
      header.replaceSubrange(offset..<offset + text.utf8.count, with: Data(text.utf8))
    }
    put(name, at: 0)
    put(kind == .folder ? "0000755" : "0000644", at: 100)
    put("0000000", at: 108)
    put("0000000", at: 116)
    put(Self.octal(data.count, digits: 11), at: 124)
    put("00000000000", at: 136)
    put("        ", at: 148)
    put(kind.rawValue, at: 156)
    put(link, at: 157)
    put("ustar", at: 257)
    put("00", at: 263)
    put(Self.octal(header.reduce(0) { $0 + Int($1) }, digits: 6) + "\0", at: 148)
    entries += header + data + Data(count: (512 - data.count % 512) % 512)
  }

  /// Adds a file whose name is in a header of its own and is UTF-8, as in pax archives.
  package mutating func addExtended(_ name: String, _ data: Data) {
    let record = " path=\(name)\n"
    // The record begins with its length, which counts itself.
    var length = record.utf8.count + 1
    while "\(length)".utf8.count + record.utf8.count > length { length += 1 }
    add("extended", Data("\(length)\(record)".utf8), kind: .extendedHeader)
    add("file", data)
  }

  /// The archive, with its end.
  package var data: Data { entries + Data(count: 1024) }

  private static func octal(_ number: Int, digits: Int) -> String {
    let text = String(number, radix: 8)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

#if os(Linux)
  extension TarArchive {
    /// Compresses a file with a program such as `bzip2`, in its place.
    package static func compress(_ file: URL, with program: String) throws {
      try Program.output(of: [program, "-f", file.path])
    }
  }
#endif
