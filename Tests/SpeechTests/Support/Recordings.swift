import AVFAudio
import Foundation
import TestSupport

/// The real recordings that `make setup` brings.
enum Recordings {
  static let folder = URL(
    fileURLWithPath: (ProcessInfo.processInfo.environment["PREFIX"] ?? "/usr/local")
      + "/share/pocketsphinx/samples")

  /// A reader's sentence.
  static func librivox(_ number: String) -> URL {
    folder.appendingPathComponent("librivox/sense_and_sensibility_01_austen_64kb-\(number).wav")
  }

  /// What is said in `librivox("0870")`.
  static let text0870 =
    "and mister john dashwood had then leisure to consider how much there might be prudently in his power to do for them"

  /// What is said in `goForward()`, as Whisper writes it.
  static let textGoForward = "Go forward 10 meters."

  /// "go forward ten meters", 16 kHz mono 16-bit.
  static func goForward() throws -> [Int16] {
    let data = try Data(contentsOf: folder.appendingPathComponent("goforward.raw"))
    return data.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
  }

  /// The samples of a 16 kHz mono file.
  static func samples(_ url: URL) throws -> [Int16] {
    let file = try AVAudioFile(forReading: url, commonFormat: .pcmFormatInt16, interleaved: true)
    guard let buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: UInt32(file.length))
    else {
      return []
    }
    try file.read(into: buffer)
    guard let channels = buffer.int16ChannelData else { return [] }
    return Array(UnsafeBufferPointer(start: channels[0], count: Int(buffer.frameLength)))
  }

  /// Several readers' sentences, one after another, with a pause of a second and a half between them: 30 s.
  static func talk() throws -> [Int16] {
    var samples: [Int16] = silence(0.5)
    for number in ["0870", "0880", "0890", "0920", "0930"] {
      samples += try Self.samples(librivox(number)) + silence(1.5)
    }
    return samples
  }

  /// Five utterances to provoke faults with: short ones (19 s with their pauses), the readers' sentences in `make soak`.
  static func utterances() throws -> [Int16] {
    if isSoak { return try talk() }
    let (first, second) = (try samples(librivox("0880")), try samples(librivox("0930")))
    let command = try goForward()
    return [first, command, second, command, first].reduce(silence(0.5)) { $0 + $1 + silence(1) }
  }

  /// What is said in `utterances()`, in part.
  static var textOfUtterances: String { isSoak ? text0870 : "go forward ten meters" }

  static func silence(_ seconds: Double) -> [Int16] {
    // Faint noise, as a microphone gives it.
    var state: UInt32 = 1
    return (0..<Int(seconds * 16_000)).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int16(truncatingIfNeeded: Int32(state >> 28)) - 8
    }
  }

  /// Writes 16 kHz mono samples to a new file.
  static func write(_ samples: [Int16], name: String = UUID().uuidString) throws -> URL {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("speech-tests-\(name).wav")
    let settings: [String: Any] = [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 16_000.0, AVNumberOfChannelsKey: 1,
      AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false,
    ]
    let file = try AVAudioFile(
      forWriting: url, settings: settings, commonFormat: .pcmFormatInt16, interleaved: true)
    if !samples.isEmpty { try file.write(from: buffer(samples)) }
    file.close()
    return url
  }

  static func buffer(_ samples: [Int16]) throws -> AVAudioPCMBuffer {
    guard
      let format = AVAudioFormat(
        commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 1, interleaved: true),
      let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: UInt32(max(1, samples.count))),
      let channels = buffer.int16ChannelData
    else { throw CocoaError(.featureUnsupported) }
    buffer.frameLength = UInt32(samples.count)
    channels[0].update(from: samples, count: samples.count)
    return buffer
  }

  /// The share of `reference`'s words that `hypothesis` lacks, in order (longest common subsequence).
  static func missing(_ reference: String, in hypothesis: String) -> Double {
    let (a, b) = (
      reference.split(separator: " "), hypothesis.lowercased().split { !$0.isLetter && $0 != "'" }
    )
    var row = [Int](repeating: 0, count: b.count + 1)
    for word in a {
      var diagonal = 0
      for index in b.indices {
        let above = row[index + 1]
        row[index + 1] = word == b[index] ? diagonal + 1 : max(above, row[index])
        diagonal = above
      }
    }
    return 1 - Double(row[b.count]) / Double(max(1, a.count))
  }
}
