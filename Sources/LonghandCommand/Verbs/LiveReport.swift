import Foundation
import Longhand

/// The output of `record`: the transcript on standard output; problems on standard error and, on a terminal, a status line
/// with the time, the level, the recognizer's delay, and the current words.
final class LiveReport {
  /// What makes the report change.
  enum Update: Sendable {
    case event(SessionEvent)
    /// The user paused the recording, or continued it.
    case paused(Bool)
    /// A signal ended the recording; the rest is transcribed.
    case interrupted
    /// Time has passed.
    case tick
  }

  private let session: LiveSession
  private let format: RecordCommand.Format
  private let isQuiet: Bool
  private let console: Console

  private var lines: LiveLines
  /// Writes the text in sentences; nil where the words are printed.
  private var sentences: SentenceWriter?
  /// The texts of the segments in English that are not printed yet, by the segments' IDs.
  private var translations: [Int: String] = [:]
  /// The texts of the segments that are printed and not translated yet, by their IDs; nil if nothing is translated, so that a long
  /// recording keeps none.
  private var texts: [Int: String]?
  /// Writes the second text of `jsonl`; nil without a vocabulary.
  private let normalizer: TranscriptNormalizer?
  /// The language of segments that have none of their own.
  private let locale: String
  /// Segments are printed at once, so only the last one is kept.
  private let transcript = TranscriptViewModel(keeping: 1)
  private var lastLevelLine = -1.0
  private var lastDrawn = ContinuousClock.now - .seconds(1)
  private var reportedGaps = 0
  private var isDiskFailing = false
  private var hasFailed = false
  private var isPaused = false
  /// Set when the recording has ended.
  private var finishing: FinishingLine?
  /// Why standard output takes nothing any more.
  private var outputError: (any Error)?

  init(
    _ session: LiveSession, format: RecordCommand.Format, sentences: SentenceWriter?,
    normalizer: TranscriptNormalizer?, locale: String, translates: Bool, canPause: Bool, isQuiet: Bool,
    console: Console
  ) {
    texts = translates ? [:] : nil
    self.session = session
    self.sentences = sentences
    self.normalizer = normalizer
    self.locale = locale
    lines = LiveLines(source: session.source)
    self.format = format
    self.isQuiet = isQuiet
    self.console = console
    if canPause, console.errors.canRedraw { note("Recording. Space pauses, Ctrl-C ends.") }
    draw(now: true)
  }

  /// Prints what is new.
  func take(_ update: Update) {
    switch update {
    case .event(let event): take(event)
    case .paused(let isPaused):
      self.isPaused = isPaused
      draw(now: true)
    case .interrupted:
      finish(isAsked: true)
      if !console.errors.canRedraw, let line = finishingLine { note(line) }
      draw(now: true)
    case .tick: draw()
    }
  }

  private func take(_ event: SessionEvent) {
    transcript.take(event)
    switch event {
    case .recording(let event): take(event)
    case .partial(let partial):
      let next = transcript.rows.last.map { $0.id + 1 } ?? 0
      if format == .jsonl, let partial { print(lines.partial(partial, of: next)) }
    case .committed(let segment):
      if format == .jsonl {
        let normalized = normalizer?.normalizeLocally(segment.text, language: segment.language ?? locale)
        print(lines.final(segment, normalized: normalized?.text))
      } else {
        printTexts(sentences?.append(segment) ?? [segment])
      }
    case .normalized(let id, let normalized):
      if format == .jsonl { print(lines.normalized(normalized, of: id)) }
    case .translated(let id, let passage):
      if format == .jsonl {
        print(lines.translated(passage, of: id))
      } else {
        translations[id] = passage.text
      }
      printTranslations()
    case .translationFailed(let why):
      hasFailed = true
      reportFailure(
        .recognizerFailed, "The text could not be translated: \(why).",
        hint: "Try again with 'longhand translate \(session.id.prefix(8))'.")
    case .wordless(let range, let reason):
      if format == .jsonl { print(lines.wordless(range, reason)) }
    case .progress: break
    case .failed(let stretch, let why):
      hasFailed = true
      lines.failed()
      let (start, end) = (
        ProgressEstimate.clock(stretch.lowerBound), ProgressEstimate.clock(stretch.upperBound)
      )
      reportFailure(
        .incomplete, "The recognizer failed from \(start) to \(end): \(why)",
        hint: "Try again later with 'longhand retranscribe last'.")
    case .restarted, .speakersGuessed: break
    case .storeFailed(let why):
      reportFailure(.library, why, hint: "The recording continues, and the transcript is kept in memory.")
    case .storeBack: note("The library works again; everything is saved.")
    case .transcriptionFailed(let why):
      hasFailed = true
      reportFailure(
        .recognizerFailed, why, hint: "The recording continues. Transcribe it later with 'longhand recover'.")
    }
    draw()
  }

  private func take(_ event: RecordingEvent) {
    switch event {
    case .durable: reportEndedGaps()
    case .level(let level):
      guard format == .jsonl, session.duration - lastLevelLine >= 1 else { return }
      lastLevelLine = session.duration
      print(lines.level(level, at: session.duration))
    case .noiseFloor(let level):
      if level > -40 {
        note(
          "The background noise is loud (\(Int(level)) dBFS), so words may be missed. Move the microphone closer."
        )
      }
    case .sourceLost(let name, let why):
      reportFailure(
        .unreadable, "The source '\(name)' delivers no audio\(why.map { ": \($0)" } ?? "").",
        hint: "Longhand keeps trying, and marks the missing time as a gap.")
    case .sourceRecovered(let name): note("The source '\(name.escapingControls)' delivers audio again.")
    case .diskFailed(let why, let seconds):
      guard !isDiskFailing else { return }
      isDiskFailing = true
      reportFailure(
        .output, why,
        hint: "The next \(Int(clamping: seconds)) seconds are kept in memory. Free some disk space.")
    case .diskRecovered:
      isDiskFailing = false
      note("The disk works again; everything is saved.")
    case .lowDiskSpace(let seconds):
      note("The disk has space for \(ProgressEstimate.clock(seconds)) more of recording.")
    case .sourceEnded: if finishing == nil { finish(isAsked: false) }
    }
  }

  private func finish(isAsked: Bool) {
    finishing = FinishingLine(isAsked: isAsked, processed: transcript.processed, at: .now)
  }

  private func reportEndedGaps() {
    let gaps = session.gaps
    // The last gap may still grow.
    let ended = gaps.filter { session.format.seconds($0.start + $0.frames) < session.duration }
    report(ended)
  }

  /// Reports the gaps that were not reported yet.
  private func report(_ gaps: [RecordingGap]) {
    for gap in gaps.dropFirst(reportedGaps) {
      if gap.reason == .disk { hasFailed = true }
      if format == .jsonl { print(lines.gap(gap, format: session.format)) }
    }
    reportedGaps = max(reportedGaps, gaps.count)
  }

  /// Ends the report of a recording that was transcribed to its end.
  ///
  /// - Returns: the exit status.
  func finish(_ recorded: RecordedSession, _ coverage: Coverage) throws -> Int32 {
    report(session.gaps)
    printTexts(sentences?.finish() ?? [])
    if format == .jsonl { print(lines.end(recorded, coverage)) }
    console.errors.redraw("")
    // A failure was reported when it came.
    if let outputError, !(outputError is Failure) { throw outputError }
    let id = recorded.id.prefix(8)
    console.report(
      wordless: coverage.wordless, input: "\(id)", hint: "See where with 'longhand coverage \(id)'.")
    if !isQuiet {
      let time = ProgressEstimate.clock(recorded.duration)
      note("Recorded \(time). Read it with 'longhand show \(recorded.id.prefix(8))'.")
    }
    return hasFailed || coverage.failed > 0 ? ExitStatus.failed : ExitStatus.done
  }

  /// Ends the report of a recording that failed.
  func fail(_ error: any Error) {
    printTexts(sentences?.finish() ?? [])
    console.errors.redraw("")
    var failure = Failure(error)
    // It is not continued unless it is named, as the hint says.
    if error is WorkStopped { return console.report(failure) }
    let recovery = "run 'longhand recover' to finish the recording \(session.id.prefix(8))."
    // Without the model the recovery would fail too.
    failure.hint =
      if failure.code == .notInstalled, let hint = failure.hint { "\(hint) Then \(recovery)" } else {
        recovery.prefix(1).uppercased() + recovery.dropFirst()
      }
    console.report(failure)
  }

  // MARK: The streams

  private func print(_ text: String) {
    guard outputError == nil else { return }
    do {
      try console.errors.around { try console.output.write(text) }
    } catch {
      // The recording continues.
      outputError = error
      guard var failure = error as? Failure else { return }
      // Now, and not at the end: a signal ends most recordings, and is then the reason for the end.
      hasFailed = true
      failure.hint = "The recording continues. Read it with 'longhand show \(session.id.prefix(8))'."
      console.report(failure)
    }
  }

  private func printTexts(_ segments: [Segment]) {
    for segment in segments {
      let name = session.speakerName(of: segment).map { "\($0.escapingControls): " } ?? ""
      print(name + segment.text.escapingControls + "\n")
      texts?[segment.id] = segment.text
    }
    printTranslations()
  }

  /// Prints what is translated of the segments that are printed. What is in English already is not printed twice.
  private func printTranslations() {
    for (id, english) in translations.sorted(by: { $0.key < $1.key }) {
      guard let text = texts?.removeValue(forKey: id) else { continue }
      translations[id] = nil
      if !english.isEmpty, english != text { print("English: \(english.escapingControls)\n") }
    }
  }

  private func reportFailure(_ code: Failure.Code, _ message: String, hint: String) {
    console.report(Failure(code, message, hint: hint))
  }

  private func note(_ text: String) {
    if !isQuiet { console.note(text) }
  }

  /// Whether a status line is shown.
  var hasStatusLine: Bool { !isQuiet && console.errors.canRedraw }

  private func draw(now: Bool = false) {
    guard hasStatusLine, now || ContinuousClock.now - lastDrawn > .milliseconds(100) else { return }
    lastDrawn = .now
    if let line = finishingLine { return console.errors.redraw(line) }
    if isPaused {
      return console.errors.redraw("‖ \(ProgressEstimate.clock(session.duration))  paused; space continues")
    }
    // Of the audio that was last processed, not of the last final text: a person may speak for minutes without a pause.
    let behind = session.duration - transcript.processed
    let lag = behind >= 5 ? "  \(ProgressEstimate.clock(behind)) behind" : ""
    let level = transcript.level
    let loudness = level.isFinite ? "\(Int(clamping: level.rounded())) dBFS" : "silence"
    console.errors.redraw(
      "● \(ProgressEstimate.clock(session.capturedDuration))  \(loudness)\(lag)",
      // With the words that are printed when the mark after them is certain.
      aside: ((sentences?.pending.map(\.text) ?? []) + [transcript.active?.text ?? ""])
        .joined(separator: " ").escapingControls)
  }

  /// What is shown after the end of the recording.
  private var finishingLine: String? {
    finishing?.text(processed: transcript.processed, duration: session.duration, at: .now)
  }
}
