import Foundation

/// Brings what an engine hears of a recording into the store: live, afterwards, and again after a crash.
///
/// What was committed stays; what the engine hears twice is committed once. Where the engine has told everything is the
/// end of what is not pending in the session's coverage: listening goes on there.
struct SessionTranscription: Sendable {
  let store: TranscriptStore
  let session: RecordedSession
  let engine: any TranscriptionEngine
  let audio: RecordingAudio
  /// What could not be captured so far.
  let gaps: @Sendable () -> [RecordingGap]
  let report: @Sendable (SessionEvent) -> Void

  /// Segments that may be committed before an engine says that everything before a time was told: those of one task.
  private static let mostUntold = 100

  /// What is known and not yet in the store.
  private struct Ledger {
    var accumulator: TranscriptAccumulator
    /// Where everything before has been told.
    var told: TimeInterval
    var waiting: [Segment] = []
    /// What became of the time after `told`.
    var known: [CoverageSpan.Stretch] = []
    /// What became of the time before `told`, and the store has not heard of yet.
    var late: [CoverageSpan.Stretch] = []
    var speech: WordlessSpeech
    var isBegun: Bool
    var isFailing = false

    init(_ accumulator: TranscriptAccumulator, told: TimeInterval, isBegun: Bool) {
      self.accumulator = accumulator
      self.told = told
      self.isBegun = isBegun
      speech = WordlessSpeech(from: told)
    }

    mutating func learn(_ stretch: CoverageSpan.Stretch) {
      known.append(stretch)
      if stretch.range.lowerBound < told { late.append(stretch) }
    }

    /// A segment was heard.
    mutating func hear(_ range: ClosedRange<TimeInterval>) {
      known.append((range, .transcribed, ""))
      speech.heard(range)
    }
  }

  /// Listens until the recording has ended.
  /// - Throws: `StoreError`, `TranscriptionError`, `CancellationError`; what was heard before is in the store.
  func run() async throws {
    var ledger = try ledger()
    // So that others see it from the first moment on.
    try? save(through: nil, &ledger)
    do {
      for try await event in engine.events(of: audio, from: ledger.told) { take(event, &ledger) }
    } catch {
      // What was told stands.
      try save(through: nil, &ledger)
      throw error
    }
    try Task.checkCancellation()
    try save(through: audio.duration, &ledger)
  }

  /// Stores that what nobody has listened to yet is pending, up to the end of the recording: after listening failed.
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
      let last = try store.page(of: session.id, limit: Self.mostUntold)
      let spans = try store.coverageSpans(of: session.id)
      let told = spans.first { $0.kind == .pending }?.start ?? spans.last?.end ?? 0
      var ledger = Ledger(TranscriptAccumulator(resumingAfter: last.last), told: told, isBegun: true)
      for segment in last where segment.end > told { ledger.hear(segment.start...segment.end) }
      return ledger
    } catch let error as StoreError {
      guard case .noSession = error.problem else { throw error }
      return Ledger(TranscriptAccumulator(), told: 0, isBegun: false)
    }
  }

  private func take(_ event: TranscriptionEvent, _ ledger: inout Ledger) {
    switch event {
    case .partial(let partial):
      let before = ledger.accumulator.active
      _ = ledger.accumulator.receive(.partial(partial))
      if ledger.accumulator.active != before { report(.partial(ledger.accumulator.active)) }
    case .final(let start, let end, let candidates, let selection):
      let wasActive = ledger.accumulator.active != nil
      let segment = ledger.accumulator.receive(
        .final(start: start, end: end, candidates: candidates, selection: selection))
      if let segment {
        ledger.waiting.append(segment)
        ledger.hear(segment.start...segment.end)
        try? save(through: nil, &ledger)
        report(.committed(segment))
      }
      if wasActive { report(.partial(ledger.accumulator.active)) }
    case .processed(let time):
      try? save(through: time, &ledger)
      report(.progress(time))
    case .progress(let time): report(.progress(time))
    case .failed(let stretch, let why):
      ledger.learn((stretch, .failed, why))
      report(.failed(stretch, why))
    case .detected(let stretch, let what):
      ledger.speech.detected(stretch.clamped(to: 0...audio.duration), what)
    case .restarted(let time, let why): report(.restarted(time, why))
    }
  }

  /// Stores the segments that wait and, with a time, what became of the seconds before it. An error is told, and
  /// nothing is forgotten.
  private func save(through time: TimeInterval?, _ ledger: inout Ledger) throws {
    let told = max(ledger.told, min(time ?? 0, audio.duration))
    for stretch in ledger.speech.told(through: told) { ledger.learn(stretch) }
    do {
      if !ledger.isBegun { try store.begin(session) }
      ledger.isBegun = true
      var spans: [CoverageSpan]?
      // Some of it is told after all the rest; what is known of the time since stays.
      let start = ledger.late.map { max(0, $0.range.lowerBound) }.reduce(ledger.told, min)
      if told > ledger.told || start < ledger.told {
        let stored = try start < ledger.told ? settled(from: start, to: ledger.told) : []
        let known = stored + gaps().stretches(audio.format) + ledger.known + ledger.late
        spans = CoverageSpan.all(of: told, from: start, known.inOrderOfWeight)
        if audio.duration > told {
          spans?.append(CoverageSpan(start: told, end: audio.duration, kind: .pending))
        }
      }
      guard spans != nil || !ledger.waiting.isEmpty else { return }
      try store.commit(ledger.waiting, spans, from: start, to: session.id)
    } catch {
      if !ledger.isFailing { report(.storeFailed("\(error)")) }
      ledger.isFailing = true
      throw error
    }
    if ledger.isFailing { report(.storeBack) }
    ledger.isFailing = false
    ledger.waiting = []
    ledger.late = []
    ledger.told = told
    ledger.known.removeAll { $0.range.upperBound <= told }
  }

  /// What the store knows to be more than silence between two times.
  private func settled(from start: TimeInterval, to end: TimeInterval) throws -> [CoverageSpan.Stretch] {
    try store.coverageSpans(of: session.id)
      .filter { ($0.kind != .silent || !$0.reason.isEmpty) && $0.end > start && $0.start < end }
      .map { ($0.start...min(end, $0.end), $0.kind, $0.reason) }
  }
}
