import Foundation

/// What an error says of sound that could not be recognized, in seconds from the start of the recognizer's sound. On
/// Linux errors say so; elsewhere there is nothing.
extension NSError {
  /// The stretches that failed where that is the whole error: all the rest was heard.
  var failedStretches: [ClosedRange<TimeInterval>] { stretches("SpeechFailedTimeRanges") }

  /// The stretches that failed, also before another error ended everything.
  var allFailedStretches: [ClosedRange<TimeInterval>] {
    let cause = userInfo[NSUnderlyingErrorKey] as? NSError
    return failedStretches + stretches("SpeechEarlierFailedTimeRanges") + (cause?.allFailedStretches ?? [])
  }

  private func stretches(_ key: String) -> [ClosedRange<TimeInterval>] {
    let pairs = userInfo[key] as? [[NSNumber]] ?? []
    return pairs.map { $0[0].doubleValue...max($0[0].doubleValue, $0[1].doubleValue) }
  }
}
