import Foundation

/// Makes the prints of the voices in 16 kHz audio.
///
/// ```swift
/// var printer = VoicePrinter()
/// printer.add(samples)
/// let prints = printer.prints(of: [(2.5...7.1, "a"), (7.4...9.0, "b")])
/// ```
package struct VoicePrinter {
  private static let cosines = VoiceFeatures.cosines(VoicePrint.dimension, VoicePrint.bands.count)

  private var mel = MelBands()
  /// The bands of prints only, `VoicePrint.bands.count` values for each frame.
  private var levels: [Float] = []

  package init() {}

  /// Takes the next samples.
  package mutating func add(_ samples: some Sequence<Int16>) {
    mel.add(samples)
    takeLevels()
  }

  private mutating func takeLevels() {
    let fine = mel.takeLevels()
    for start in stride(from: 0, to: fine.count, by: MelBands.count) {
      levels += fine[start + VoicePrint.bands.lowerBound..<start + VoicePrint.bands.upperBound]
    }
  }

  /// The prints of the voices. The audio that was added is all there is.
  /// - Parameter turns: who speaks when, in seconds. What two say at once is left out.
  /// - Returns: a print for each name in `turns` with enough speech.
  package mutating func prints(of turns: [(range: ClosedRange<Double>, voice: String)]) -> [String:
    VoicePrint]
  {
    mel.finish()
    takeLevels()
    let width = VoicePrint.bands.count
    let count = levels.count / width
    let frames = (0..<count).map { levels[$0 * width..<($0 + 1) * width] }
    let loudness = frames.map(VoiceFeatures.loudness)
    let floor = VoiceFeatures.percentile(0.05, of: loudness)
    return Self.frames(of: turns, count: count).compactMapValues { spoken in
      let loud = VoiceFeatures.percentile(0.95, of: spoken.map { loudness[$0] })
      let threshold = VoiceFeatures.threshold(floor: floor, loud: loud)
      var print = VoicePrint()
      for frame in spoken where loudness[frame] > threshold {
        print.add(VoiceFeatures.coefficients(frames[frame], Self.cosines)[...])
      }
      return print.isPossible ? print : nil
    }
  }

  /// For each voice, the frames in which it speaks alone.
  private static func frames(
    of turns: [(range: ClosedRange<Double>, voice: String)], count: Int
  ) -> [String: [Int]] {
    enum Owner: Equatable {
      case silence, several
      case one(Int)
    }
    var numbers: [String: Int] = [:]
    var owners = [Owner](repeating: .silence, count: count)
    for turn in turns {
      let number = numbers[turn.voice] ?? numbers.count
      numbers[turn.voice] = number
      let start = Int(min(Double(count), max(0, turn.range.lowerBound * SoundTrack.framesPerSecond)))
      let end = Int(min(Double(count), max(0, turn.range.upperBound * SoundTrack.framesPerSecond)))
      for frame in start..<max(start, end) {
        owners[frame] = owners[frame] == .silence || owners[frame] == .one(number) ? .one(number) : .several
      }
    }
    return numbers.mapValues { number in owners.indices.filter { owners[$0] == .one(number) } }
  }
}
