import Foundation

/// How soon an analyzer returns results of live speech, in real time.
///
/// It runs in this process, with the models loaded, as in an app that records from a microphone.
struct LatencyBenchmark {
  var options: Options
  var folder: URL

  func run(_ report: inout Report) async throws {
    guard FileAnalysis.isAvailable(for: "latency") else { return }
    let clips = try Clips(options, folder: folder)
    let recording = try LiveRecording(clips.files, minutes: options.liveMinutes)
    Log.say("live, \(recording.utterances.count) utterances: \(Figure.seconds(recording.seconds)) …")
    let trace = try await LiveSession(recording: recording).run()
    let timing = LiveTiming(trace: trace, utterances: recording.utterances)

    report.add("live audio", recording.seconds, unit: .seconds)
    report.add("live buffers", LiveSession.bufferLength * 1000, unit: .milliseconds)
    report.add("live buffers, the greatest delay of one", trace.maxDelay * 1000, unit: .milliseconds)
    if let load = Self.load {
      report.add("processes that wanted a processor, in the last minute", load, unit: .ratio)
    }
    report.add("volatile results", Double(trace.volatiles.count), unit: .count)
    report.add("final results", Double(trace.finals.count), unit: .count)
    report.add(
      "speech from one volatile result to the next", timing.gaps.inMilliseconds, unit: .milliseconds,
      goal: .atMost(400), withLongest: true)
    report.add("of these, at most 400 ms", timing.gaps.share(upTo: 0.4), unit: .share)
    add("first volatile result of an utterance", timing.firstOfUtterances, .atMost(700), to: &report)
    add("first volatile result after any pause", timing.firstOfStretches, nil, to: &report)
    add("final after the detector's end of speech", timing.finals, .atMost(600), to: &report)
    add("final after the detector reports it", timing.finalsAfterPauses, nil, to: &report)
    let shown = timing.shownWords
    report.add("words that volatile results show", Double(shown.all), unit: .count)
    report.add(
      "of these, others in the final text", Double(shown.changed) / Double(max(1, shown.all)), unit: .share,
      goal: .atMost(0.05))
  }

  /// The load of the machine. If it is more than the number of processors, the times include waiting for them.
  private static var load: Double? {
    var averages = [0.0]
    return getloadavg(&averages, 1) == 1 ? averages[0] : nil
  }

  private func add(_ name: String, _ measured: LiveTiming.Measured, _ goal: Goal?, to report: inout Report) {
    report.add(name, measured.times.inMilliseconds, unit: .milliseconds, goal: goal)
    report.add("\(name), timed", Double(measured.times.count), unit: .count)
    report.add("\(name), none", Double(measured.missing), unit: .count)
  }
}
