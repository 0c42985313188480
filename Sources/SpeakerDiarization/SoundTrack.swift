import Foundation

/// How loud 16 kHz audio is in a few bands, every 10 ms: enough to find the same sound in two channels of a recording.
///
/// ```swift
/// var track = SoundTrack()
/// track.add(samples)
/// track.finish()
/// ```
package struct SoundTrack: Sendable {
  /// Frames in a second.
  package static let framesPerSecond = Double(MelBands.sampleRate / MelBands.hop)
  /// The bands of a frame.
  package static let bandCount = 8
  /// Levels so far below the loudest of the compared ones count as equal, as natural logarithms of power: 20 dB. Below that
  /// is the noise of a channel.
  private static let depth: Float = 4.6

  private var mel = MelBands()
  /// Natural logarithms of power, `bandCount` values for each frame.
  private var levels: [Float] = []

  package init() {}

  /// The number of frames.
  package var frameCount: Int { levels.count / Self.bandCount }

  /// Takes the next samples of 16 kHz audio.
  package mutating func add(_ samples: some Sequence<Int16>) {
    mel.add(samples)
    let fine = mel.takeLevels()
    let width = MelBands.count / Self.bandCount
    levels.reserveCapacity(levels.count + fine.count / width)
    for start in stride(from: 0, to: fine.count, by: width) {
      levels.append(log(fine[start..<start + width].reduce(0) { $0 + exp($1) }))
    }
  }

  /// Takes the end of the audio.
  package mutating func finish() { add([Int16](repeating: 0, count: 2 * MelBands.length)) }

  /// The mean power of a part of the track; 0 where there is none.
  /// - Parameter frames: the part; frames beyond the track are left out.
  package func power(_ frames: Range<Int>) -> Double {
    let frames = frames.clamped(to: 0..<frameCount)
    guard !frames.isEmpty else { return 0 }
    let sum = levels[frames.lowerBound * Self.bandCount..<frames.upperBound * Self.bandCount]
      .reduce(0) { $0 + exp(Double($1)) }
    return sum / Double(frames.count)
  }

  /// How alike the sound of some frames is to another track, some frames later there: the correlation of the levels of each
  /// band, at most 1. How loud the tracks are, and what each does to a band, does not matter.
  package func likeness(_ frames: [Int], to other: SoundTrack, later: Int) -> Double {
    let count = Self.bandCount
    let both = frames.filter {
      (0..<frameCount).contains($0) && (0..<other.frameCount).contains($0 + later)
    }
    guard both.count > 1 else { return 0 }
    var (mixed, own, others) = (0.0, 0.0, 0.0)
    for band in 0..<count {
      let left = Self.centred(both.map { levels[$0 * count + band] })
      let right = Self.centred(both.map { other.levels[($0 + later) * count + band] })
      for (a, b) in zip(left, right) {
        mixed += a * b
        own += a * a
        others += b * b
      }
    }
    return own > 0 && others > 0 ? mixed / (own * others).squareRoot() : 0
  }

  private static func centred(_ levels: [Float]) -> [Double] {
    let floor = (levels.max() ?? 0) - depth
    let raised = levels.map { Double(max($0, floor)) }
    let mean = raised.reduce(0, +) / Double(raised.count)
    return raised.map { $0 - mean }
  }
}
