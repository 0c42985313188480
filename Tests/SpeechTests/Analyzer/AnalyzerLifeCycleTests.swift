import AVFAudio
import CoreMedia
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Speech

/// How analyzers end, with the real service.
@Suite(.tagged(.recognizer), .serialized, .timeLimit(.minutes(5))) struct AnalyzerLifeCycleTests {
  private let english = Locale(identifier: "en-US")

  private func input(_ samples: [Int16]) throws -> AnalyzerInput {
    AnalyzerInput(buffer: try Recordings.buffer(samples))
  }

  private func texts(_ transcriber: SpeechTranscriber) async throws -> [String] {
    var texts: [String] = []
    for try await result in transcriber.results where result.isFinal {
      texts.append(String(result.text.characters))
    }
    return texts
  }

  /// Waits until a condition is met; false after five minutes.
  private func eventually(_ condition: () async -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(300)
    while ContinuousClock.now < end {
      if await condition() { return true }
      try await Task.sleep(for: .milliseconds(5))
    }
    return false
  }

  // MARK: The finished state

  @Test func cancelledAnalyzerReadsNoMoreInput() async throws {
    let transcriber = SpeechTranscriber(locale: english, preset: .transcription)
    let analyzer = SpeechAnalyzer(modules: [transcriber])
    let silence = try input(Recordings.silence(1))
    let count = 1000
    let stream = AsyncStream { feed in
      for _ in 0..<count { feed.yield(silence) }
      feed.finish()
    }
    let inputs = CountedInputs(base: stream)
    try await analyzer.start(inputSequence: inputs)
    try #require(try await eventually { inputs.log.given > 3 })
    await analyzer.cancelAndFinishNow()
    let asked = inputs.log.asked
    #expect(asked < count)
    try await Task.sleep(for: .milliseconds(300))
    #expect(inputs.log.asked <= asked + 1)
    // The rest of the input is still in the stream.
    var left = 0
    for await _ in stream { left += 1 }
    #expect(left == count - inputs.log.given)
    #expect(try await texts(transcriber).isEmpty)
  }

  @Test func finishedAnalyzerReadsNoMoreInput() async throws {
    let transcriber = SpeechTranscriber(locale: english, preset: .transcription)
    let analyzer = SpeechAnalyzer(modules: [transcriber])
    let (stream, feed) = AsyncStream.makeStream(of: AnalyzerInput.self)
    let isTerminated = Mutex(false)
    feed.onTermination = { _ in isTerminated.withLock { $0 = true } }
    let inputs = CountedInputs(base: stream)
    try await analyzer.start(inputSequence: inputs)
    let samples = try Recordings.goForward()
    feed.yield(try input(samples))
    // Waits for the audio, which may not have been taken yet.
    try await analyzer.finalizeAndFinish(through: CMTime(value: Int64(samples.count), timescale: 16_000))
    try #require(try await eventually { inputs.log.asked == 2 })

    for _ in 0..<5 { feed.yield(try input(samples)) }
    try await Task.sleep(for: .milliseconds(300))
    #expect(inputs.log.asked == 2)
    #expect(inputs.log.given == 2)
    #expect(!isTerminated.withLock { $0 })
    feed.finish()
    var left = 0
    for await _ in stream { left += 1 }
    #expect(left == 4)

    // The published results can still be read.
    #expect(try await texts(transcriber) == [Recordings.textGoForward])
    let other = CountedInputs(base: AsyncStream { $0.finish() })
    try await analyzer.start(inputSequence: other)
    #expect(try await analyzer.analyzeSequence(other) == nil)
    try await Task.sleep(for: .milliseconds(50))
    #expect(other.log.asked == 0)
  }

  @Test func cancellingKeepsPublishedResults() async throws {
    let transcriber = SpeechTranscriber(locale: english, preset: .transcription)
    let analyzer = SpeechAnalyzer(modules: [transcriber])
    let (stream, feed) = AsyncStream.makeStream(of: AnalyzerInput.self)
    try await analyzer.start(inputSequence: stream)
    let samples = try Recordings.goForward()
    feed.yield(try input(samples))
    try await analyzer.finalize(through: CMTime(value: Int64(samples.count), timescale: 16_000))
    feed.yield(try input(samples))
    await analyzer.cancelAndFinishNow()
    #expect(try await texts(transcriber) == [Recordings.textGoForward])
  }

  // MARK: Released analyzers

  /// Observes an analyzer without a strong reference.
  private final class Observer {
    weak var analyzer: SpeechAnalyzer?
  }

  /// Starts an analyzer without keeping a reference.
  private func start(
    _ transcriber: SpeechTranscriber, _ inputs: AsyncStream<AnalyzerInput>, observer: Observer
  ) async throws {
    let analyzer = SpeechAnalyzer(modules: [transcriber])
    observer.analyzer = analyzer
    // Whisper waits for more speech to decode at once.
    try await analyzer.setContext(TestedModel.embedded.context)
    try await analyzer.start(inputSequence: inputs)
  }

  @Test func releasedAnalyzerReadsItsInputToTheEnd() async throws {
    let transcriber = SpeechTranscriber(locale: english, preset: .transcription)
    let (inputs, feed) = AsyncStream.makeStream(of: AnalyzerInput.self)
    let observer = Observer()
    try await start(transcriber, inputs, observer: observer)
    let samples = try Recordings.goForward()
    var texts: [String] = []
    var results = transcriber.results.makeAsyncIterator()

    feed.yield(try input(samples + Recordings.silence(1.5)))
    // The long pause makes it final before the input ends.
    let first = try #require(try await results.next())
    texts.append(String(first.text.characters))
    #expect(observer.analyzer != nil)
    // It still waits for input a while later.
    try await Task.sleep(for: .milliseconds(300))
    #expect(observer.analyzer != nil)
    feed.yield(try input(samples))
    feed.finish()

    while let result = try await results.next() { texts.append(String(result.text.characters)) }
    #expect(texts == ["go forward ten meters", " go forward ten meters"])
    #expect(try await eventually { observer.analyzer == nil })
  }

  @Test func releasedAnalyzerWithoutInputEndsItsResults() async throws {
    let transcriber = SpeechTranscriber(locale: english, preset: .transcription)
    let observer = Observer()
    do {
      let analyzer = SpeechAnalyzer(modules: [transcriber])
      observer.analyzer = analyzer
      let samples = try Recordings.goForward()
      let all = try input(samples)
      let end = try await analyzer.analyzeSequence(
        AsyncStream { feed in
          feed.yield(all)
          feed.finish()
        })
      #expect(end == CMTime(value: Int64(samples.count), timescale: 16_000))
    }
    #expect(try await eventually { observer.analyzer == nil })
    #expect(try await texts(transcriber) == [Recordings.textGoForward])
  }

  // MARK: Contextual strings

  /// All results of a recording, with the context and without.
  private func results<Module: SpeechModule>(
    expecting phrases: [String], _ make: () -> Module
  ) async throws -> [Module.Result] {
    let transcriber = make()
    let context = TestedModel.embedded.context
    context.contextualStrings[.general] = phrases
    let file = try AVAudioFile(forReading: Recordings.librivox("0870"))
    _ = try await SpeechAnalyzer(
      inputAudioFile: file, modules: [transcriber], analysisContext: context, finishAfterFile: true)
    var results: [Module.Result] = []
    for try await result in transcriber.results { results.append(result) }
    return results
  }

  @Test func everyTranscriberUsesContextualStrings() async throws {
    let phrases = ["Mister John Dashwood", "zugzwang"]
    // PocketSphinx's general model does not contain the name.
    func transcribed(_ phrases: [String]) async throws -> String {
      let results = try await results(expecting: phrases) {
        SpeechTranscriber(locale: english, preset: .transcription)
      }
      return results.map { String($0.text.characters) }.joined().lowercased()
    }
    #expect(try await !transcribed([]).contains("dashwood"))
    #expect(try await transcribed(phrases).contains("john dashwood"))

    func dictated(_ phrases: [String]) async throws -> String {
      let results = try await results(expecting: phrases) {
        DictationTranscriber(locale: english, preset: .phrase)
      }
      return results.map { String($0.text.characters) }.joined().lowercased()
    }
    #expect(try await !dictated([]).contains("dashwood"))
    #expect(try await dictated(phrases).contains("john dashwood"))
  }
}
