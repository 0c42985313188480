import Foundation
import LonghandRecording
import LonghandTranscripts

/// Turns the events of an engine into committed segments, and collects the coverage of the audio. Every transcript is made
/// here: of a file, of a recording while it grows, and of a recording that is transcribed again.
package struct TranscriptBuilder: Sendable {
  /// What was recognized of one channel, or of the mix of all.
  private struct Channel {
    /// What commits the segments.
    var accumulator: TranscriptAccumulator
    var speech: WordlessSpeech
    /// Loud audio, whether it is speech or not.
    var sound: WordlessSpeech

    init(after segment: Segment? = nil, from start: TimeInterval) {
      accumulator = TranscriptAccumulator(resumingAfter: segment)
      speech = WordlessSpeech(from: start)
      sound = WordlessSpeech(from: start, .nonspeech)
    }
  }

  private var channels: [Int?: Channel]
  /// Whether segments follow sentences: utterances that go on with the one before are joined to it.
  private let followsSentences: Bool
  /// The last segment, which the next utterance may go on with.
  private var open: Segment?
  /// The ID of the next segment.
  private var nextID: Int
  /// Where a channel without recognized words begins.
  private let start: TimeInterval
  /// What is known of the audio, in the order in which it became known; times are seconds.
  package private(set) var known: [CoverageSpan.Stretch] = []
  /// The ranges in which channels have opposite phases, in order.
  private var oppositePhases: [ClosedRange<TimeInterval>] = []
  /// What readers should know about the audio.
  package var warnings: [TranscriptWarning] { oppositePhases.map(TranscriptWarning.oppositePhase) + others }
  private var others: [TranscriptWarning] = []

  /// The text that is not final yet; of several channels, the one that began last. Nil if there is none.
  package var active: TranscriptAccumulator.Partial? {
    channels.values.compactMap(\.accumulator.active).max { $0.start < $1.start }
  }

  /// - Parameters:
  ///   - committed: the last segments that an earlier run committed. Some may end after `start`.
  ///   - nextID: the ID of the next segment.
  ///   - start: seconds from the start of the audio; everything before has been reported.
  ///   - followsSentences: whether a segment waits for the rest of its sentence.
  package init(
    resumingAfter committed: [Segment] = [], nextID: Int = 0, from start: TimeInterval = 0,
    followsSentences: Bool = false
  ) {
    self.followsSentences = followsSentences
    self.start = start
    self.nextID = nextID
    channels = Dictionary(grouping: committed, by: \.channel).mapValues { segments in
      Channel(after: segments.last, from: start)
    }
    for segment in committed where segment.end > start { add(segment) }
  }

  /// Takes an event.
  /// - Returns: the segment that is committed because of it, if any.
  package mutating func receive(_ event: TranscriptionEvent) -> Segment? {
    let (event, channel) = event.unwrapped
    var state = channels[channel] ?? Channel(from: start)
    var committed = event
    if let repetition = Repetition(event, after: state.accumulator) {
      let range = repetition.range
      others.append(.repetition(repetition.text, range, isKept: repetition.hasRoom))
      // What was shown of it is withdrawn.
      if !repetition.hasRoom {
        committed = .partial(.init(start: range.lowerBound, end: range.upperBound, text: ""))
      }
    }
    var segment = state.accumulator.receive(committed)
    if case .detected(let range, let what) = event { state.speech.detected(range, what) }
    if case .sound(let range) = event { state.sound.detected(range, "sound") }
    channels[channel] = state
    segment?.channel = channel
    if let segment { add(segment) }
    switch event {
    case .failed(let range, let why):
      known.append((range, .failed, channel.map { "channel \($0 + 1): \(why)" } ?? why))
    case .rejected(let words): known.append(words.stretch)
    case .oppositePhase(let range): addOppositePhase(range)
    case .engineChanged(let range, let why): others.append(.engineChanged(range, why))
    case .warning(let warning):
      // The first one of its kind says enough, but of words that were left out, and of other languages, each is named.
      if let index = others.lastIndex(where: { $0.code == warning.code }),
        let joined = others[index].joined(with: warning)
      {
        others[index] = joined
      } else if [.repetition, .otherLanguage].contains(warning.code)
        || !others.contains(where: { $0.code == warning.code })
      {
        others.append(warning)
      }
    case .final(let start, let end, _, _) where !event.isPossible:
      guard TimeInterval.arePossible(start, end) else { break }
      known.append((start...end, .failed, "the recognizer reported words that cannot be"))
    case .partial, .final, .processed, .progress, .restarted, .detected, .sound, .onChannel: break
    }
    return segment.flatMap { commit($0) }
  }

  /// The segment to commit because of the next one.
  private mutating func commit(_ segment: Segment) -> Segment? {
    guard followsSentences else { return numbered(segment) }
    if let joined = open?.joined(with: segment) {
      open = joined
      return nil
    }
    // If both are too long together, what the open one begins goes on in the next.
    if let (first, second) = open?.dividedAfterSentence, let joined = second.joined(with: segment) {
      open = joined
      return numbered(first)
    }
    defer { open = segment }
    return finish()
  }

  /// The last segment, if it is not committed yet: nothing goes on with it.
  package mutating func finish() -> Segment? {
    defer { open = nil }
    return open.map { numbered($0) }
  }

  private mutating func numbered(_ segment: Segment) -> Segment {
    var segment = segment
    segment.id = nextID
    nextID += 1
    return segment
  }

  /// Seconds before which every segment is committed, if everything before a time was processed.
  package func committed(through time: TimeInterval) -> TimeInterval { min(time, open?.start ?? time) }

  /// Adds a range, which begins where the last one ends, or repeats a part of it after a failure.
  private mutating func addOppositePhase(_ range: ClosedRange<TimeInterval>) {
    if let last = oppositePhases.last, range.lowerBound < last.upperBound + 0.01 {
      oppositePhases[oppositePhases.count - 1] =
        min(last.lowerBound, range.lowerBound)...max(last.upperBound, range.upperBound)
    } else {
      oppositePhases.append(range)
    }
  }

  /// Reports that every segment before a time was committed.
  /// - Returns: what is known since of the audio before that time: speech without words, and sound without speech.
  package mutating func finalize(through time: TimeInterval) -> [CoverageSpan.Stretch] {
    var wordless: [CoverageSpan.Stretch] = []
    for channel in channels.keys {
      wordless += channels[channel]?.speech.finalize(through: time) ?? []
      wordless += channels[channel]?.sound.finalize(through: time) ?? []
    }
    wordless.sort { $0.range.lowerBound < $1.range.lowerBound }
    known += wordless
    return wordless
  }

  /// What is known of audio that was not processed; empty if there is none.
  func pending(from start: TimeInterval, to end: TimeInterval) -> [CoverageSpan.Stretch] {
    start < end ? [(start...end, .pending, "")] : []
  }

  /// Forgets what ends before a time.
  package mutating func forget(before time: TimeInterval) {
    known.removeAll { $0.range.upperBound <= time }
  }

  private mutating func add(_ segment: Segment) {
    known.append((segment.start...segment.end, .transcribed, ""))
    channels[segment.channel]?.speech.recognized(segment.start...segment.end)
    channels[segment.channel]?.sound.recognized(segment.start...segment.end)
  }
}

extension TranscriptionEngine {
  /// Transcribes audio that has ended.
  /// - Parameters:
  ///   - progress: called with seconds that never decrease.
  ///   - segment: called with each segment when it is committed; an error that it throws ends the work.
  ///   - interrupted: called after a cancellation, with the segments so far and what is known of all of the audio: what
  ///     was not processed is pending.
  /// - Returns: the segments, what is known of the rest of the audio, and what readers should know about it.
  /// - Throws: `TranscriptionError`, `CancellationError`, and what `segment` throws.
  package func transcribe(
    _ audio: any AudioSource, progress: (FileTranscriber.Progress) -> Void,
    segment: (Segment) throws -> Void = { _ in },
    interrupted: (_ segments: [Segment], _ known: [CoverageSpan.Stretch]) -> Void = { _, _ in }
  ) async throws -> (
    segments: [Segment], known: [CoverageSpan.Stretch], warnings: [TranscriptWarning]
  ) {
    var builder = TranscriptBuilder(followsSentences: true)
    var segments: [Segment] = []
    func commit(_ new: Segment?) throws {
      guard let new else { return }
      segments.append(new)
      try segment(new)
    }
    var done = FileTranscriber.Progress(processed: 0, duration: audio.duration)
    var reported = 0.0
    do {
      for try await event in events(of: audio, from: 0) {
        try commit(builder.receive(event))
        if case .processed(let time) = event { reported = max(reported, time) }
        switch event {
        case .processed(let time), .progress(let time):
          done.advance(to: time)
          progress(done)
        case .partial, .final, .failed, .detected, .sound, .restarted, .rejected, .oppositePhase,
          .engineChanged, .warning, .onChannel:
          break
        }
      }
      // An iteration that is cancelled ends without an error.
      try Task.checkCancellation()
      try commit(builder.finish())
    } catch {
      try? commit(builder.finish())
      if Task.isCancelled {
        reported = max(reported, segments.last?.end ?? 0)
        _ = builder.finalize(through: reported)
        interrupted(segments, builder.known + builder.pending(from: reported, to: audio.duration))
      }
      throw error
    }
    _ = builder.finalize(through: .infinity)
    return (segments, builder.known, builder.warnings)
  }
}

extension [RecordingGap] {
  /// The gaps with a duration, as parts of the coverage.
  /// - Parameter sampleRate: the frames per second in which they count.
  package func stretches(_ sampleRate: Int) -> [CoverageSpan.Stretch] {
    // Where one track has not begun, the others have audio.
    filter { $0.frames > 0 && !($0.channel != nil && $0.reason == .notBegun) }.map { gap in
      let (start, end) = (Double(gap.start), Double(gap.start + gap.frames))
      let reason = gap.channel.map { "channel \($0 + 1): \(gap.reason.rawValue)" } ?? gap.reason.rawValue
      return (start / Double(sampleRate)...end / Double(sampleRate), .gap, reason)
    }
  }
}
