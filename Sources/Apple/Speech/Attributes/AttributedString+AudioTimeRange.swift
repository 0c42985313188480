import CoreMedia
import Foundation

extension AttributedString {
  /// The text from the first to the last run that is said, at least in part, during `timeRange`; nil if there is
  /// none. Runs without a time, such as spaces between words, are in it if they stand between two that are.
  ///
  /// A range's end does not belong to it: what is said until a second does not intersect what begins at it. A
  /// range of no length intersects the one that it lies in.
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
