import CFFmpeg
import Foundation

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
  var statedDuration: Double? {
    let stated = streamDuration
    switch containerName {
    case "wav", "w64", "aiff", "caf", "au": return chunk.map(\.seconds) ?? stated
    case "mp3":
      return xingFrames.map { Double($0) * Double(frameLength) / Double(max(1, statedRate)) } ?? stated
    case "flac", "tta", "ape", "wv": return stated
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
