import Foundation
import Longhand
import LonghandTesting
import ScriptedSpeech

/// One seed, from the first sample to the stored transcript.
struct SweepRun: Sendable {
  /// The largest number of recoveries after the engine failed.
  private static let maxRecoveries = 6

  private let options: SweepOptions
  private let seed: UInt64
  private let folder: URL
  private let schedule: SweepSchedule

  init(_ options: SweepOptions, seed: UInt64, in folder: URL) {
    self.options = options
    self.seed = seed
    self.folder = folder
    schedule =
      options.length.map { SweepSchedule(length: $0, seed: seed) }
      ?? SweepSchedule(seed: seed, fault: options.fault)
  }

  /// Runs the seed and prints the report.
  /// - Returns: whether the seed passed.
  func reported() async -> Bool {
    let begun = SweepReport(seed: seed, engine: options.engine.rawValue, schedule)
    let clock = ContinuousClock()
    let start = clock.now
    let watch = Task {
      try await Task.sleep(for: .seconds(options.deadline))
      var late = begun
      late.problems.append("it did not end in \(options.deadline) s")
      show(late, took: clock.now - start)
      // A hanging task may ignore cancellation.
      exit(1)
    }
    var report = begun
    do { report = try await run(begun) } catch { report.problems.append("\(error)") }
    watch.cancel()
    show(report, took: clock.now - start)
    return report.problems.isEmpty
  }

  private func show(_ report: SweepReport, took: Duration) {
    var report = report
    report.took = took / .seconds(1)
    report.incidents =
      (try? ScriptedRun(folder: folder).incidents().map { "\($0.utterance): \($0.fault)" }) ?? []
    FileHandle.standardOutput.write(Data("\(report.line)\n".utf8))
  }

  private func run(_ begun: SweepReport) async throws -> SweepReport {
    var report = begun
    let library = try Library(at: folder.appendingPathComponent("library"))
    let microphone = SimulatedMicrophone()
    let clock = ManualClock()
    let engine = try await engine
    let session = try library.record(
      from: microphone, options: transcriber.options,
      engine: options.fault.map { DefectiveEngine(engine: engine, fault: $0) } ?? engine,
      clock: { clock.now })
    let collector = Task {
      var events = SweepEvents()
      let view = TranscriptViewModel()
      for await event in session.events {
        events.take(event)
        view.take(event)
      }
      events.shown = view.rows.map { String($0.text.characters) }
      return events
    }
    try await speak(to: microphone, clock, session)
    try session.stop()
    var failure: (any Error)?
    do { try await session.finished() } catch { failure = error }
    let events = await collector.value
    report.take(events)
    if options.fault == .twice || options.fault == .change || options.fault == .hole {
      try spoil(library, session)
    }
    var check = SweepCheck(talk: schedule.talk, gaps: session.gaps)
    check.checkSound(try Data(contentsOf: library.recording(of: session.id).audio))
    check.check(
      try SweepStored(library, session.id), committed: events.committed, written: events.written,
      duration: session.duration)
    if let failure {
      report.gaveUp = "\(failure)"
      check.problems = check.problems.map { "before recovery: \($0)" }
      try await recover(library, &report)
      check.check(
        try SweepStored(library, session.id), committed: events.committed, written: events.written,
        duration: session.duration,
        isComplete: true)
    }
    let stored = try SweepStored(library, session.id)
    if options.length != nil { check.checkLayers(stored, events, try exported(library, session)) }
    report.take(stored, check)
    return report
  }

  /// The session in plain words and as subtitles.
  private func exported(_ library: Library, _ session: LiveSession) throws -> [String] {
    let recorded = try library.store.session(matching: session.id)
    let transcript = try library.transcript(of: recorded)
    return [
      TranscriptFormatter(format: .txt, style: .words),
      TranscriptFormatter(format: .vtt, layout: .segments, style: .words),
    ].map { $0.string(for: transcript) }
  }

  private var transcriber: FileTranscriber { FileTranscriber(options: .init(engine: options.engine)) }

  /// For a long talk, the engine that every verb uses, with the reranker.
  private var engine: any TranscriptionEngine {
    get async throws {
      if options.length != nil {
        return try await EngineFactory(transcriber.options.resolved()).engine(reportsPartials: false)
      }
      return try options.engine == .rolling
        ? RollingEngine(
          transcriber.options.resolved(), reportsPartials: schedule.reportsPartials,
          patience: schedule.patience,
          taskLength: schedule.taskLength)
        : AnalyzerEngine(
          transcriber.options.resolved(), reportsPartials: schedule.reportsPartials, backoff: 0.02)
    }
  }

  private func speak(
    to microphone: SimulatedMicrophone, _ clock: ManualClock, _ session: LiveSession
  ) async throws {
    let rate = Double(SpokenTones.sampleRate)
    for step in schedule.steps {
      switch step {
      case .speak(let range):
        clock.advance(by: Double(range.count) / rate)
        microphone.speak(schedule.talk.samples[range].withUnsafeBytes { Data($0) })
      case .lose(.failure(let refusals)):
        microphone.refuse(refusals)
        microphone.fail()
      case .lose(.overrun(let frames)):
        clock.advance(by: Double(frames) / rate)
        microphone.lose(Int64(frames))
      case .flush: session.flush()
      case .wait(let seconds): try await Task.sleep(for: .seconds(seconds))
      }
    }
  }

  private func recover(_ library: Library, _ report: inout SweepReport) async throws {
    while report.recoveries < Self.maxRecoveries {
      report.recoveries += 1
      let outcome = try await library.recover(by: transcriber)
      if case .complete? = outcome.first { return }
    }
    report.problems.append("\(Self.maxRecoveries) recoveries did not complete it")
  }

  /// The defects of the store.
  private func spoil(_ library: Library, _ session: LiveSession) throws {
    let segments = try library.store.transcript(of: session.id).segments
    guard let first = segments.first, let last = segments.last else { return }
    switch options.fault {
    case .twice:
      let again = Segment(
        id: last.id + 1, start: first.start, end: first.end, candidates: first.candidates)
      try library.store.append(again, to: session.id)
    case .change:
      try library.store.revise(first.id, in: session.id, selection: .init(index: 0, rule: "r"), reason: "r")
    default:
      var spans = try library.store.coverageSpans(of: session.id)
      spans.remove(at: spans.count / 2)
      try library.store.setCoverage(spans, of: session.id)
    }
  }
}
