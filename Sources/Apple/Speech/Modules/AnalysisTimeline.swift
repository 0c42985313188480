import CoreMedia

/// Where audio lies on an analyzer's timeline, and how much of it is final: a pure value.
///
/// The timeline counts the frames that came, at their own rates, so that it never drifts from what clients
/// count.
struct AnalysisTimeline {
  /// Where a buffer begins.
  enum Placement: Equatable {
    /// Right after the one before, or at 0.
    case contiguous
    /// So many samples of 16 kHz later: too few to be more than a dropout.
    case dropout(Int)
    /// At this sample of 16 kHz, which has nothing to do with what came before.
    case gap(to: Int)
  }

  /// The timescale of places: samples of 16 kHz.
  static let timescale = CMTimeScale(SpeechSegmenter.sampleRate)
  /// Seconds that a start time may be off: clocks and timescales round.
  private static let tolerance = 0.005
  /// Seconds below which a gap does not end what is being said.
  private static let longestDropout = 0.05

  /// Where the audio begins; nil before any came.
  private(set) var start: CMTime?
  /// Before this all is final.
  private(set) var finalized = CMTime.zero
  private var base = CMTime.zero
  private var frames: Int64 = 0
  private var rate: CMTimeScale = timescale

  /// Where the audio ends; nil before any came.
  var end: CMTime? { start == nil ? nil : head }
  /// What may still change; nil before any audio came.
  var volatileRange: CMTimeRange? { end.map { CMTimeRange(start: finalized, end: $0) } }

  private var head: CMTime { base + CMTime(value: frames, timescale: rate) }

  /// Puts a buffer onto the timeline.
  /// - Throws: `SFSpeechError.audioDisordered` if it begins before the end of the audio.
  mutating func place(frames count: Int, rate buffersRate: Double, start wanted: CMTime?)
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
          ? .dropout(Int((ahead * Double(Self.timescale)).rounded())) : .gap(to: Self.place(of: wanted))
        move(to: wanted)
      }
    }
    if start == nil {
      start = head
      finalized = head
    }
    let newRate = CMTimeScale(buffersRate.rounded())
    if newRate != rate {
      move(to: head)
      rate = newRate
    }
    frames += Int64(count)
    return placement
  }

  /// Makes all before `time` final, as far as there is audio; false if it was already.
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

  /// The sample of 16 kHz at a time.
  static func place(of time: CMTime) -> Int {
    Int(time.convertScale(timescale, method: .roundHalfAwayFromZero).value)
  }

  /// The time of a sample of 16 kHz.
  static func time(of place: Int) -> CMTime { CMTime(value: Int64(place), timescale: timescale) }
}
