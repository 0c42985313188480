import Foundation
import Longhand

/// How raw samples are laid out: `s16le:16000:1` is an encoding, a rate in Hz, and a number of channels.
struct RawAudioFormat: Sendable, Hashable {
  /// How one sample is written.
  struct Encoding: Sendable, Hashable {
    enum Kind: Sendable { case signed, unsigned, float }
    var kind: Kind
    /// Bytes of a sample.
    var bytes: Int
    var isBigEndian: Bool
  }

  /// Every encoding by its name, as FFmpeg calls them; without an ending the little end comes first.
  static let encodings: [String: Encoding] = {
    var encodings: [String: Encoding] = [
      "u8": Encoding(kind: .unsigned, bytes: 1, isBigEndian: false),
      "s8": Encoding(kind: .signed, bytes: 1, isBigEndian: false),
    ]
    let wide: [(String, Encoding.Kind, Int)] = [
      ("s16", .signed, 2), ("s24", .signed, 3), ("s32", .signed, 4), ("f32", .float, 4), ("f64", .float, 8),
    ]
    for (name, kind, bytes) in wide {
      encodings[name] = Encoding(kind: kind, bytes: bytes, isBigEndian: false)
      encodings[name + "le"] = Encoding(kind: kind, bytes: bytes, isBigEndian: false)
      encodings[name + "be"] = Encoding(kind: kind, bytes: bytes, isBigEndian: true)
    }
    return encodings
  }()

  /// Frames a second that make sense.
  static let rates = 1000...768_000
  /// Samples of a frame that make sense.
  static let channelCounts = 1...64

  /// How one sample is written.
  let encoding: Encoding
  /// Frames a second.
  let rate: Int
  /// Samples of a frame.
  let channels: Int

  /// Bytes of a frame.
  var frameBytes: Int { encoding.bytes * channels }

  /// The head of a WAVE file of so many bytes of these samples, after `littleEndian`.
  func header(dataBytes: UInt64) -> WaveHeader {
    WaveHeader(
      sampleRate: rate, channels: channels, sampleBytes: encoding.bytes, isFloat: encoding.kind == .float,
      dataBytes: dataBytes)
  }

  /// Each field by its name.
  init(encoding: Encoding, rate: Int, channels: Int) {
    self.encoding = encoding
    self.rate = rate
    self.channels = channels
  }

  /// Reads a description such as `s16le:16000:1`; without channels there is one.
  init(_ text: String) throws {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let hint = "such as --raw s16le:16000:1 (encoding:rate:channels)"
    guard parts.count == 2 || parts.count == 3 else {
      throw Failure.usage("--raw does not understand '\(text)'", hint: hint)
    }
    guard let encoding = Self.encodings[parts[0].lowercased()] else {
      let names = Self.encodings.keys.sorted().filter { $0.hasSuffix("e") || $0.hasSuffix("8") }
      throw Failure.usage(
        "--raw knows no encoding '\(parts[0])'", hint: "one of \(names.joined(separator: " "))")
    }
    guard let rate = Int(parts[1]), Self.rates.contains(rate) else {
      throw Failure.usage("--raw takes a rate from 1000 to 768000 Hz, not '\(parts[1])'", hint: hint)
    }
    guard let channels = parts.count == 3 ? Int(parts[2]) : 1, Self.channelCounts.contains(channels) else {
      throw Failure.usage("--raw takes 1 to 64 channels, not '\(parts[2])'", hint: hint)
    }
    self.encoding = encoding
    self.rate = rate
    self.channels = channels
  }

  /// Turns whole samples into those of a WAVE file: little end first, and 8 bits unsigned.
  func littleEndian(_ samples: ArraySlice<UInt8>) -> [UInt8] {
    var bytes = Array(samples)
    if encoding.bytes == 1, encoding.kind == .signed {
      for index in bytes.indices { bytes[index] ^= 0x80 }
    } else if encoding.isBigEndian {
      for start in stride(from: 0, to: bytes.count, by: encoding.bytes) {
        bytes[start..<start + encoding.bytes].reverse()
      }
    }
    return bytes
  }
}

extension RawAudioFormat {
  /// Turns whole samples into those of a recording: numbers of 16 bits, the little end first. Those with more bits are
  /// rounded, and what is beyond full scale, or no number, becomes full scale or silence.
  func recorded(_ samples: ArraySlice<UInt8>) -> Data {
    if encoding.kind == .signed, encoding.bytes == 2, !encoding.isBigEndian { return Data(samples) }
    var numbers: [Int16] = []
    numbers.reserveCapacity(samples.count / encoding.bytes)
    for start in stride(from: samples.startIndex, to: samples.endIndex, by: encoding.bytes) {
      numbers.append(number(samples[start..<start + encoding.bytes]).littleEndian)
    }
    return numbers.withUnsafeBytes { Data($0) }
  }

  private func number(_ sample: ArraySlice<UInt8>) -> Int16 {
    var bits: UInt64 = 0
    if encoding.isBigEndian {
      for byte in sample { bits = bits << 8 | UInt64(byte) }
    } else {
      for byte in sample.reversed() { bits = bits << 8 | UInt64(byte) }
    }
    switch encoding.kind {
    case .unsigned: return Int16(bitPattern: UInt16(truncatingIfNeeded: (bits ^ 0x80) << 8))
    case .signed:
      // As the upper bits of a number of 64: the sign comes by itself.
      let whole = Int64(bitPattern: bits << UInt64(64 - 8 * encoding.bytes))
      let (rounded, overflow) = whole.addingReportingOverflow(1 << 47)
      return overflow ? .max : Int16(truncatingIfNeeded: rounded >> 48)
    case .float:
      let value =
        encoding.bytes == 4
        ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
      return value.isNaN ? 0 : Int16(max(-32_768, min(32_767, (value * 32_768).rounded())))
    }
  }
}
