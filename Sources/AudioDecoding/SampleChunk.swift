import Foundation

/// The chunk with the samples of a WAVE, Wave64, AIFF, CAF or AU file, as the header states it. FFmpeg reads no more than
/// that.
struct SampleChunk {
  /// The offset of the first sample, and the stated length, in bytes.
  private let start: Int64
  private let length: Int64
  /// The end of the chunk, or that of the file if it comes first.
  private let end: Int64
  /// 0 if the header does not state it.
  private let bytesPerSecond: Int64
  /// The length in seconds where the samples have no fixed number of bytes; 0 if the header does not state it.
  private let packedSeconds: Double?
  /// What FFmpeg has to read in place of the length, so that it reads the file to its end.
  private let wholeLength: LocalFile.Reader.Correction
  /// Nil for AU, where nothing follows the samples.
  private let format: ChunkFormat?
  private let file: LocalFile

  /// PCM, floating point, A-law, µ-law, and the extensible form of these in WAVE.
  private static let plainFormats: Set<Int64> = [1, 3, 6, 7, 0xFFFE]
  /// The kinds of AIFF-C without compression.
  private static let plainKinds: Set<String> = [
    "NONE", "twos", "sowt", "in24", "in32", "42ni", "23ni", "fl32", "FL32", "fl64", "FL64",
  ]
  /// The bytes of a sample of AU, by its encoding.
  private static let bytesInAU: [Int64: Int64] = [1: 1, 2: 1, 3: 2, 4: 3, 5: 4, 6: 4, 7: 8, 27: 1]

  /// Reads the headers of the chunks; nil if the file has none of these formats, or no samples, or such of unknown length.
  init?(_ file: LocalFile) {
    self.file = file
    guard let head = file.bytes(at: 0, count: 24) else { return nil }
    if head.starts(with: ".snd".utf8) {
      let numbers = (0..<6).map { ChunkFormat.number(head[4 * $0..<4 * $0 + 4], isBigEndian: true) }
      guard let bytes = Self.bytesInAU[numbers[3]] else { return nil }
      (start, length, format, packedSeconds) = (numbers[1], numbers[2], nil, nil)
      // The file may say any numbers: their product need not fit.
      bytesPerSecond = Int64(exactly: Double(bytes) * Double(numbers[4]) * Double(numbers[5])) ?? 0
      end = min(start + length, file.size)
      wholeLength = .init(offset: 8, bytes: [0xFF, 0xFF, 0xFF, 0xFF])
      return
    }
    guard let format = ChunkFormat(head) else { return nil }
    self.format = format
    var longLength: Int64?
    var (bytesPerSecond, rate, frames, frameLength): (Int64, Int64, Int64, Int64) = (0, 0, 0, 0)
    var isPlain = true
    for chunk in format.chunks(of: file, from: format.first) {
      func number(_ offset: Int64, _ count: Int) -> Int64 {
        file.bytes(at: chunk.start + offset, count: count).map { format.number($0[...]) } ?? 0
      }
      switch chunk.name {
      case "fmt ":
        isPlain = Self.plainFormats.contains(number(0, 2))
        (rate, bytesPerSecond) = (number(4, 4), number(8, 4))
      case "fact": frames = number(0, 4)
      case "ds64": longLength = format.kind == .riff ? nil : chunk.start + 8
      case "COMM":
        guard let rate = file.bytes(at: chunk.start + 8, count: 10).map(Self.extended) else { return nil }
        if chunk.length > 18, let kind = file.bytes(at: chunk.start + 18, count: 4),
          !Self.plainKinds.contains(String(decoding: kind, as: UTF8.self))
        {
          return nil
        }
        (frames, frameLength) = (number(2, 4), number(0, 2) * ((number(6, 2) + 7) / 8))
        bytesPerSecond = Int64(exactly: (rate * Double(frameLength)).rounded()) ?? 0
      case "desc":
        let rate = Double(bitPattern: UInt64(bitPattern: number(0, 8)))
        let bytes = rate * Double(number(16, 4)) / Double(max(1, number(20, 4)))
        bytesPerSecond = Int64(exactly: bytes.rounded()) ?? 0
      case "data", "SSND":
        guard bytesPerSecond > 0 || !isPlain else { return nil }
        let skipped: Int64 =
          switch format.kind {
          case .aiff: 8 + number(0, 4)
          case .caf: 4
          default: 0
          }
        start = chunk.start + skipped
        let long = longLength.flatMap { file.bytes(at: $0, count: 8) }.map { format.number($0[...]) }
        let stated = chunk.length == 0xFFFF_FFFF ? long ?? chunk.length : chunk.length
        let inFrames = frameLength > 0 && frames > 0 ? frames * frameLength : .max
        length = max(0, min(stated - skipped, inFrames))
        end = min(chunk.start + min(stated, file.size), file.size)
        self.bytesPerSecond = bytesPerSecond
        packedSeconds = isPlain ? nil : Double(frames) / Double(max(1, rate))
        wholeLength = format.wholeLength(of: chunk, in: file, at: longLength)
        return
      default: break
      }
    }
    return nil
  }

  /// The number of 80 bits that AIFF has as the rate.
  private static func extended(_ bytes: [UInt8]) -> Double {
    let exponent = ChunkFormat.number(bytes[..<2], isBigEndian: true) & 0x7FFF
    let fraction = bytes[2...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return scalbn(Double(fraction), Int(exponent) - 16_383 - 63)
  }

  /// The stated length in seconds; nil if a program wrote the header before it knew the length.
  var seconds: Double? {
    if let packedSeconds { return packedSeconds > 0 ? packedSeconds : nil }
    return isPlaceholder || bytesPerSecond <= 0 ? nil : Double(length) / Double(bytesPerSecond)
  }

  /// The stated length in bytes; nil if there is none.
  var statedLength: Int64? { isPlaceholder || packedSeconds != nil ? nil : length }

  /// Whether a program wrote the length before it knew it.
  private var isPlaceholder: Bool {
    let placeholders: [ClosedRange<Int64>] = [
      0...0, 0x7FFF_F000...0x8000_0100, 0xFFFF_FF00...0xFFFF_FFFF, Int64.max - 0xFF...Int64.max,
    ]
    return placeholders.contains { $0.contains(length) } && length != file.size - start
  }

  /// The end of the samples, if it comes half a second or more after the stated one, or if none is stated.
  var laterEnd: Int64? {
    guard file.size > start else { return nil }
    if continues || (isPlaceholder && end == file.size) { return file.size }
    return end - start - min(length, file.size) > bytesPerSecond / 2 ? end : nil
  }

  /// Whether audio continues for at least half a second after the end of the chunk. What follows may be other chunks
  /// or tags instead.
  private var continues: Bool {
    guard file.size - end > bytesPerSecond / 2 else { return false }
    return format.map { !$0.hasChunks(file, from: end) } ?? true
  }

  /// What FFmpeg has to read as the length, so that it reads the file to its end; nil if the header is right.
  var correction: LocalFile.Reader.Correction? { laterEnd == file.size ? wholeLength : nil }
}
