import AVFAudio
import CoreMedia
import Foundation
import Speech

/// What an analyzer says of one file: a transcriber's finals, beside a detector that tells it where there is speech.
struct FileAnalysis: Sendable {
  let locale: Locale
  /// The most candidates to keep for a segment, at least 1.
  let alternatives: Int
  /// A language model to use beside the general one; only dictation takes one.
  let languageModel: SFSpeechLanguageModel.Configuration?
  /// Told how many seconds are done.
  let report: @Sendable (TimeInterval) -> Void

  /// Analyzes the file and waits for the end. Cancelling the task stops the analysis.
  /// - Throws: `TranscriptionError`, or `CancellationError`.
  func run(_ file: AVAudioFile) async throws -> RecognitionOutcome {
    guard let languageModel else {
      let transcriber = SpeechTranscriber(
        locale: locale, transcriptionOptions: [],
        reportingOptions: alternatives > 1 ? [.alternativeTranscriptions] : [],
        attributeOptions: [.audioTimeRange, .transcriptionConfidence])
      return try await analyze(file, by: transcriber, transcriber.results) { $0.alternatives }
    }
    let transcriber = DictationTranscriber(
      locale: locale, contentHints: [.customizedLanguage(modelConfiguration: languageModel)],
      transcriptionOptions: [], reportingOptions: alternatives > 1 ? [.alternativeTranscriptions] : [],
      attributeOptions: [.audioTimeRange, .transcriptionConfidence])
    return try await analyze(file, by: transcriber, transcriber.results) { $0.alternatives }
  }

  private func analyze<Results: AsyncSequence & Sendable>(
    _ file: AVAudioFile, by transcriber: any SpeechModule, _ results: Results,
    readings: @Sendable (Results.Element) -> [AttributedString]
  ) async throws -> RecognitionOutcome where Results.Element: SpeechModuleResult {
    // Another file may follow: its services need not load the model again.
    let analyzer = SpeechAnalyzer(
      modules: [SpeechDetector(), transcriber],
      options: SpeechAnalyzer.Options(priority: .medium, modelRetention: .lingering))
    await analyzer.setVolatileRangeChangedHandler { [report] range, changedStart, _ in
      if changedStart { report(range.start.seconds) }
    }
    return try await withTaskCancellationHandler {
      var outcome = RecognitionOutcome()
      do {
        try await analyzer.start(inputAudioFile: file, finishAfterFile: true)
        for try await result in results where result.isFinal {
          outcome.add(readings(result).prefix(max(1, alternatives)).map(Candidate.init))
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
