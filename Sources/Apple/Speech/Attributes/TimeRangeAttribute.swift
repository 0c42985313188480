import CoreMedia
import Foundation

extension AttributeScopes.SpeechAttributes {
  /// When a run of text is said, on the analyzer's timeline.
  public struct TimeRangeAttribute: CodableAttributedStringKey {
    /// The times from the run's first sample until after its last one.
    public typealias Value = CMTimeRange

    /// The attribute's name where it is encoded. Apple does not say what its own is.
    public static let name = "Speech.audioTimeRange"

    /// Writes a range, to the tick: two times, each of `value`, `timescale`, `flags` and `epoch`. What Apple
    /// writes is not documented, so that archives are not to be carried from one platform to the other.
    public static func encode(_ value: Value, to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: RangeKey.self)
      try container.encode(EncodedTime(value.start), forKey: .start)
      try container.encode(EncodedTime(value.duration), forKey: .duration)
    }

    /// Reads a range that `encode(_:to:)` wrote.
    ///
    /// - Throws: `DecodingError` if a field is missing or does not fit.
    public static func decode(from decoder: any Decoder) throws -> Value {
      let container = try decoder.container(keyedBy: RangeKey.self)
      return CMTimeRange(
        start: try container.decode(EncodedTime.self, forKey: .start).time,
        duration: try container.decode(EncodedTime.self, forKey: .duration).time)
    }

    private enum RangeKey: String, CodingKey { case start, duration }
  }
}

/// A time's fields.
private struct EncodedTime: Codable {
  let value: CMTimeValue
  let timescale: CMTimeScale
  let flags: UInt32
  let epoch: CMTimeEpoch

  init(_ time: CMTime) {
    value = time.value
    timescale = time.timescale
    flags = time.flags.rawValue
    epoch = time.epoch
  }

  var time: CMTime {
    CMTime(value: value, timescale: timescale, flags: CMTimeFlags(rawValue: flags), epoch: epoch)
  }
}
