import AVFAudio
import CoreMedia
import Foundation
import Speech

/// What an analyzer says of one file: a transcriber's finals, beside a detector that tells it where there is speech.
struct FileAnalysis: Sendable {
  let modules: AnalyzerModules
  /// Told how many seconds are done.
  let report: @Sendable (TimeInterval) -> Void
  /// Told each segment as soon as it is final.
  let segment: @Sendable (Segment) -> Void

  /// Analyzes the file and waits for the end. Cancelling the task stops the analysis.
  /// - Throws: `TranscriptionError`, or `CancellationError`.
  func run(_ file: AVAudioFile) async throws -> RecognitionOutcome {
    let transcriber = modules.final()
    // Another file may follow: its services need not load the model again.
    let analyzer = SpeechAnalyzer(
      modules: [SpeechDetector(), transcriber.module],
      options: SpeechAnalyzer.Options(priority: .medium, modelRetention: .lingering))
    await analyzer.setVolatileRangeChangedHandler { [report] range, changedStart, _ in
      if changedStart { report(range.start.seconds) }
    }
    return try await withTaskCancellationHandler {
      var outcome = RecognitionOutcome()
      do {
        try await analyzer.start(inputAudioFile: file, finishAfterFile: true)
        try await transcriber.results { heard in
          guard heard.isFinal, let new = outcome.add(heard.candidates(most: modules.alternatives)) else {
            return
          }
          segment(new)
        }
      } catch {
        try Task.checkCancellation()
        try outcome.end(with: error)
      }
      try Task.checkCancellation()
      return outcome
    } onCancel: {
      Task { await analyzer.cancelAndFinishNow() }
    }
  }
}

extension AnalyzerModules.Heard {
  /// What was heard, as at most so many candidates.
  func candidates(most: Int) -> [Candidate] { readings.prefix(max(1, most)).map(Candidate.init) }
}

extension Candidate {
  /// A reading that a transcriber offered, whose runs with a time are its words.
  init(_ text: AttributedString) {
    let words = text.runs.compactMap { run -> Word? in
      let spelling = text[run.range].characters.filter { !$0.isWhitespace }
      guard let range = run.audioTimeRange, !spelling.isEmpty else { return nil }
      return Word(
        text: String(spelling), start: range.start.seconds, end: range.end.seconds,
        confidence: run.transcriptionConfidence ?? 0)
    }
    // A final that is not the first begins with the space that parts it from the one before.
    self.init(text: String(text.characters).trimmingCharacters(in: .whitespaces), words: words)
  }
}
