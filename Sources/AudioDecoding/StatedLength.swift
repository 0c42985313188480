import CFFmpeg
import Foundation

/// The chunk of a WAVE file with the samples, as the header states it. FFmpeg reads no more than that.
struct WaveData {
  /// The offset of the first sample, and the stated length, in bytes.
  let start: Int64
  let length: Int64
  /// More chunks than any file has.
  private static let maxChunks = 10_000

  /// 0 if the header does not state it.
  private let bytesPerSecond: Int64
  /// The offset of the 64-bit length, which RF64 and BW64 have in another chunk.
  private let longLength: Int64?
  /// The length in seconds where the samples have no fixed number of bytes; 0 if the header does not state it.
  private let packedSeconds: Double?
  private let file: LocalFile
  /// PCM, floating point, A-law, µ-law, and the extensible form of these.
  private static let plainFormats: Set<Int64> = [1, 3, 6, 7, 0xFFFE]

  /// Reads the headers of the chunks; nil if this is not a WAVE file with samples.
  init?(_ file: LocalFile) {
    self.file = file
    guard let head = file.bytes(at: 0, count: 12), head[8...].elementsEqual("WAVE".utf8),
      ["RIFF", "RF64", "BW64"].contains(String(decoding: head[..<4], as: UTF8.self))
    else { return nil }
    var offset: Int64 = 12
    var longLength: Int64?
    var (bytesPerSecond, rate, frames): (Int64, Int64, Int64) = (0, 0, 0)
    var isPlain = true
    for _ in 0..<Self.maxChunks {
      guard let header = file.bytes(at: offset, count: 8) else { break }
      let length = Self.number(header[4...])
      switch String(decoding: header[..<4], as: UTF8.self) {
      case "fmt ":
        guard let format = file.bytes(at: offset + 8, count: 12) else { return nil }
        isPlain = Self.plainFormats.contains(Self.number(format[..<2]))
        (rate, bytesPerSecond) = (Self.number(format[4..<8]), Self.number(format[8...]))
      case "fact": frames = file.bytes(at: offset + 8, count: 4).map { Self.number($0[...]) } ?? 0
      case "ds64": longLength = head[..<4].elementsEqual("RIFF".utf8) ? nil : offset + 16
      case "data":
        guard bytesPerSecond > 0 || !isPlain else { return nil }
        start = offset + 8
        let long = longLength.flatMap { file.bytes(at: $0, count: 8) }
        self.length = length == 0xFFFF_FFFF ? long.map { Self.number($0[...]) } ?? length : length
        self.longLength = longLength
        self.bytesPerSecond = bytesPerSecond
        packedSeconds = isPlain ? nil : Double(frames) / Double(max(1, rate))
        return
      default: break
      }
      offset += 8 + length + length % 2
    }
    return nil
  }

  /// The stated length in seconds; nil if a program wrote the header before it knew the length.
  var seconds: Double? {
    if let packedSeconds { return packedSeconds > 0 ? packedSeconds : nil }
    return isPlaceholder ? nil : Double(length) / Double(bytesPerSecond)
  }

  /// Whether a program wrote the length before it knew it.
  private var isPlaceholder: Bool {
    let placeholders: [ClosedRange<Int64>] = [
      0...0, 0x7FFF_F000...0x8000_0100, 0xFFFF_FF00...0xFFFF_FFFF, Int64.max - 0xFF...Int64.max,
    ]
    return placeholders.contains { $0.contains(length) } && length != file.size - start
  }

  /// Whether audio continues for at least half a second after the stated end. What follows may be other chunks instead.
  var isUnderstated: Bool {
    // FFmpeg reads nothing where a 64-bit length was not written.
    if isPlaceholder { return longLength != nil && file.size > start }
    guard length < file.size else { return false }
    var end = start + length + length % 2
    guard file.size - end > bytesPerSecond / 2 else { return false }
    for _ in 0..<Self.maxChunks {
      guard let header = file.bytes(at: end, count: 8) else { break }
      let next = Self.number(header[4...])
      guard header[..<4].allSatisfy({ 0x20...0x7E ~= $0 }), next <= file.size - end - 8 else { return true }
      end += 8 + next + next % 2
    }
    return false
  }

  /// What FFmpeg has to read as the length, so that it reads the file to its end; nil if it does so anyway.
  var correction: LocalFile.Reader.Correction? {
    guard isUnderstated else { return nil }
    guard let longLength else { return .init(offset: start - 4, bytes: [0, 0, 0, 0]) }
    let length = file.size - start
    return .init(offset: longLength, bytes: withUnsafeBytes(of: length.littleEndian) { Array($0) })
  }

  /// A little-endian number.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
    Int64(clamping: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}

extension LocalFile {
  /// Reads bytes; nil if the file ends before.
  func bytes(at offset: Int64, count: Int) -> [UInt8]? {
    guard offset >= 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    return pread(descriptor, &bytes, count, off_t(offset)) == count ? bytes : nil
  }

  /// The first offset from a position on at which the file has some bytes; nil if it does not have them.
  func firstOffset(of wanted: [UInt8], from start: Int64) -> Int64? {
    if bytes(at: start, count: wanted.count) == wanted { return start }
    var block = [UInt8](repeating: 0, count: 1 << 16)
    var offset = start
    while true {
      let count = pread(descriptor, &block, block.count, off_t(offset))
      guard count >= wanted.count, let first = wanted.first else { return nil }
      for index in 0...count - wanted.count where block[index] == first {
        if block[index..<index + wanted.count].elementsEqual(wanted) { return offset + Int64(index) }
      }
      offset += Int64(count - wanted.count + 1)
    }
  }
}

extension DecodedStream {
  /// The length that the file states, in seconds; nil if it states none, and where FFmpeg estimates it.
  ///
  var statedDuration: Double? {
    let stated = streamDuration
    switch containerName {
    case "wav": return wave.map(\.seconds) ?? stated
    case "mp3":
      return xingFrames.map { Double($0) * Double(frameLength) / Double(max(1, statedRate)) } ?? stated
    case "w64", "aiff", "caf", "au", "flac", "tta", "ape", "wv": return stated
    case let name where name.hasPrefix("mov"): return stated
    // The length of the longest stream.
    case let name where name.hasPrefix("matroska"): return streamCount == 1 ? fileDuration : nil
    default: return nil
    }
  }

  /// Whether a file may state the length of its beginning only: MP4 in fragments does.
  var mayUnderstate: Bool { containerName.hasPrefix("mov") }

  /// The number of frames in the header that encoders of MP3 write in place of the first frame.
  private var xingFrames: Int64? {
    let length = Int(min(firstPacketPosition, 4096))
    guard length > 0, let bytes = file.bytes(at: firstPacketPosition - Int64(length), count: length) else {
      return nil
    }
    for start in stride(from: length - 12, through: 0, by: -1)
    where bytes[start] == 0x58 || bytes[start] == 0x49 {
      let rest = bytes[start...]
      guard rest.starts(with: "Xing".utf8) || rest.starts(with: "Info".utf8) else { continue }
      guard bytes[start + 7] & 1 != 0 else { return nil }
      return bytes[start + 8..<start + 12].reduce(0) { $0 << 8 | Int64($1) }
    }
    return nil
  }
}
