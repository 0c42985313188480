import Foundation
import Longhand

/// A long recording with pauses: errors, time, memory and word times, compared with `pocketsphinx single` on the whole
/// file.
struct LongBenchmark {
  var options: Options
  var folder: URL

  func run(_ report: inout Report) throws {
    guard let assembler = options.assembler else {
      Log.say("skipped long: \(options.audio)/make-long.py does not exist")
      return
    }
    let minutes = options.minutes.map { ["--minutes", String($0)] } ?? []
    try Program.run(
      ["python3", assembler.path, "talk", folder.path] + minutes, in: folder, name: "assembling")
    let recording = folder.appendingPathComponent("talk.wav")
    let timed = try TimedReference(contentsOf: folder.appendingPathComponent("talk.tsv"))

    let program = LonghandProgram(program: options.longhand, folder: folder)
    let longhand = try program.transcribe([recording], jobs: 2, name: "longhand --jobs 2, long")
    let single = try program.transcribe([recording], jobs: 1, name: "longhand --jobs 1, long")
    let transcript = longhand.transcripts[0]
    let words = transcript.segments.flatMap(\.words)
    let rate = WordErrorRate(
      reference: timed.words, hypothesis: transcript.normalizedWords
    ).rate

    report.add("long audio", transcript.duration, unit: .seconds)
    do {
      let baseline = try PocketSphinx(program: options.pocketsphinx, folder: folder)
        .run(recording, name: "pocketsphinx single, long")
      let theirs = WordErrorRate(reference: timed.words, hypothesis: baseline.words).rate
      report.compare("long word error rate", rate, theirs, unit: .share)
      report.compare("long wall time", longhand.run.seconds, baseline.run.seconds, unit: .seconds)
      report.compare("long peak memory", longhand.run.memory.peak, baseline.run.memory.peak, unit: .bytes)
    } catch {
      Log.say("pocketsphinx single failed on the long recording: \(error)")
      report.add("long word error rate", rate, unit: .share)
      report.add("long wall time", longhand.run.seconds, unit: .seconds)
      report.add("long peak memory", longhand.run.memory.peak, unit: .bytes)
    }
    report.add("long wall time with --jobs 1", single.run.seconds, unit: .seconds)
    addMemory(longhand.run.memory, to: &report)
    addWordTimes(timed.check(words), to: &report)
    report.add(
      "long transcripts that differ with --jobs 1 and 2", longhand.documents == single.documents ? 0 : 1,
      unit: .count)
  }

  private func addMemory(_ memory: MemoryProfile, to report: inout Report) {
    if let bytes = memory.bytes(after: 300) { report.add("memory after 5 minutes", bytes, unit: .bytes) }
    report.add("memory at the end", memory.atEnd, unit: .bytes)
    if let slope = memory.slope {
      report.add("memory growth in an hour, by the second half", slope * 3600, unit: .bytes)
    }
  }

  private func addWordTimes(_ check: TimedReference.Check, to report: inout Report) {
    report.add("words as in the reference", Double(check.matches), unit: .count)
    report.add("of these, out of their utterance's time", Double(check.misplacedMatches), unit: .count)
    report.add("words in place of another", Double(check.substitutions), unit: .count)
    report.add("of these, out of its utterance's time", Double(check.misplacedSubstitutions), unit: .count)
  }
}
