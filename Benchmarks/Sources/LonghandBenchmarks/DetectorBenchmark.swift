import Foundation
import Longhand

/// How much non-speech the detector reports as speech, and how many words it loses.
struct DetectorBenchmark {
  var options: Options
  var folder: URL

  func run(_ report: inout Report) async throws {
    guard FileAnalysis.isAvailable(for: "detector") else { return }
    try await addSpeech(to: &report)
    try await addSurvival(to: &report)
    await FileAnalysis.end()
  }

  private func addSpeech(to report: inout Report) async throws {
    let sounds = options.nonspeechFiles
    guard !sounds.isEmpty else {
      return Log.say("skipped part of the detector: \(options.audio)/nonspeech has no files")
    }
    Log.say("the detector, \(sounds.count) files without speech …")
    var total = (speech: 0.0, all: 0.0)
    for (index, sound) in sounds.enumerated() {
      let file = try Converter(folder: folder).convert(sound, to: "nonspeech-\(index).wav")
      let (speech, all) = try await FileAnalysis.secondsOfSpeech(in: file)
      total = (total.speech + speech, total.all + all)
      if speech > 0 {
        Log.say(
          "\(sound.lastPathComponent): \(Figure.seconds(speech)) of \(Figure.seconds(all)) called speech")
      }
    }
    report.add("audio given to the detector alone", total.all, unit: .seconds)
    report.add(
      "of it, called speech by the detector", total.speech / max(total.all, .leastNonzeroMagnitude),
      unit: .share,
      goal: .atMost(0.1))
  }

  private func addSurvival(to report: inout Report) async throws {
    let clips = try Clips(options, folder: folder)
    let with = try await matches(in: clips, withDetector: true)
    let without = try await matches(in: clips, withDetector: false)
    report.add("clip words heard right with a detector", Double(with), unit: .count)
    report.add("clip words heard right without", Double(without), unit: .count)
    report.add(
      "words that survive the detector", Double(with) / Double(max(1, without)), unit: .share,
      goal: .atLeast(0.99))
  }

  /// How many words of the references are recognized, by alignment.
  private func matches(in clips: Clips, withDetector: Bool) async throws -> Int {
    Log.say("an analyzer \(withDetector ? "with" : "without") a detector, \(clips.files.count) clips …")
    var matches = 0
    for (file, reference) in zip(clips.files, clips.references) {
      let hypothesis = try await FileAnalysis.words(of: file, withDetector: withDetector)
      let operations = WordAlignment(reference: reference, hypothesis: hypothesis).operations
      matches += operations.count { $0 == .match }
    }
    return matches
  }
}
