/// Publishes what a composer makes as the results of one transcriber.
final class TranscriberSink<Result: Sendable>: ModuleSink {
  private var composer: TranscriptComposer
  private let output: ModuleOutput<Result>
  private let make: (TranscriptComposer.Output) -> Result

  init(
    _ options: TranscriptComposer.Options, at place: Int, output: ModuleOutput<Result>,
    make: @escaping (TranscriptComposer.Output) -> Result
  ) {
    composer = TranscriptComposer(options: options, start: place)
    self.output = output
    self.make = make
  }

  func take(_ samples: [Int16], at place: Int) {}
  func skip(to place: Int) {}
  func hear(_ words: [RecognizedWord]) { publish(composer.hear(words)) }
  func settle(_ utterance: RecognizedUtterance) { publish(composer.settle(utterance)) }
  func settle(without range: Range<Int>) { publish(composer.settle(without: range)) }
  func commit(through place: Int) { publish(composer.commit(through: place)) }
  func finish(_ error: (any Error)?) { output.finish(error) }

  private func publish(_ result: TranscriptComposer.Output?) {
    if let result { output.publish(make(result)) }
  }
}
