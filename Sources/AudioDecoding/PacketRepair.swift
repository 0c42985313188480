import CFFmpeg

/// Corrects the packets of a damaged stream before they are decoded: removes what is not audio, moves the times of what
/// follows by the audio that is missing, and finds packets that are there twice.
struct PacketRepair {
  typealias Packet = UnsafeMutablePointer<AVPacket>

  /// The most packets in one generation of `seen`.
  private static let maxSeen = 32_768

  /// Whether anything was corrected.
  private(set) var isDamaged = false

  /// How the times of a stream are found.
  private enum Kind {
    /// Packets have times.
    case timed
    /// Packets have times, and two with the same content need not be the same.
    case uncompressed
    /// MPEG audio: a packet has everything since the last frame.
    case mpeg
    /// ADTS: FFmpeg drops what is no frame.
    case adts
    /// FLAC: frames are numbered. The length of a numbered frame; nil if it is unknown.
    case flac(Int64?)
  }

  private let kind: Kind
  private let file: LocalFile
  /// In ADTS, where the next frame should begin; nil where that is unknown.
  private var position: Int64? = 0
  /// The bytes and number of whole frames.
  private var (bytes, frames) = (0.0, 0.0)
  /// By how much times are moved, in units of the stream.
  private var shift = 0.0
  /// The times of packets by a hash of their content, in two generations, and the latest time.
  private var seen: [UInt64: Int64] = [:]
  private var seenBefore: [UInt64: Int64] = [:]
  private var (first, latest): (Int64?, Int64) = (nil, .min)

  /// - Parameters:
  ///   - container: the short name of the container.
  ///   - parameters: those of the codec.
  init(_ file: LocalFile, container: String, _ parameters: UnsafePointer<AVCodecParameters>?) {
    self.file = file
    let codec = parameters.map { String(cString: avcodec_get_name($0.pointee.codec_id)) } ?? ""
    switch container {
    case "mp3": kind = .mpeg
    case "aac": kind = .adts
    case "flac":
      // The smallest and the largest block of the STREAMINFO are equal if frames are numbered.
      let data = parameters.flatMap { $0.pointee.extradata_size >= 4 ? $0.pointee.extradata : nil }
      let sizes = data.map { [Int64($0[0]) << 8 | Int64($0[1]), Int64($0[2]) << 8 | Int64($0[3])] }
      kind = .flac(sizes.flatMap { $0[0] == $0[1] ? $0[0] : nil })
    default: kind = codec.hasPrefix("pcm_") ? .uncompressed : .timed
    }
  }

  /// Forgets the stream so far, because reading continues elsewhere.
  mutating func reset() {
    shift = 0
    position = nil
    (seen, seenBefore, first, latest) = ([:], [:], nil, .min)
  }

  /// Corrects a packet; false if it must be skipped.
  mutating func correct(_ packet: Packet) -> Bool {
    guard let data = packet.pointee.data, packet.pointee.size > 0 else { return true }
    let content = UnsafeBufferPointer(start: data, count: Int(packet.pointee.size))
    switch kind {
    case .uncompressed: return true
    case .mpeg:
      align(packet, content)
      return true
    case .adts:
      locate(packet, content)
      return true
    case .flac(let length):
      if let time = FrameHeader.timeOfFLAC(content, frameLength: length) {
        (packet.pointee.pts, packet.pointee.dts) = (time, time)
      }
    case .timed: break
    }
    guard isRepeated(packet, content) else { return true }
    isDamaged = true
    return false
  }

  // MARK: Streams without times

  /// Removes the bytes before the last whole frame of a packet. Damaged frames are among them, so that the time moves.
  private mutating func align(_ packet: Packet, _ content: UnsafeBufferPointer<UInt8>) {
    let size = content.count
    let start = content.indices.first { start in
      FrameHeader.lengthOfMPEGAudio(.init(rebasing: content[start...])) == size - start
    }
    if let start {
      packet.pointee.data += start
      packet.pointee.size -= Int32(start)
      count(size - start)
      let junk = start - Tag.length(at: content[..<start])
      if junk > 0 { lose(Double(junk), of: packet) }
    } else if Double(size) * frames > 2 * bytes {
      // No frame at all, but the container counts one.
      lose(Double(size) - bytes / max(1, frames), of: packet)
    }
    move(packet)
  }

  /// Finds a packet in the file, and counts what is between it and the last one.
  private mutating func locate(_ packet: Packet, _ content: UnsafeBufferPointer<UInt8>) {
    if let position {
      let found = file.firstOffset(of: Array(content.prefix(16)), from: position)
      self.position = found.map { $0 + Int64(content.count) }
      if let found, found > position { lose(Double(found - position), of: packet) }
    }
    count(content.count)
    move(packet)
  }

  private mutating func count(_ size: Int) {
    bytes += Double(size)
    frames += 1
  }

  private func move(_ packet: Packet) {
    let units = Int64(shift.rounded())
    if packet.pointee.pts != longhand_av_nopts_value { packet.pointee.pts += units }
    if packet.pointee.dts != longhand_av_nopts_value { packet.pointee.dts += units }
  }

  /// Moves the times of what follows by the length of some bytes.
  private mutating func lose(_ junk: Double, of packet: Packet) {
    guard frames > 1 else { return }
    isDamaged = true
    shift += junk * frames / bytes * Double(packet.pointee.duration)
  }

  // MARK: Streams with times

  /// Whether the same packet was read before: it has an earlier time than others, and the content of a packet of about that
  /// time.
  private mutating func isRepeated(_ packet: Packet, _ content: UnsafeBufferPointer<UInt8>) -> Bool {
    let time = packet.pointee.pts
    guard time != longhand_av_nopts_value else { return false }
    let duration = max(1, packet.pointee.duration)
    // A stream that starts again, such as a copy that was appended.
    if let first, time <= first, latest > first { (seen, seenBefore, latest) = ([:], [:], time) }
    // The number of a frame of FLAC says which it is.
    let hash = if case .flac(.some) = kind { UInt64(bitPattern: time) } else { Self.hash(content) }
    if time < latest, let other = seen[hash] ?? seenBefore[hash], abs(other - time) <= 4 * duration {
      return true
    }
    first = min(first ?? time, time)
    latest = max(latest, time)
    seen[hash] = time
    if seen.count >= Self.maxSeen { (seenBefore, seen) = (seen, [:]) }
    return false
  }

  /// FNV-1a of the beginning and the length.
  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    bytes.prefix(512).reduce(0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
  }
}

/// The lengths of frames, from their headers.
enum FrameHeader {
  /// Bit rates in kbit/s by layer: of MPEG-1, and of MPEG-2 and 2.5.
  private static let rates: [[Int]] = [
    [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  ]
  private static let lowRates: [[Int]] = [
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]

  /// The length of a frame of MPEG audio, layers 1 to 3 (ISO/IEC 11172-3, 2.4.1.3).
  static func lengthOfMPEGAudio(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard bytes.count >= 4, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 else { return nil }
    let version = Int(bytes[1] >> 3 & 3)
    let layer = 3 - Int(bytes[1] >> 1 & 3)
    let (bitRate, sampleRate) = (Int(bytes[2] >> 4), Int(bytes[2] >> 2 & 3))
    guard version != 1, layer < 3, (1...14).contains(bitRate), sampleRate < 3 else { return nil }
    let isFull = version == 3
    let bits = (isFull ? rates : lowRates)[layer][bitRate] * 1000
    let hertz = [44_100, 48_000, 32_000][sampleRate] >> (isFull ? 0 : version == 2 ? 1 : 2)
    let padding = Int(bytes[2] >> 1 & 1)
    if layer == 0 { return (12 * bits / hertz + padding) * 4 }
    return (layer == 2 && !isFull ? 72 : 144) * bits / hertz + padding
  }

  /// The first sample of a frame of FLAC (RFC 9639, 9.1), from its number.
  static func timeOfFLAC(_ bytes: UnsafeBufferPointer<UInt8>, frameLength: Int64?) -> Int64? {
    guard bytes.count >= 11, bytes[0] == 0xFF, bytes[1] & 0xFE == 0xF8 else { return nil }
    // Coded as UTF-8, with up to 36 bits.
    let more = max(0, (~bytes[4]).leadingZeroBitCount - 1)
    guard more <= 6, bytes[4] & 0xC0 != 0x80 else { return nil }
    let head = Int64(bytes[4]) & (more == 0 ? 0x7F : 0x3F >> Int64(more))
    let number = bytes[5..<5 + more].reduce(head) { $0 << 6 | Int64($1 & 0x3F) }
    return bytes[1] & 1 == 1 ? number : frameLength.map { $0 * number }
  }
}

/// Descriptions inside a stream, which are no audio.
enum Tag {
  /// The length of the tags at the start of some bytes.
  static func length(at bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    var rest = bytes
    while let length = length(of: Array(rest.prefix(maxHead))), length < rest.count {
      rest = rest.dropFirst(length)
    }
    return length(of: Array(rest.prefix(maxHead))) == nil ? bytes.count - rest.count : bytes.count
  }

  /// The length of the tag at an offset of a file; nil if there is none.
  static func length(at offset: Int64, in file: LocalFile) -> Int64? {
    let count = min(Int64(maxHead), file.size - offset)
    guard count > 0, let head = file.bytes(at: offset, count: Int(count)) else { return nil }
    return length(of: head).map { Int64($0) }
  }

  /// The bytes of the longest header.
  private static let maxHead = 32

  /// The length of the tag that begins with some bytes; nil if they are no tag.
  private static func length(of head: [UInt8]) -> Int? {
    if head.count >= 10, head.starts(with: "ID3".utf8) {
      let footer = head[5] & 0x10 == 0 ? 0 : 10
      return 10 + footer + head[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    }
    if head.count == 32, head.starts(with: "APETAGEX".utf8) {
      return 32 + head[12..<16].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    return head.starts(with: "TAG".utf8) ? 128 : nil
  }
}
