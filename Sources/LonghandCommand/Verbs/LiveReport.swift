import Foundation
import Longhand

/// What `record` shows: what was said on standard output; on standard error what went wrong and, on a terminal, a line
/// with the time, the level, how far the recognizer is behind, and what is being said.
final class LiveReport {
  private let session: LiveSession
  private let format: RecordCommand.Format
  private let isQuiet: Bool
  private let console: Console

  private var lines = LiveLines()
  /// What was said is printed and need not be held.
  private let transcript = TranscriptViewModel(keeping: 1)
  private var lastLevelLine = -1.0
  private var lastDrawn = ContinuousClock.now - .seconds(1)
  private var gapsTold = 0
  private var isDiskFailing = false
  private var hasFailed = false
  private var outputError: (any Error)?

  init(_ session: LiveSession, format: RecordCommand.Format, isQuiet: Bool, console: Console) {
    self.session = session
    self.format = format
    self.isQuiet = isQuiet
    self.console = console
    draw(now: true)
  }

  /// Shows an event.
  func take(_ event: SessionEvent) {
    transcript.take(event)
    switch event {
    case .recording(let event): take(event)
    case .partial(let partial):
      let next = transcript.rows.last.map { $0.id + 1 } ?? 0
      if format == .jsonl, let partial { print(lines.partial(partial, of: next)) }
    case .committed(let segment):
      print(format == .jsonl ? lines.final(segment) : segment.text.escapingControls + "\n")
    case .progress: break
    case .failed(let stretch, let why):
      hasFailed = true
      lines.failed()
      let (start, end) = (
        ProgressEstimate.clock(stretch.lowerBound), ProgressEstimate.clock(stretch.upperBound)
      )
      complain(
        .incomplete, "the recognizer failed from \(start) to \(end): \(why)",
        hint: "'longhand retranscribe last' tries again")
    case .restarted: break
    case .storeFailed(let why):
      complain(.library, why, hint: "what was said waits in memory; the recording goes on")
    case .storeBack: note("the library takes everything again")
    case .transcriptionFailed(let why):
      hasFailed = true
      complain(.recognizerFailed, why, hint: "the recording goes on; 'longhand recover' writes it down later")
    }
    draw()
  }

  private func take(_ event: RecordingEvent) {
    switch event {
    case .durable: tellGaps()
    case .level(let level):
      guard format == .jsonl, session.duration - lastLevelLine >= 1 else { return }
      lastLevelLine = session.duration
      print(lines.level(level, at: session.duration))
    case .noiseFloor(let level):
      if level > -40 {
        note("the room is loud (\(Int(level)) dBFS): words may be missed; move the microphone closer")
      }
    case .sourceLost(let why):
      complain(.unreadable, why, hint: "it is tried again; what is missed is noted as a gap")
    case .sourceBack: note("there is sound again")
    case .diskFailed(let why, let seconds):
      guard !isDiskFailing else { return }
      isDiskFailing = true
      complain(.output, why, hint: "memory holds the next \(Int(seconds)) seconds; make room")
    case .diskBack:
      isDiskFailing = false
      note("the disk took everything")
    case .littleSpace(let seconds):
      note("the disk has room for \(ProgressEstimate.clock(seconds)) more")
    case .sourceEnded: break
    }
  }

  private func tellGaps() {
    let gaps = session.gaps
    // The last one may still grow.
    let known = gaps.filter { session.format.seconds($0.start + $0.frames) < session.duration }
    tell(known)
  }

  /// Tells those of all gaps that were not told yet.
  private func tell(_ gaps: [RecordingGap]) {
    for gap in gaps.dropFirst(gapsTold) {
      if gap.reason == .disk { hasFailed = true }
      if format == .jsonl { print(lines.gap(gap, format: session.format)) }
    }
    gapsTold = max(gapsTold, gaps.count)
  }

  /// All was heard.
  /// - Returns: the exit status.
  func finish(_ recorded: RecordedSession, _ coverage: Coverage) throws -> Int32 {
    tell(session.gaps)
    if format == .jsonl { print(lines.end(recorded, coverage)) }
    console.errors.redraw("")
    if let outputError { throw outputError }
    if !isQuiet {
      let time = ProgressEstimate.clock(recorded.duration)
      note("\(time) recorded; 'longhand show \(recorded.id.prefix(8))' reads it again")
    }
    return hasFailed || coverage.failed > 0 ? ExitStatus.failed : ExitStatus.done
  }

  /// It came to no good end.
  func fail(_ error: any Error) {
    console.errors.redraw("")
    var failure = Failure(error)
    failure.hint = "'longhand recover' takes up what was recorded (\(session.id.prefix(8)))"
    console.report(failure)
  }

  // MARK: The streams

  private func print(_ text: String) {
    guard outputError == nil else { return }
    do {
      try console.errors.around { try console.output.write(text) }
    } catch {
      // Nobody reads any more; what is said is still recorded and kept.
      outputError = error
    }
  }

  private func complain(_ code: Failure.Code, _ message: String, hint: String) {
    console.report(Failure(code, message, hint: hint))
  }

  private func note(_ text: String) {
    if !isQuiet { console.errors.line("longhand: \(text)") }
  }

  private func draw(now: Bool = false) {
    guard !isQuiet, console.errors.canRedraw, now || ContinuousClock.now - lastDrawn > .milliseconds(100)
    else {
      return
    }
    lastDrawn = .now
    let behind = session.duration - transcript.transcribed
    let lag = behind >= 5 ? "  \(ProgressEstimate.clock(behind)) behind" : ""
    let level = transcript.level
    let loudness = level.isFinite ? "\(Int(level.rounded())) dBFS" : "silence"
    console.errors.redraw(
      "● \(ProgressEstimate.clock(session.duration))  \(loudness)\(lag)",
      aside: transcript.active?.text.escapingControls ?? "")
  }
}
