import FileSupport
import Foundation
import LonghandRecording
import LonghandTranscription
import LonghandTranscripts
import LonghandVocabulary

/// Transcribes a recording into the store: live, afterwards, and again after a crash.
///
/// Committed segments stay; what the engine reports twice is committed once. The work continues where the pending part of
/// the session's coverage begins.
struct SessionTranscription: Sendable {
  let store: TranscriptStore
  let session: RecordedSession
  let engine: any TranscriptionEngine
  let audio: RecordingAudio
  /// What the engine reads of it; nil for all of it.
  var read: (any AudioSource)?
  /// The gaps so far: audio that could not be captured.
  let gaps: @Sendable () -> [RecordingGap]
  let report: @Sendable (SessionEvent) -> Void
  /// What the second text of the segments is written by, if the session is not in the store yet.
  var spellings: Vocabulary?
  /// Writes the second text of the segments again where it has a language model; else the store's is final.
  var normalizer: TranscriptNormalizer?
  /// Translates segments; nil if no second text in English is wanted.
  var translator: (@Sendable ([Segment]) async throws -> Translation)?
  /// How the channels are transcribed; nil for the mix.
  var plan: ChannelPlan?
  /// Whether segments wait for the rest of their sentences. Live, they are shown at once.
  var followsSentences = false

  /// The number of segments that may be committed before an engine reports that everything before a time is processed:
  /// those of one task.
  private static let maxUnreported = 100

  /// What is known of the session, with the parts that are not stored yet.
  private struct Ledger {
    var builder: TranscriptBuilder
    /// Everything before this time was reported and is in the store.
    var reported: TimeInterval
    var waiting: [Segment] = []
    /// Coverage of audio before `reported` that was reported late and is not stored yet.
    var late: [CoverageSpan.Stretch] = []
    var isBegun: Bool
    var hasSpeakers = false
    var isFailing = false
    /// Where committed segments go to get their second texts.
    var finals: [AsyncStream<Segment>.Continuation] = []

    /// The segments that will be committed.
    mutating func segments() -> AsyncStream<Segment> {
      let (segments, continuation) = AsyncStream.makeStream(of: Segment.self)
      finals.append(continuation)
      return segments
    }

    mutating func note(_ stretch: CoverageSpan.Stretch) {
      if stretch.range.lowerBound < reported { late.append(stretch) }
    }
  }

  /// Transcribes until the recording has ended.
  /// - Returns: what readers should know about the audio.
  /// - Throws: `StoreError`, `TranscriptionError`, `CancellationError`; what was committed before is in the store.
  @discardableResult func run() async throws -> [TranscriptWarning] {
    var ledger = try ledger()
    let normalizing = normalize(&ledger)
    let translating = translate(&ledger)
    defer {
      normalizing?.cancel()
      translating?.cancel()
    }
    // Other processes see the session from now on.
    try? save(through: nil, &ledger)
    do {
      for try await event in engine.events(of: read ?? audio, from: ledger.reported) { take(event, &ledger) }
    } catch {
      // What was reported is kept.
      commit(ledger.builder.finish(), &ledger)
      try save(through: nil, &ledger)
      throw error
    }
    commit(ledger.builder.finish(), &ledger)
    try Task.checkCancellation()
    try save(through: audio.duration, &ledger)
    for continuation in ledger.finals { continuation.finish() }
    await finish(normalizing)
    try await finish(translating)
    return ledger.builder.warnings
  }

  /// Starts to ask the language model about each segment that is committed, one after another. Recognition does not wait for
  /// the answers. Nil without a model.
  private func normalize(_ ledger: inout Ledger) -> Task<Void, Never>? {
    guard let normalizer, normalizer.hasModel else { return nil }
    let segments = ledger.segments()
    return Task {
      for await segment in segments where !Task.isCancelled {
        let normalized = await normalizer.normalize([segment], locale: session.locale)
        // Without an answer, the text by the vocabulary is kept, which the store has already.
        guard normalized.by == .vocabularyAndLanguageModel,
          (try? store.setNormalized(normalized, of: segment, in: session.id)) == true
        else { continue }
        report(.normalized(segment.id, normalized))
      }
    }
  }

  /// Waits until the last segments are normalized, but no longer than the language model may take for one of them.
  private func finish(_ normalizing: Task<Void, Never>?) async {
    guard let normalizing, let normalizer else { return }
    let timer = Task {
      try await normalizer.waitForDeadline()
      normalizing.cancel()
    }
    try? await normalizing.valueOrCancelled
    timer.cancel()
  }

  /// Starts to translate each segment that is committed, one after another. Recognition does not wait for it. The result is nil
  /// after a failure, which is reported at once. Nil if no translation is wanted.
  private func translate(_ ledger: inout Ledger) -> Task<Translation?, any Error>? {
    guard let translator else { return nil }
    let segments = ledger.segments()
    return Task {
      var translation: Translation?
      do {
        for await segment in segments {
          let new = try await translator([segment])
          translation = Translation(model: new.model, passages: (translation?.passages ?? []) + new.passages)
          for passage in new.passages { report(.translated(segment.id, passage)) }
        }
      } catch  where !(error is CancellationError) {
        report(.translationFailed(error.explanation))
        return nil
      }
      // A task that is cancelled gets no more segments.
      try Task.checkCancellation()
      return translation
    }
  }

  /// Waits until the last segments are translated, and stores all of the translation. If it fails, the session has none.
  private func finish(_ translating: Task<Translation?, any Error>?) async throws {
    guard let translation = try await translating?.valueOrCancelled else { return }
    do {
      try store.setTranslation(translation, of: session.id)
    } catch {
      report(.translationFailed(error.explanation))
    }
  }

  /// Stores that the rest of the recording is pending, after the transcription failed.
  /// - Throws: `StoreError`.
  func leavePending() throws {
    let last = try store.coverageSpans(of: session.id).last
    let start = last.map { $0.kind == .pending ? $0.start : $0.end } ?? 0
    guard audio.duration > start else { return }
    let rest = CoverageSpan(start: start, end: audio.duration, kind: .pending)
    try store.setCoverage([rest], from: start, of: session.id)
  }

  private func ledger() throws -> Ledger {
    do {
      let last = try store.page(of: session.id, limit: Self.maxUnreported)
      let spans = try store.coverageSpans(of: session.id)
      // A gap at the end can reach beyond the audio.
      let reported = min(spans.first { $0.kind == .pending }?.start ?? spans.last?.end ?? 0, audio.duration)
      let builder = TranscriptBuilder(
        resumingAfter: last, nextID: try store.status(of: session.id).segmentCount, from: reported,
        followsSentences: followsSentences)
      return Ledger(builder: builder, reported: reported, isBegun: true)
    } catch let error as StoreError {
      guard case .noSession = error.problem else { throw error }
      return Ledger(
        builder: TranscriptBuilder(followsSentences: followsSentences), reported: 0, isBegun: false)
    }
  }

  private func take(_ event: TranscriptionEvent, _ ledger: inout Ledger) {
    let partial = ledger.builder.active
    // A detection may reach beyond the end, which would never be reported as processed.
    let (plain, channel) = event.unwrapped
    var event = plain
    if case .detected(let range, let what) = event {
      event = .detected(range.clamped(to: 0...audio.duration), what)
    }
    if case .sound(let range) = event { event = .sound(range.clamped(to: 0...audio.duration)) }
    // Later segments do not begin before this one.
    if case .final(let start, _, _, _) = event { finalize(through: start, &ledger) }
    commit(ledger.builder.receive(channel.map { .onChannel($0, event) } ?? event), &ledger)
    if ledger.builder.active != partial { report(.partial(ledger.builder.active)) }
    switch event {
    case .processed(let time):
      try? save(through: ledger.builder.committed(through: time), &ledger)
      report(.progress(time))
    case .progress(let time): report(.progress(time))
    case .failed(let range, let reason):
      let why = channel.map { "channel \($0 + 1): \(reason)" } ?? reason
      ledger.note((range, .failed, why))
      report(.failed(range, why))
    case .restarted(let time, let why): report(.restarted(time, why))
    case .engineChanged(let range, let why): report(.restarted(range.lowerBound, why))
    case .partial, .final, .detected, .sound, .rejected, .oppositePhase, .warning, .onChannel: break
    }
  }

  private func commit(_ segment: Segment?, _ ledger: inout Ledger) {
    guard let segment else { return }
    ledger.waiting.append(segment)
    try? save(through: nil, &ledger)
    report(.committed(segment))
    for continuation in ledger.finals { continuation.yield(segment) }
  }

  /// Stores the waiting segments and, with a time, the coverage before it. An error is reported, and everything is kept
  /// for the next attempt.
  private func save(through time: TimeInterval?, _ ledger: inout Ledger) throws {
    let reported = max(ledger.reported, min(time ?? 0, audio.duration))
    finalize(through: reported, &ledger)
    do {
      if !ledger.isBegun { try store.begin(session, spellings: spellings) }
      ledger.isBegun = true
      if !ledger.hasSpeakers, let plan { try store.changeSpeakers(of: session.id, plan.addSpeakers) }
      ledger.hasSpeakers = true
      var spans: [CoverageSpan]?
      // Late coverage replaces the stored coverage from its start on. The stored coverage before it is kept.
      let start = ledger.late.map { max(0, $0.range.lowerBound) }.reduce(ledger.reported, min)
      if reported > ledger.reported || start < ledger.reported {
        let stored = try start < ledger.reported ? self.stored(from: start, to: ledger.reported) : []
        let known = stored + gaps().stretches(audio.format.sampleRate) + ledger.builder.known + ledger.late
        spans = CoverageSpan.all(of: reported, from: start, known.inOrderOfWeight)
        if audio.duration > reported {
          spans?.append(CoverageSpan(start: reported, end: audio.duration, kind: .pending))
        }
      }
      guard spans != nil || !ledger.waiting.isEmpty else { return }
      try store.commit(ledger.waiting, spans, from: start, to: session.id)
    } catch {
      if !ledger.isFailing { report(.storeFailed(error.explanation)) }
      ledger.isFailing = true
      throw error
    }
    if ledger.isFailing { report(.storeBack) }
    ledger.isFailing = false
    ledger.waiting = []
    ledger.late = []
    ledger.reported = reported
    ledger.builder.forget(before: reported)
  }

  /// Reports speech without words before a time before which every segment was committed.
  private func finalize(through time: TimeInterval, _ ledger: inout Ledger) {
    for stretch in ledger.builder.finalize(through: time) {
      ledger.note(stretch)
      report(.wordless(stretch.range, stretch.reason))
    }
  }

  /// The stored coverage between two times, silence left out.
  private func stored(from start: TimeInterval, to end: TimeInterval) throws -> [CoverageSpan.Stretch] {
    try store.coverageSpans(of: session.id)
      .filter { $0.kind != .silent && $0.end > start && $0.start < end }
      .map { ($0.start...min(end, $0.end), $0.kind, $0.reason) }
  }
}
