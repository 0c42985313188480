/// Publishes what a detector finds.
final class DetectorSink: ModuleSink {
  private var timeline: DetectorTimeline?
  private let output: ModuleOutput<SpeechDetector.Result>

  /// - Parameter detection: nil if nothing is to be reported.
  init(
    _ detection: SpeechDetection?, at place: Int,
    output: ModuleOutput<SpeechDetector.Result>
  ) {
    timeline = detection.map { DetectorTimeline(detection: $0, start: place) }
    self.output = output
  }

  func take(_ samples: [Int16], at place: Int) { publish(timeline?.take(samples, at: place)) }
  func skip(to place: Int) { publish(timeline?.skip(to: place)) }
  func commit(through place: Int) { publish(timeline?.commit(through: place)) }
  func hear(_ words: [RecognizedWord]) {}
  func settle(_ utterance: RecognizedUtterance) {}
  func settle(without range: Range<Int>) {}
  func finish(_ error: (any Error)?) { output.finish(error) }

  private func publish(_ results: [SpeechDetector.Result]?) {
    for result in results ?? [] { output.publish(result) }
  }
}
