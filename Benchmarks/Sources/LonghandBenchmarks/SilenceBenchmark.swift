import Foundation
import Longhand

/// A long recording, two thirds of it silent: the cost of the silence, the memory, and whether words are lost or repeated.
///
/// Two baselines, scaled to the length of the recording, decode every second: `pocketsphinx single` on a range with as
/// much silence as the whole, and Longhand itself on clips without silence. The short range favors PocketSphinx, which
/// becomes slower with the length of a recording.
struct SilenceBenchmark {
  /// The length of the range for the baseline, in seconds.
  private static let rangeLength = 180.0
  /// When to measure memory, in seconds of audio, in addition to the end.
  private static let early = 300.0

  var options: Options
  var folder: URL

  func run(_ report: inout Report) throws {
    guard let assembler = options.assembler else {
      return Log.say("skipped silence: \(options.audio)/make-long.py does not exist")
    }
    let minutes = options.minutes ?? 60
    try Program.run(
      ["python3", assembler.path, "silent", folder.path, "--minutes", String(minutes)], in: folder,
      name: "assembling")
    let recording = folder.appendingPathComponent("silent.wav")
    let reference = try TimedReference(contentsOf: folder.appendingPathComponent("silent.tsv"))
    let program = LonghandProgram(program: options.longhand, folder: folder)
    let (_, transcripts, run) = try program.transcribe([recording], name: "longhand, silent")
    let transcript = transcripts[0]
    let speech = reference.seconds(ofSpeechIn: 0...transcript.duration)

    report.add("silent audio", transcript.duration, unit: .seconds)
    report.add("silent audio, share of utterances", speech / transcript.duration, unit: .share)
    report.add("silent processor time", run.processorSeconds, unit: .seconds)
    try addYardsticks(recording, reference, transcript.duration, run, &report)
    try addMemory(recording, transcript.duration, run, &report)
    add(SilenceCheck(reference: reference, transcript: transcript), to: &report)
  }

  private func addYardsticks(
    _ recording: URL, _ reference: TimedReference, _ duration: Double, _ run: Program.Run,
    _ report: inout Report
  ) throws {
    let range = Self.range(like: 0...duration, of: reference)
    let length = range.upperBound - range.lowerBound
    let cut = try Converter(folder: folder).convert(recording, to: "silent-stretch.wav", range: range)
    let single = try PocketSphinx(program: options.pocketsphinx, folder: folder)
      .run(cut, name: "pocketsphinx single, \(Figure.seconds(length)) of it").run
    let every = single.processorSeconds / length * duration
    report.add(
      "baseline's range, share of utterances", reference.seconds(ofSpeechIn: range) / length,
      unit: .share)
    report.add("pocketsphinx on every second, processor time", every, unit: .seconds)
    report.add(
      "ratio to pocketsphinx on every second", run.processorSeconds / every, unit: .ratio, goal: .atMost(0.5))

    let clips = try Clips(options, folder: folder)
    let continuous = try LonghandProgram(program: options.longhand, folder: folder)
      .transcribe(clips.files, name: "longhand, \(clips.files.count) clips")
    let spoken = continuous.transcripts.reduce(0) { $0 + $1.duration }
    let own = continuous.run.processorSeconds / spoken * duration
    report.add("longhand if speech went on, processor time", own, unit: .seconds)
    report.add(
      "ratio to longhand if speech went on", run.processorSeconds / own, unit: .ratio, goal: .atMost(0.5))
  }

  /// The range whose share of utterances is nearest to that of the whole.
  private static func range(
    like whole: ClosedRange<Double>, of reference: TimedReference
  ) -> ClosedRange<Double> {
    let length = min(rangeLength, whole.upperBound)
    let wanted = reference.seconds(ofSpeechIn: whole) / whole.upperBound * length
    let starts = stride(from: 0, through: whole.upperBound - length, by: 10)
    func distance(_ start: Double) -> Double {
      abs(reference.seconds(ofSpeechIn: start...start + length) - wanted)
    }
    let best = starts.min { distance($0) < distance($1) } ?? 0
    return best...best + length
  }

  /// Measures memory after a length of audio, not after a time: the first minutes are transcribed separately.
  private func addMemory(
    _ recording: URL, _ duration: Double, _ run: Program.Run, _ report: inout Report
  ) throws {
    if duration > Self.early {
      let cut = try Converter(folder: folder)
        .convert(recording, to: "silent-early.wav", range: 0...Self.early)
      let early = try LonghandProgram(program: options.longhand, folder: folder)
        .transcribe([cut], name: "longhand, the first five minutes").run
      report.add("silent memory after 5 minutes of audio", early.memory.atEnd, unit: .bytes)
    }
    report.add("silent memory at the end", run.memory.atEnd, unit: .bytes)
    report.add("silent peak memory", run.memory.peak, unit: .bytes)
  }

  private func add(_ check: SilenceCheck, to report: inout Report) {
    let errors = check.errors
    let utterances = Double(check.reference.utterances.count)
    let recognized = errors.referenceWords - errors.deletions + errors.insertions
    report.add("segments", Double(check.transcript.segments.count), unit: .count)
    report.add(
      "segments that overlap the one before", Double(check.overlappingSegments), unit: .count,
      goal: .atMost(0))
    report.add(
      "segments that repeat the one before", Double(check.repeatedSegments), unit: .count, goal: .atMost(0))
    report.add("utterances", utterances, unit: .count)
    report.add(
      "utterances with a word in them", Double(check.answeredUtterances) / max(1, utterances), unit: .share)
    report.add("words said", Double(errors.referenceWords), unit: .count)
    report.add("words heard", Double(recognized), unit: .count)
    report.add("of these, added to what was said", Double(errors.insertions), unit: .count)
    report.add("of these, in silence", Double(check.wordsInSilence), unit: .count)
    report.add("silent word error rate", errors.rate, unit: .share)
  }
}

/// Checks whether a transcript with much silence has lost or repeated words.
struct SilenceCheck {
  var reference: TimedReference
  var transcript: LonghandProgram.Transcript

  /// The number of utterances with at least one word.
  var answeredUtterances: Int {
    let middles = words.map { ($0.start + $0.end) / 2 }
    return reference.utterances.count { middles.contains(where: $0.contains) }
  }

  /// The number of words outside all utterances.
  var wordsInSilence: Int {
    words.count { word in
      !reference.utterances.contains {
        word.start <= $0.upperBound + TimedReference.tolerance
          && word.end >= $0.lowerBound - TimedReference.tolerance
      }
    }
  }

  /// The number of segments that begin before the previous one ends: out of order, or of the same audio.
  var overlappingSegments: Int { pairs.count { $1.start < $0.end } }

  /// The number of segments with the same text as the previous one. Single words are ignored: they may be right.
  var repeatedSegments: Int { pairs.count { $0.words.count > 1 && $0.text == $1.text } }

  /// The errors by alignment.
  var errors: WordErrorRate {
    WordErrorRate(reference: reference.words, hypothesis: transcript.normalizedWords)
  }

  private var words: [Word] { transcript.segments.flatMap(\.words) }

  private var pairs: some Sequence<(LonghandProgram.Transcript.Segment, LonghandProgram.Transcript.Segment)> {
    zip(transcript.segments, transcript.segments.dropFirst())
  }
}
