/// Packs utterances into the windows that a recognizer decodes at once: a pure state machine.
///
/// The windows depend on the audio alone. Packing starts anew at each multiple of `period`, so that an analysis that starts
/// again at such a position packs the same windows; and after a pause, because who speaks next may speak another language.
struct WindowPacker {
  /// Samples: a minute.
  static let period = 60 * SpeechSegmenter.sampleRate
  /// Samples: the longest pause in a window.
  static let maxPause = 5 * SpeechSegmenter.sampleRate

  /// Samples of the longest window; nil if the recognizer decodes each utterance by itself.
  private let maxLength: Int?
  private var open: DecodingWindow?

  /// - Parameter maxLength: samples of the longest window; nil if the recognizer decodes each utterance by itself.
  init(maxLength: Int?) { self.maxLength = maxLength }

  /// Where the open window starts; nil if none is open.
  var start: Int? { open?.range.lowerBound }

  /// Takes the next utterance, and returns the windows that are complete.
  mutating func take(_ utterance: DecodingWindow.Part) -> [DecodingWindow] {
    guard let maxLength else { return [DecodingWindow(utterance)] }
    return utterance.divided().flatMap { take($0, maxLength) }
  }

  private mutating func take(_ part: DecodingWindow.Part, _ maxLength: Int) -> [DecodingWindow] {
    if var window = open, Self.end(of: window) > part.audio.start, window.length(with: part) <= maxLength {
      window.append(part)
      open = window
      return []
    }
    let whole = finish()
    open = DecodingWindow(part, omitsNonspeech: true)
    return whole
  }

  /// Takes notice that no later utterance begins before a position, and returns the window that is complete by that.
  mutating func reach(_ position: Int) -> [DecodingWindow] {
    guard let open, Self.end(of: open) <= position else { return [] }
    return finish()
  }

  /// Ends the open window.
  mutating func finish() -> [DecodingWindow] {
    defer { open = nil }
    return open.map { [$0] } ?? []
  }

  /// The position before which an utterance has to start to be in a window.
  private static func end(of window: DecodingWindow) -> Int {
    min((window.range.lowerBound / period + 1) * period, window.range.upperBound + maxPause)
  }
}
