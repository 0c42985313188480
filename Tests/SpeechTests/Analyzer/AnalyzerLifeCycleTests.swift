import AVFAudio
import CoreMedia
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Speech

/// How analyzers end, and what outlives them, against the real service.
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

  /// Waits until something holds; false after too long.
  private func eventually(_ condition: () async -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(300)
    while ContinuousClock.now < end {
      if await condition() { return true }
      try await Task.sleep(for: .milliseconds(5))
    }
    return false
  }

  // MARK: The finished state

  @Test("An analyzer that is cancelled asks for no more input, however much there is")
  func nothingIsReadAfterCancelling() async throws {
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
    // The rest is still there for somebody else.
    var left = 0
    for await _ in stream { left += 1 }
    #expect(left == count - inputs.log.given)
    #expect(try await texts(transcriber).isEmpty)
  }

  @Test("A finished analyzer takes at most the input that it waits for, and leaves the rest alone")
  func nothingIsReadAfterFinishing() async throws {
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

    // What was published can still be read, and is all.
    #expect(try await texts(transcriber) == ["go forward ten meters"])
    let other = CountedInputs(base: AsyncStream { $0.finish() })
    try await analyzer.start(inputSequence: other)
    #expect(try await analyzer.analyzeSequence(other) == nil)
    try await Task.sleep(for: .milliseconds(50))
    #expect(other.log.asked == 0)
  }

  @Test("Cancelling keeps the results that are published")
  func publishedResultsOutliveCancelling() async throws {
    let transcriber = SpeechTranscriber(locale: english, preset: .transcription)
    let analyzer = SpeechAnalyzer(modules: [transcriber])
    let (stream, feed) = AsyncStream.makeStream(of: AnalyzerInput.self)
    try await analyzer.start(inputSequence: stream)
    let samples = try Recordings.goForward()
    feed.yield(try input(samples))
    try await analyzer.finalize(through: CMTime(value: Int64(samples.count), timescale: 16_000))
    feed.yield(try input(samples))
    await analyzer.cancelAndFinishNow()
    #expect(try await texts(transcriber) == ["go forward ten meters"])
  }

  // MARK: Nobody holds the analyzer

  /// Looks at an analyzer without holding it.
  private final class Observer {
    weak var analyzer: SpeechAnalyzer?
  }

  /// Starts an analyzer that nobody else will hold.
  private func start(
    _ transcriber: SpeechTranscriber, _ inputs: AsyncStream<AnalyzerInput>, observer: Observer
  ) async throws {
    let analyzer = SpeechAnalyzer(modules: [transcriber])
    observer.analyzer = analyzer
    try await analyzer.start(inputSequence: inputs)
  }

  @Test("An analyzer that nobody holds goes on until its input ends, recognizes all of it, and goes away")
  func anAnalyzerThatNobodyHolds() async throws {
    let transcriber = SpeechTranscriber(locale: english, preset: .transcription)
    let (inputs, feed) = AsyncStream.makeStream(of: AnalyzerInput.self)
    let observer = Observer()
    try await start(transcriber, inputs, observer: observer)
    let samples = try Recordings.goForward()
    var texts: [String] = []
    var results = transcriber.results.makeAsyncIterator()

    feed.yield(try input(samples + Recordings.silence(1.5)))
    // It is final before the input ends: the pause after it is long.
    let first = try #require(try await results.next())
    texts.append(String(first.text.characters))
    #expect(observer.analyzer != nil)
    // A while later it still listens.
    try await Task.sleep(for: .milliseconds(300))
    #expect(observer.analyzer != nil)
    feed.yield(try input(samples))
    feed.finish()

    while let result = try await results.next() { texts.append(String(result.text.characters)) }
    #expect(texts == ["go forward ten meters", " go forward ten meters"])
    #expect(try await eventually { observer.analyzer == nil })
  }

  @Test("An analyzer that nobody holds and that reads nothing goes away at once, and its results end")
  func anAnalyzerThatReadsNothing() async throws {
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
    #expect(try await texts(transcriber) == ["go forward ten meters"])
  }

  // MARK: Contextual strings

  /// All results of a recording, with the context and without.
  private func results<Module: SpeechModule>(
    expecting phrases: [String], _ make: () -> Module
  ) async throws -> [Module.Result] {
    let transcriber = make()
    let context = AnalysisContext()
    context.contextualStrings[.general] = phrases
    let file = try AVAudioFile(forReading: Recordings.librivox("0870"))
    _ = try await SpeechAnalyzer(
      inputAudioFile: file, modules: [transcriber], analysisContext: context, finishAfterFile: true)
    var results: [Module.Result] = []
    for try await result in transcriber.results { results.append(result) }
    return results
  }

  @Test("A dictation heeds contextual strings, a transcription does not")
  func contextualStrings() async throws {
    let phrases = ["Mister John Dashwood", "zugzwang"]
    // The general model does not know the name.
    let transcription: () -> SpeechTranscriber = { [english] in
      SpeechTranscriber(locale: english, preset: .timeIndexedTranscriptionWithAlternatives)
    }
    let plain = try await results(expecting: [], transcription)
    #expect(!plain.isEmpty)
    #expect(try await results(expecting: phrases, transcription) == plain)

    func dictated(_ phrases: [String]) async throws -> String {
      let results = try await results(expecting: phrases) {
        DictationTranscriber(locale: english, preset: .phrase)
      }
      return results.map { String($0.text.characters) }.joined().lowercased()
    }
    #expect(try await dictated([]).contains("dashwood") == false)
    #expect(try await dictated(phrases).contains("john dashwood"))
  }
}
