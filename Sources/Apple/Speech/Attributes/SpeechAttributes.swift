import CoreMedia
import Foundation

extension AttributeScopes {
  /// The attributes that a transcriber adds to the text of its results.
  ///
  /// A run of text has an attribute only if the transcriber's `attributeOptions` contain it.
  public struct SpeechAttributes: AttributeScope {
    /// The confidence of a run of text, from 0 to 1.
    public let transcriptionConfidence: ConfidenceAttribute
    /// When a run of text was spoken, on the analyzer's timeline.
    public let audioTimeRange: TimeRangeAttribute

    /// The configuration with which the scope's attributes are decoded.
    public typealias DecodingConfiguration = AttributeScopeCodableConfiguration
    /// The configuration with which the scope's attributes are encoded.
    public typealias EncodingConfiguration = AttributeScopeCodableConfiguration
  }
}

extension AttributeDynamicLookup {
  /// Accesses the attributes of speech by name: `text.audioTimeRange`.
  public subscript<T>(dynamicMember keyPath: KeyPath<AttributeScopes.SpeechAttributes, T>) -> T
  where T: AttributedStringKey {
    self[T.self]
  }
}

extension AttributeScopes.SpeechAttributes {
  /// The transcriber's confidence in a run of text: 0 is none, 1 is certainty.
  public struct ConfidenceAttribute: CodableAttributedStringKey {
    /// From 0 to 1.
    public typealias Value = Double

    /// The attribute's name in archives. Apple does not document its own.
    public static let name = "Speech.transcriptionConfidence"
  }

  /// When a run of text was spoken, on the analyzer's timeline.
  public struct TimeRangeAttribute: CodableAttributedStringKey {
    /// From the run's first sample to the end of its last one.
    public typealias Value = CMTimeRange

    /// The attribute's name in archives. Apple does not document its own.
    public static let name = "Speech.audioTimeRange"

    /// Encodes a range without rounding: two times, each with `value`, `timescale`, `flags` and `epoch`. Apple does not
    /// document its format, so do not move archives from one platform to the other.
    public static func encode(_ value: Value, to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: RangeKey.self)
      try container.encode(EncodedTime(value.start), forKey: .start)
      try container.encode(EncodedTime(value.duration), forKey: .duration)
    }

    /// Decodes a range that `encode(_:to:)` encoded.
    ///
    /// - Throws: `DecodingError` if a field is missing or invalid.
    public static func decode(from decoder: any Decoder) throws -> Value {
      let container = try decoder.container(keyedBy: RangeKey.self)
      return CMTimeRange(
        start: try container.decode(EncodedTime.self, forKey: .start).time,
        duration: try container.decode(EncodedTime.self, forKey: .duration).time)
    }

    private enum RangeKey: String, CodingKey { case start, duration }
  }
}

/// The fields of a time.
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

extension AttributedString {
  /// The text from the first to the last run that was spoken, at least in part, during `timeRange`; nil if there is none.
  /// Runs without a time, such as spaces, are included if they are between two runs that are.
  ///
  /// The end of a range is not part of it: speech that ends at a time does not intersect a range that starts there. An
  /// empty range intersects the range that contains it.
  public func rangeOfAudioTimeRangeAttributes(intersecting timeRange: CMTimeRange) -> Range<Index>? {
    var found: Range<Index>?
    for (runTimes, runRange) in runs[AttributeScopes.SpeechAttributes.TimeRangeAttribute.self] {
      guard let runTimes, Self.intersect(runTimes, timeRange) else { continue }
      found = (found?.lowerBound ?? runRange.lowerBound)..<runRange.upperBound
    }
    return found
  }

  private static func intersect(_ one: CMTimeRange, _ other: CMTimeRange) -> Bool {
    guard one.isValid, other.isValid else { return false }
    if one.isEmpty && other.isEmpty { return one.start == other.start }
    if one.isEmpty { return other.containsTime(one.start) }
    if other.isEmpty { return one.containsTime(other.start) }
    return one.start < other.end && other.start < one.end
  }
}
