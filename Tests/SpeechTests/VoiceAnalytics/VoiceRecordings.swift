import Foundation

/// The recordings of real voices that `make setup` brings: men and women, read and spontaneous, clean and not.
enum VoiceRecordings {
  static let urls: [URL] = {
    let prefix = ProcessInfo.processInfo.environment["PREFIX"] ?? "/usr/local"
    let samples = URL(fileURLWithPath: prefix).appending(path: "share/pocketsphinx/samples")
    let novel = ["0870", "0880", "0890", "0920", "0930"].map {
      "librivox/sense_and_sensibility_01_austen_64kb-\($0).wav"
    }
    let cards = (1...5).map { "cards/00\($0).wav" }
    let others = [
      "forever/input_2_16k.wav", "forever/input_4_16k.wav", "goforward.raw", "numbers.raw", "something.raw",
      "tidigits/dhd.2934z.raw",
    ]
    return (novel + cards + others).map { samples.appending(path: $0) }
  }()

  struct Unreadable: Error, CustomStringConvertible {
    var description: String
  }

  /// The samples of a recording: little-endian 16-bit, of a RIFF file or without any header.
  static func samples(of url: URL) throws -> [Int16] {
    guard let data = try? Data(contentsOf: url) else {
      throw Unreadable(description: "\(url.path) is missing: run 'make setup'")
    }
    guard url.pathExtension == "wav" else { return samples(in: data) }
    var offset = 12
    while offset + 8 <= data.count {
      let size = (0..<4).reduce(0) { $0 | Int(data[offset + 4 + $1]) << (8 * $1) }
      let body = offset + 8
      if data[offset..<offset + 4].elementsEqual("data".utf8) {
        return samples(in: data[body..<min(data.count, body + size)])
      }
      offset = body + size + size % 2
    }
    throw Unreadable(description: "\(url.path) has no data chunk")
  }

  private static func samples(in data: Data) -> [Int16] {
    data.withUnsafeBytes { bytes in
      (0..<bytes.count / 2).map {
        Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self))
      }
    }
  }
}
