import Foundation

/// The parameters of a phonetically tied model: every phone has a codebook, whose Gaussians its states share. The frames of
/// features are split into streams, each with Gaussians of its own.
///
/// The files are those of PocketSphinx: `means` and `variances` (`ms_gauden.c`), `sendump` (`ptm_mgau.c`) and `mdef`
/// (`bin_mdef.c`), all little-endian.
struct AcousticModelParameters {
  /// The coefficients of a stream.
  static let width = 13
  /// A variance is at least this (PocketSphinx's `varfloor`).
  private static let leastVariance: Float = 1e-4

  /// The phones, in the order of their codebooks.
  let phones: [String: Int]
  let codebooks: Int
  let streams: Int
  let densities: Int
  let senones: Int
  /// By codebook, stream, density and coefficient.
  let means: [Float]
  /// The inverse variances, in the same order.
  let precisions: [Float]
  /// The logarithm of what normalizes each density, by codebook, stream and density.
  let normalizers: [Float]
  /// The logarithm of a weight that is stored as a number from 0 to 255.
  private let logWeights: [Float]
  /// The stored weights, by stream, density and senone.
  private let weights: [UInt8]

  /// Reads the model in a folder; nil if it is of another kind, or damaged.
  init?(folder: String) {
    guard let means = Self.gaussians(folder + "/means"),
      let variances = Self.gaussians(folder + "/variances"),
      means.sizes == variances.sizes, let phones = Self.phones(folder + "/mdef"),
      let weights = Self.weights(folder + "/sendump"), phones.count == means.sizes[0],
      weights.sizes == [means.sizes[1], means.sizes[2]]
    else { return nil }
    (codebooks, streams, densities) = (means.sizes[0], means.sizes[1], means.sizes[2])
    self.phones = Dictionary(phones.enumerated().map { ($1, $0) }) { first, _ in first }
    self.means = means.values
    let floored = variances.values.map { max(Self.leastVariance, $0) }
    precisions = floored.map { 1 / $0 }
    normalizers = stride(from: 0, to: floored.count, by: Self.width).map { first in
      -0.5 * floored[first..<first + Self.width].reduce(0) { $0 + log(2 * Float.pi * $1) }
    }
    // PocketSphinx's logarithms have the base 1.0001, and those of weights lack their lowest 10 bits.
    logWeights = (0...255).map { -Float($0 * 1024) * log(1.0001) }
    self.weights = weights.values
    senones = weights.senones
  }

  /// The logarithm of a density's weight in a senone.
  func logWeight(stream: Int, density: Int, senone: Int) -> Float {
    logWeights[Int(weights[(stream * densities + density) * senones + senone])]
  }

  private static func gaussians(_ path: String) -> (sizes: [Int], values: [Float])? {
    var input = Input(path)
    guard input?.skip(through: "endhdr\n") == true, input?.number() == 0x1122_3344,
      let sizes = input?.numbers(3), sizes.allSatisfy({ (1...4096).contains($0) }),
      let widths = input?.numbers(sizes[1]), widths.allSatisfy({ $0 == width }),
      let count = input?.number(), count == sizes.reduce(width, *), let values = input?.floats(count)
    else { return nil }
    return (sizes, values)
  }

  private static func phones(_ path: String) -> [String]? {
    // The numbers of phones, triphones, states, their senones, all senones, transitions, sequences, contexts and nodes of
    // the tree, and the phone of silence.
    guard var input = Input(path), input.text(4) == "BMDF", input.number() == 1, let length = input.number(),
      input.text(length) != nil, let sizes = input.numbers(10), (1...1000).contains(sizes[0])
    else { return nil }
    let phones = (0..<sizes[0]).compactMap { _ in input.word() }
    return phones.count == sizes[0] ? phones : nil
  }

  private static func weights(_ path: String) -> (sizes: [Int], senones: Int, values: [UInt8])? {
    guard var input = Input(path) else { return nil }
    var streams = 0
    // A title and a header, then settings until an empty one.
    while let length = input.number(), length != 0 {
      guard let line = input.text(length) else { return nil }
      let parts = line.prefix { $0 != "\0" }.split(separator: " ")
      if parts.first == "feature_count" { streams = parts.last.flatMap { Int($0) } ?? 0 }
      if ["cluster_count", "cluster_bits"].contains(parts.first), !["0", "8"].contains(parts.last) {
        return nil
      }
    }
    guard (1...16).contains(streams), let sizes = input.numbers(2),
      sizes.allSatisfy({ (1...1 << 20).contains($0) }),
      let values = input.bytes(streams * sizes[0] * sizes[1])
    else { return nil }
    return ([streams, sizes[0]], sizes[1], values)
  }

  /// Numbers and texts of a file, one after the other.
  private struct Input {
    private let data: Data
    private var place = 0

    init?(_ path: String) {
      guard let data = FileManager.default.contents(atPath: path) else { return nil }
      self.data = data
    }

    mutating func bytes(_ count: Int) -> [UInt8]? {
      guard count >= 0, count <= data.count - place else { return nil }
      defer { place += count }
      return [UInt8](data[place..<place + count])
    }

    mutating func text(_ count: Int) -> String? { bytes(count).map { String(decoding: $0, as: UTF8.self) } }

    /// A text that ends with a zero.
    mutating func word() -> String? {
      guard let end = data[place...].firstIndex(of: 0) else { return nil }
      defer { place = end + 1 }
      return text(end - place)
    }

    mutating func skip(through mark: String) -> Bool {
      guard let range = data.range(of: Data(mark.utf8)) else { return false }
      place = range.upperBound
      return true
    }

    mutating func number() -> Int? { numbers(1)?[0] }

    mutating func numbers(_ count: Int) -> [Int]? {
      bytes(4 * count)?.withUnsafeBytes { bytes in
        (0..<count).map {
          Int(Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self)))
        }
      }
    }

    mutating func floats(_ count: Int) -> [Float]? {
      bytes(4 * count)?.withUnsafeBytes { bytes in
        (0..<count).map {
          Float(
            bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)))
        }
      }
    }
  }
}
