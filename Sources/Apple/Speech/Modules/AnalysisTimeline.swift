import RecognitionCore
import CoreMedia

/// The timeline of an analyzer: where its audio is, and how much of it is final. A pure value.
///
/// The timeline counts frames at the rate of their buffers, so that it never drifts from what clients count.
struct AnalysisTimeline {
  /// Where a buffer starts.
  enum Placement: Equatable {
    /// At the end of the buffer before, or at 0.
    case contiguous
    /// This number of samples at 16 kHz later. The pause is so short that it is a dropout.
    case dropout(Int)
    /// At this sample at 16 kHz, unrelated to the audio before.
    case gap(to: Int)
  }

  /// The timescale of positions: samples at 16 kHz.
  static let timescale = CMTimeScale(SpeechSegmenter.sampleRate)
  /// The tolerance of start times, in seconds: clocks and timescales round.
  private static let tolerance = 0.005
  /// The longest gap, in seconds, that does not end an utterance.
  private static let longestDropout = 0.05

  /// The start of the audio; nil before the first buffer.
  private(set) var start: CMTime?
  /// The end of the final audio.
  private(set) var finalized = CMTime.zero
  private var base = CMTime.zero
  private var frames: Int64 = 0
  private var rate: CMTimeScale = timescale

  /// The end of the audio; nil before the first buffer.
  var end: CMTime? { start == nil ? nil : head }
  /// The range whose results may still change; nil before the first buffer.
  var volatileRange: CMTimeRange? { end.map { CMTimeRange(start: finalized, end: $0) } }

  private var head: CMTime { base + CMTime(value: frames, timescale: rate) }

  /// Adds a buffer to the timeline.
  /// - Throws: `SFSpeechError.audioDisordered` if it starts before the end of the audio.
  mutating func append(frames count: Int, rate newRate: Double, start wanted: CMTime?)
    throws(SFSpeechError)
    -> Placement
  {
    var placement = Placement.contiguous
    if let wanted {
      guard wanted.isNumeric else { throw SFSpeechError(.audioDisordered) }
      let ahead = (wanted - head).seconds
      guard ahead >= -Self.tolerance else { throw SFSpeechError(.audioDisordered) }
      if ahead > Self.tolerance {
        placement =
          start != nil && ahead <= Self.longestDropout
          ? .dropout(Int((ahead * Double(Self.timescale)).rounded())) : .gap(to: Self.sample(at: wanted))
        move(to: wanted)
      }
    }
    if start == nil {
      start = head
      finalized = head
    }
    if CMTimeScale(newRate.rounded()) != rate {
      move(to: head)
      rate = CMTimeScale(newRate.rounded())
    }
    frames += Int64(count)
    return placement
  }

  /// Marks the audio before `time` as final; false if it was final already.
  mutating func finalize(through time: CMTime) -> Bool {
    guard let end else { return false }
    let reached = CMTimeMinimum(time, end)
    guard reached > finalized else { return false }
    finalized = reached
    return true
  }

  private mutating func move(to time: CMTime) {
    base = time
    frames = 0
  }

  /// The sample at 16 kHz for a time.
  static func sample(at time: CMTime) -> Int {
    Int(time.convertScale(timescale, method: .roundHalfAwayFromZero).value)
  }

  /// The time of a sample at 16 kHz.
  static func time(of sample: Int) -> CMTime { CMTime(value: Int64(sample), timescale: timescale) }
}
