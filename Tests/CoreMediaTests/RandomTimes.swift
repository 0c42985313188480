import CoreMedia
import ScriptedSpeech

extension SeededGenerator {
  /// An integer that is likely to be near the end of its type or near zero.
  mutating func extreme<Integer: FixedWidthInteger>(_: Integer.Type = Integer.self) -> Integer {
    switch UInt8.random(in: 0..<8, using: &self) {
    case 0: .min
    case 1: .max
    case 2: 0
    case 3: 1
    case 4: Integer(truncatingIfNeeded: -1)
    case 5: .max - Integer.random(in: 0..<4, using: &self)
    default: Integer.random(in: .min ... .max, using: &self) >> Integer.random(in: 0..<31, using: &self)
    }
  }

  /// A time of any kind, with any fields.
  mutating func anyTime() -> CMTime {
    CMTime(
      value: extreme(), timescale: extreme(),
      flags: CMTimeFlags(rawValue: UInt32(next() % 32) | UInt32(next() & 1)),
      epoch: Bool.random(using: &self) ? 0 : extreme())
  }

  /// A number of any size in epoch 0.
  mutating func anyNumber() -> CMTime {
    CMTime(value: extreme(), timescale: Int32.random(in: 1 ... .max, using: &self) >> Int32(next() % 31) | 1)
  }

  /// A number that no operation on two of its kind has to round.
  mutating func smallNumber() -> CMTime {
    CMTime(
      value: Int64.random(in: -1_000_000...1_000_000, using: &self),
      timescale: [1, 2, 24, 25, 30, 600, 1000, 16000, 44100, 48000].randomElement(using: &self) ?? 1)
  }
}
