import Foundation
import Longhand

/// The format of raw samples: `s16le:16000:1` is an encoding, a sample rate in Hz, and a number of channels.
struct RawAudioFormat: Sendable, Hashable {
  /// The encoding of one sample.
  struct Encoding: Sendable, Hashable {
    enum Kind: Sendable { case signed, unsigned, float }
    var kind: Kind
    /// Bytes per sample.
    var bytes: Int
    var isBigEndian: Bool
  }

  /// All encodings by FFmpeg's names. Without `le` or `be` at the end, a name means little-endian.
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

  /// The accepted sample rates in Hz.
  static let rates = AudioLimits.sampleRates
  /// The accepted channel counts.
  static let channelCounts = AudioLimits.channelCounts

  /// The encoding of one sample.
  let encoding: Encoding
  /// The sample rate in Hz.
  let rate: Int
  /// The number of channels.
  let channels: Int

  /// Bytes per frame.
  var frameBytes: Int { encoding.bytes * channels }

  /// The header of a WAVE file with `dataBytes` bytes of samples from `littleEndian`.
  func header(dataBytes: UInt64) -> WaveHeader {
    WaveHeader(
      sampleRate: rate, channels: channels, sampleBytes: encoding.bytes, isFloat: encoding.kind == .float,
      dataBytes: dataBytes)
  }

  /// The format of the samples after a header.
  init(_ header: WaveHeader) {
    let kind: Encoding.Kind = header.isFloat ? .float : header.sampleBytes == 1 ? .unsigned : .signed
    encoding = Encoding(kind: kind, bytes: header.sampleBytes, isBigEndian: false)
    rate = header.sampleRate
    channels = header.channels
  }

  /// Parses a description such as `s16le:16000:1`. Without a channel count there is one channel.
  init(_ text: String) throws {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let hint = "Write encoding:rate:channels, for example --raw s16le:16000:1"
    guard parts.count == 2 || parts.count == 3 else {
      throw Failure.usage("The option --raw cannot read '\(text)'.", hint: hint)
    }
    guard let encoding = Self.encodings[parts[0].lowercased()] else {
      let names = Self.encodings.keys.sorted().filter { $0.hasSuffix("e") || $0.hasSuffix("8") }
      throw Failure.usage(
        "The option --raw has no encoding '\(parts[0])'.", hint: "Use one of: \(names.joined(separator: " "))"
      )
    }
    guard let rate = Int(parts[1]), Self.rates.contains(rate) else {
      throw Failure.usage(
        "The option --raw takes a sample rate from 1000 to 768000 Hz, not '\(parts[1])'.", hint: hint)
    }
    guard let channels = parts.count == 3 ? Int(parts[2]) : 1, Self.channelCounts.contains(channels) else {
      throw Failure.usage("The option --raw takes 1 to 64 channels, not '\(parts[2])'.", hint: hint)
    }
    self.encoding = encoding
    self.rate = rate
    self.channels = channels
  }

  /// Converts samples to those of a WAVE file: little-endian, and unsigned if they have 8 bits.
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
  /// Converts samples to those of a recording: little-endian 16-bit integers. Wider samples are rounded, values beyond
  /// full scale are clipped, and NaN becomes silence.
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
      // Shift into the upper bits of a 64-bit integer, which extends the sign.
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
