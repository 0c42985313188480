import Foundation

/// How a file format divides a file into chunks with names and lengths.
struct ChunkFormat {
  enum Kind { case riff, riff64, wave64, aiff, caf }

  struct Chunk {
    /// Four characters.
    let name: String
    /// The offset of the header.
    let header: Int64
    /// The offset of the contents, and their length, in bytes.
    let start: Int64
    let length: Int64
  }

  /// More chunks than any file has.
  private static let maxChunks = 10_000

  let kind: Kind
  /// The offset of the first chunk.
  let first: Int64
  /// The bytes of a chunk's name and of its length.
  private let header: (name: Int, length: Int)
  private let isBigEndian: Bool
  /// The begin of each chunk is a multiple of it.
  private let alignment: Int64

  /// - Parameter head: the first bytes of a file.
  init?(_ head: [UInt8]) {
    let magic = String(decoding: head.prefix(4), as: UTF8.self)
    switch (magic, String(decoding: head[8..<12], as: UTF8.self)) {
    case ("RIFF", "WAVE"): (kind, first, header, isBigEndian, alignment) = (.riff, 12, (4, 4), false, 2)
    case ("RF64", "WAVE"), ("BW64", "WAVE"):
      (kind, first, header, isBigEndian, alignment) = (.riff64, 12, (4, 4), false, 2)
    case ("FORM", "AIFF"), ("FORM", "AIFC"):
      (kind, first, header, isBigEndian, alignment) = (.aiff, 12, (4, 4), true, 2)
    case ("caff", _): (kind, first, header, isBigEndian, alignment) = (.caf, 8, (4, 8), true, 1)
    case ("riff", _): (kind, first, header, isBigEndian, alignment) = (.wave64, 40, (16, 8), false, 8)
    default: return nil
    }
  }

  func number(_ bytes: ArraySlice<UInt8>) -> Int64 { Self.number(bytes, isBigEndian: isBigEndian) }

  static func number(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> Int64 {
    let value = (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int64(clamping: value)
  }

  /// The chunk whose header begins at an offset; nil if the file has none there.
  private func chunk(at offset: Int64, in file: LocalFile) -> Chunk? {
    let count = header.name + header.length
    guard let bytes = file.bytes(at: offset, count: count) else { return nil }
    let stated = number(bytes[header.name...])
    // Wave64 counts the header too.
    return Chunk(
      name: String(decoding: bytes[..<4], as: UTF8.self), header: offset, start: offset + Int64(count),
      length: kind == .wave64 ? max(0, stated - Int64(count)) : stated)
  }

  /// The chunks from an offset on.
  func chunks(of file: LocalFile, from offset: Int64) -> some Sequence<Chunk> {
    sequence(state: (offset: offset, count: 0)) { (state: inout (offset: Int64, count: Int)) -> Chunk? in
      guard state.count < Self.maxChunks, let chunk = chunk(at: state.offset, in: file) else { return nil }
      let end = chunk.start + min(chunk.length, file.size)
      state = ((end + alignment - 1) / alignment * alignment, state.count + 1)
      return chunk
    }
  }

  /// Whether there are chunks, or tags that are in no chunk, from an offset to the end of the file.
  func hasChunks(_ file: LocalFile, from offset: Int64) -> Bool {
    // Some programs do not pad a chunk of odd length.
    hasChunks(file, from: offset, alignment: alignment) || hasChunks(file, from: offset, alignment: 1)
  }

  private func hasChunks(_ file: LocalFile, from offset: Int64, alignment: Int64) -> Bool {
    var offset = offset
    for _ in 0..<Self.maxChunks {
      offset = (offset + alignment - 1) / alignment * alignment
      guard file.size - offset >= Int64(header.name + header.length) else { return true }
      if let length = Tag.length(at: offset, in: file) {
        offset += length
        continue
      }
      guard let chunk = chunk(at: offset, in: file), chunk.name.utf8.allSatisfy({ 0x20...0x7E ~= $0 }),
        chunk.length <= file.size - chunk.start
      else { return false }
      offset = chunk.start + chunk.length
    }
    return true
  }

  /// What FFmpeg has to read in place of a chunk's length, so that it reads it to the end of the file.
  /// - Parameter longLength: the offset of the length of 64 bits, which RF64 and BW64 have in another chunk.
  func wholeLength(
    of chunk: Chunk, in file: LocalFile, at longLength: Int64?
  ) -> LocalFile.Reader.Correction {
    let field = chunk.header + Int64(header.name)
    let left = file.size - chunk.start
    func bytes(_ value: Int64) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
    switch (kind, longLength) {
    case (.riff64, let longLength?): return .init(offset: longLength, bytes: bytes(left))
    // FFmpeg reads to the end where the length is not known.
    case (.riff, _), (.riff64, _): return .init(offset: field, bytes: [0, 0, 0, 0])
    case (.caf, _): return .init(offset: field, bytes: bytes(-1))
    case (.wave64, _): return .init(offset: field, bytes: bytes(file.size - chunk.header))
    case (.aiff, _): return .init(offset: field, bytes: bytes(min(left, 0xFFFF_FFF0)).prefix(4).reversed())
    }
  }
}
