import Foundation
import Longhand

/// The work of `evaluate`: every recording transcribed and scored, some at once.
struct EvaluationRun: Sendable {
  /// What became of one recording: its figures, and whether something failed.
  private typealias Outcome = (clip: EvaluationReport.Clip?, failed: Bool)

  let rows: [EvaluationManifest.Row]
  let references: [ScoredText]
  let evaluator: Evaluator
  let transcriber: FileTranscriber
  /// Makes the second text that is scored beside the first, if any.
  var normalizer: TranscriptNormalizer?
  let jobs: JobCount
  let console: Console
  let meter: ProgressMeter

  /// Does all of it.
  ///
  /// - Returns: the figures in the order of the manifest, and how many recordings failed in whole or in part.
  func report() async throws -> (EvaluationReport, failures: Int) {
    defer { meter.clear() }
    let readable = rows.indices.filter(isReadable)
    var clips: [EvaluationReport.Clip] = []
    var failures = rows.count - readable.count
    try await BoundedWork.run(Array(readable), atOnce: jobs.count, work: evaluate) { outcome in
      if let clip = outcome.clip { clips.append(clip) }
      if outcome.failed { failures += 1 }
    }
    return (EvaluationReport(clips: clips), failures)
  }

  private func isReadable(_ index: Int) -> Bool {
    do {
      guard try AudioInput(operand: rows[index].path.path).check() else { return true }
      throw Failure(.unreadable, "This is a pipe or a device, not a file.", hint: "Save the audio in a file.")
    } catch {
      console.report(Failure(error, input: rows[index].name))
      meter.finish(index)
      return false
    }
  }

  /// Does one recording. Only what concerns every recording is thrown.
  @Sendable private func evaluate(_ index: Int) async throws -> Outcome {
    defer { meter.finish(index) }
    let row = rows[index]
    meter.begin(index)
    do {
      let start = ContinuousClock.now
      var transcript = try await transcriber.transcribe(row.path) { [meter] progress in
        meter.update(index, processed: progress.processed, duration: progress.duration)
      }
      transcript.normalized = await normalizer?.normalize(transcript)
      try Task.checkCancellation()
      let clip = evaluator.clip(
        name: row.name, reference: references[index], transcript: transcript,
        processingSeconds: (ContinuousClock.now - start) / .seconds(1))
      let failed = transcript.coverage.failed
      if failed > 0 { console.report(.incomplete(failed, of: transcript.duration, input: row.name)) }
      return (clip, failed > 0)
    } catch {
      try Task.checkCancellation()
      let failure = Failure(error, input: row.name)
      if failure.endsTheRun { throw failure }
      console.report(failure)
      return (nil, true)
    }
  }
}
