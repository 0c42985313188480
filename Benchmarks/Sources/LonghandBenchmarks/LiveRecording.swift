import AVFAudio
import Foundation

/// Clips one after the other, with pauses of one to two seconds of faint noise.
struct LiveRecording {
  static let rate = 16_000
  /// Seconds of silence between two clips, and before the first.
  private static let pauses = 1.0...2.0
  /// White noise of -66 dBFS.
  private static let noise: ClosedRange<Int16> = -28...28

  /// 16 kHz, mono.
  private(set) var samples: [Int16] = []
  /// The time range of each clip in seconds.
  private(set) var utterances: [ClosedRange<Double>] = []

  var seconds: Double { Double(samples.count) / Double(Self.rate) }

  /// Joins clips to about this many minutes. The clips are taken evenly from the list.
  init(_ files: [URL], minutes: Double) throws {
    let clips = try files.map(Self.samples)
    let meanPause = (Self.pauses.lowerBound + Self.pauses.upperBound) / 2
    let mean = Double(clips.reduce(0) { $0 + $1.count }) / Double(clips.count * Self.rate) + meanPause
    let count = min(clips.count, max(1, Int(minutes * 60 / mean)))
    var generator = SeededGenerator(seed: 1)
    for clip in (0..<count).map({ clips[$0 * clips.count / count] }) {
      pause(&generator)
      utterances.append(seconds...seconds + Double(clip.count) / Double(Self.rate))
      samples += clip
    }
    pause(&generator)
  }

  private mutating func pause(_ generator: inout SeededGenerator) {
    let length = Int(Double.random(in: Self.pauses, using: &generator) * Double(Self.rate))
    samples += (0..<length).map { _ in Int16.random(in: Self.noise, using: &generator) }
  }

  private static func samples(of file: URL) throws -> [Int16] {
    let sound = try AVAudioFile(forReading: file, commonFormat: .pcmFormatInt16, interleaved: false)
    let capacity = AVAudioFrameCount(sound.length)
    guard let buffer = AVAudioPCMBuffer(pcmFormat: sound.processingFormat, frameCapacity: capacity) else {
      throw Program.Failure(description: "\(file.path): not enough memory for its audio")
    }
    try sound.read(into: buffer)
    guard let data = buffer.int16ChannelData else { return [] }
    return Array(UnsafeBufferPointer(start: data[0], count: Int(buffer.frameLength)))
  }
}
