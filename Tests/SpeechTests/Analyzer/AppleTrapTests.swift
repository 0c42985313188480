@testable import RecognitionCore
import AVFAudio
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Speech

/// What people report that Apple's framework does to their programs without a word, and what this one does instead; see
/// `docs/apple-behaviour.md`.
@Suite(.timeLimit(.minutes(5))) struct AppleTrapTests {
  private let english = Locale(identifier: "en-US")

  /// With a recognizer that returns a word for every half second.
  private func analyzer(_ modules: any SpeechModule..., seed: UInt64 = 1) -> SpeechAnalyzer {
    SpeechAnalyzer(
      modules: modules, options: nil, context: .init(),
      makeRecognizer: { _, _, emit in FakeRecognizer(seed: seed, emit: emit) })
  }

  private func input(seconds: Double) throws -> AnalyzerInput {
    AnalyzerInput(buffer: try Recordings.buffer([Int16](repeating: 5, count: Int(seconds * 16_000))))
  }

  private func words(_ results: some AsyncSequence<SpeechTranscriber.Result, any Error>) async throws -> Int {
    try await results.reduce(0) {
      $0 + ($1.isFinal ? String($1.text.characters).split(separator: " ").count : 0)
    }
  }

  // MARK: Audio in another format: no text, no error

  private func buffer(
    _ type: AVAudioCommonFormat, _ rate: Double, _ channels: UInt32, interleaved: Bool
  ) throws -> AVAudioPCMBuffer {
    let layout = try #require(
      AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | channels))
    let format = AVAudioFormat(
      commonFormat: type, sampleRate: rate, interleaved: interleaved, channelLayout: layout)
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: UInt32(rate)))
    buffer.frameLength = buffer.frameCapacity
    return buffer
  }

  @Test(arguments: [
    (AVAudioCommonFormat.pcmFormatFloat32, 44_100, 2, false), (.pcmFormatFloat32, 48_000, 1, false),
    (.pcmFormatInt16, 8000, 1, true), (.pcmFormatInt16, 22_050, 2, true),
    (.pcmFormatFloat32, 16_000, 2, true),
  ])
  func audioInAnotherFormatGivesItsWords(
    _ type: AVAudioCommonFormat, _ rate: Int, _ channels: Int, _ interleaved: Bool
  ) async throws {
    let transcriber = SpeechTranscriber(locale: english, preset: .transcription)
    let analyzer = analyzer(transcriber)
    let (inputs, feed) = AsyncStream<AnalyzerInput>.makeStream()
    try await analyzer.start(inputSequence: inputs)
    for _ in 0..<3 {
      feed.yield(
        AnalyzerInput(buffer: try buffer(type, Double(rate), UInt32(channels), interleaved: interleaved)))
    }
    feed.finish()
    try await analyzer.finalizeAndFinishThroughEndOfInput()
    #expect(try await words(transcriber.results) == 6)
  }

  @Test(arguments: [
    (AVAudioCommonFormat.pcmFormatFloat64, 16_000, 1), (.pcmFormatInt32, 16_000, 1),
    (.pcmFormatFloat32, 96_000, 1), (.pcmFormatFloat32, 48_000, 4),
  ])
  func formatThatIsRefusedIsNamedBesideOneThatIsNot(
    _ type: AVAudioCommonFormat, _ rate: Int, _ channels: Int
  ) async throws {
    let transcriber = SpeechTranscriber(locale: english, preset: .transcription)
    let analyzer = analyzer(transcriber)
    let buffer = try buffer(type, Double(rate), UInt32(channels), interleaved: false)
    let audio = AnalyzerInput(buffer: buffer)
    let error = await #expect(throws: SFSpeechError.self) {
      _ = try await analyzer.analyzeSequence(AsyncStream { $0.yield(audio) })
    }
    #expect(error?.code == .unexpectedAudioFormat)
    let sentence = error?.localizedDescription ?? ""
    #expect(sentence.contains("\(buffer.format)"))
    #expect(sentence.contains("\(AudioIntake.format)"))
    // The results end with the same error.
    await #expect(throws: SFSpeechError.self) { try await words(transcriber.results) }
  }

  // MARK: The first run without a network fails

  @Test func missingModelIsNamedWithTheWayToInstallIt() async throws {
    let transcriber = SpeechTranscriber(locale: Locale(identifier: "eo"), preset: .transcription)
    let analyzer = SpeechAnalyzer(modules: [transcriber])
    let audio = try input(seconds: 1)
    let error = await #expect(throws: SFSpeechError.self) {
      _ = try await analyzer.analyzeSequence(AsyncStream { $0.yield(audio) })
    }
    #expect(error?.code == .noModel)
    let sentence = error?.localizedDescription ?? ""
    #expect(sentence.contains("the language eo"))
    #expect(sentence.contains("AssetInventory.assetInstallationRequest(supporting:)"))
    #expect(sentence.contains("longhand models"))
  }

  @Test func installationWithoutANetworkNamesTheModelAndCanBeRepeated() async throws {
    let fixture = try AssetFixture()
    try fixture.server.fail([AssetFixture.path: ["cut": [Int](repeating: 0, count: 6)]])
    let error = await #expect(throws: SFSpeechError.self) {
      try await fixture.request()?.downloadAndInstall()
    }
    #expect(error?.code == .noModel)
    #expect(error?.localizedDescription.contains("toy") == true, "\(error?.localizedDescription ?? "")")
    #expect(await fixture.store.status(of: [AssetFixture.german]) == .supported)
    try fixture.server.fail([:])
    try await fixture.request()?.downloadAndInstall()
    #expect(await fixture.store.status(of: [AssetFixture.german]) == .installed)
  }

  // MARK: Final results are repeated during silence

  @Test(.tagged(.recognizer)) func finalResultsNeverOverlapAndSayNothingTwice() async throws {
    let model = TestedModel.embedded
    let transcriber = SpeechTranscriber(locale: english, preset: .timeIndexedProgressiveTranscription)
    let analyzer = SpeechAnalyzer(modules: [transcriber])
    try await analyzer.setContext(model.context)
    let sentence = try Recordings.goForward()
    let samples = sentence + Recordings.silence(8) + sentence + Recordings.silence(8)
    let (inputs, feed) = AsyncStream<AnalyzerInput>.makeStream()
    try await analyzer.start(inputSequence: inputs)
    for start in stride(from: 0, to: samples.count, by: 1600) {
      feed.yield(
        AnalyzerInput(buffer: try Recordings.buffer(Array(samples[start..<min(start + 1600, samples.count)])))
      )
    }
    feed.finish()
    try await analyzer.finalizeAndFinishThroughEndOfInput()
    var end = CMTime.zero
    var said: [String] = []
    for try await result in transcriber.results where result.isFinal {
      #expect(result.range.start >= end)
      end = result.range.end
      said += String(result.text.characters).lowercased().split(separator: " ").map(String.init)
    }
    #expect(said.count { $0.hasPrefix("forward") } == 2, "\(said)")
    #expect(said.count { $0.hasPrefix("meters") } == 2, "\(said)")
  }

  // MARK: Does stop mean to finish or to abandon?

  @Test func finishingKeepsAllWordsAndCancellingOnlyThoseThatAreFinal() async throws {
    for finishes in [true, false] {
      let transcriber = SpeechTranscriber(locale: english, preset: .progressiveTranscription)
      let analyzer = analyzer(transcriber)
      let (inputs, feed) = AsyncStream<AnalyzerInput>.makeStream()
      try await analyzer.start(inputSequence: inputs)
      feed.yield(try input(seconds: 1))
      try await analyzer.finalize(through: CMTime(value: 1, timescale: 1))
      feed.yield(try input(seconds: 0.4))
      feed.finish()
      if finishes {
        try await analyzer.finalizeAndFinishThroughEndOfInput()
      } else {
        // The audio has arrived; its word is not final.
        while await analyzer.volatileRange?.isEmpty != false { await Task.yield() }
        await analyzer.cancelAndFinishNow()
      }
      #expect(try await words(transcriber.results) == (finishes ? 3 : 2))
    }
  }

  // MARK: A second task ends the first

  @Test(.tagged(.recognizer)) func tasksOfOneRecognizerDoNotDisturbEachOther() async throws {
    let recognizer = try #require(SFSpeechRecognizer(locale: english))
    recognizer.queue = OperationQueue()
    recognizer.model = TestedModel.embedded.speechModel
    let sentence = try Recordings.goForward()
    let requests = (0..<3).map { _ in SFSpeechAudioBufferRecognitionRequest() }
    let outcomes = Mutex<[Int: String]>([:])
    let tasks = requests.enumerated().map { number, request in
      recognizer.recognitionTask(with: request) { result, error in
        guard result?.isFinal == true || error != nil else { return }
        outcomes.withLock { $0[number] = error.map { "\($0)" } ?? result?.bestTranscription.formattedString }
      }
    }
    // By turns, so that all of them run at once.
    for start in stride(from: 0, to: sentence.count, by: 1600) {
      for request in requests {
        request.append(try Recordings.buffer(Array(sentence[start..<min(start + 1600, sentence.count)])))
      }
    }
    for request in requests { request.endAudio() }
    #expect(await eventually { outcomes.withLock { $0.count } == requests.count })
    for text in outcomes.withLock({ $0 }).values {
      #expect(text.lowercased().contains("forward"), "\(text)")
    }
    #expect(tasks.allSatisfy { $0.state == .completed && $0.error == nil })
  }

  // MARK: Text before a pause vanishes

  /// For the analyzer, `AnalyzerScheduleTests` covers this. For the older interface: what was said before a pause is in every
  /// later result.
  @Test(.tagged(.recognizer)) func partialResultsKeepTheUtterancesBefore() async throws {
    let recorder = TaskRecorder(.embedded)
    let request = SFSpeechAudioBufferRecognitionRequest()
    _ = try recorder.start(request)
    let sentence = try Recordings.goForward()
    let pause = Recordings.silence(3)
    let samples = sentence + pause + sentence + pause + sentence
    for start in stride(from: 0, to: samples.count, by: 1600) {
      request.append(try Recordings.buffer(Array(samples[start..<min(start + 1600, samples.count)])))
    }
    request.endAudio()
    try #require(recorder.wait())
    let final = try #require(recorder.finals.last?.bestTranscription)
    let starts = [0, 1, 2].map { Double($0 * (sentence.count + pause.count)) / 16_000 }
    func count(_ transcription: SFTranscription, before time: Double) -> Int {
      transcription.segments.count { $0.timestamp < time - 0.5 }
    }
    for result in recorder.results {
      let last = result.bestTranscription.segments.last?.timestamp ?? 0
      for start in starts where last > start {
        #expect(count(result.bestTranscription, before: start) == count(final, before: start))
      }
    }
    #expect(count(final, before: starts[2]) >= 2 * 3)
  }

  // MARK: Loops over results never end

  enum End: CaseIterable {
    case endOfInput, time, withoutWaiting, cancelled, damagedInput, failedInput, released, moduleRemoved
  }

  @Test(arguments: End.allCases) func everyEndEndsTheResults(_ way: End) async throws {
    let transcriber = SpeechTranscriber(locale: english, preset: .progressiveTranscription)
    let reading = Task { try await words(transcriber.results) }
    try await finish(way, transcriber)
    // The time limit of the suite ends a loop that does not end.
    let outcome = await reading.result
    switch way {
    case .endOfInput, .time, .released, .moduleRemoved: #expect(try outcome.get() == 2)
    case .withoutWaiting, .cancelled: #expect(try outcome.get() <= 2)
    case .damagedInput, .failedInput: #expect(throws: (any Error).self) { try outcome.get() }
    }
  }

  private func finish(_ way: End, _ transcriber: SpeechTranscriber) async throws {
    let analyzer = analyzer(transcriber)
    let (inputs, feed) = AsyncThrowingStream<AnalyzerInput, any Error>.makeStream()
    try await analyzer.start(inputSequence: inputs)
    feed.yield(try input(seconds: 1))
    let second = CMTime(value: 1, timescale: 1)
    switch way {
    case .endOfInput:
      feed.finish()
      try await analyzer.finalizeAndFinishThroughEndOfInput()
    case .time: try await analyzer.finalizeAndFinish(through: second)
    case .withoutWaiting: try await analyzer.finish(after: second)
    case .cancelled: await analyzer.cancelAndFinishNow()
    case .damagedInput:
      feed.yield(AnalyzerInput(buffer: try buffer(.pcmFormatFloat64, 16_000, 1, interleaved: false)))
    case .failedInput: feed.finish(throwing: CocoaError(.fileReadUnknown))
    case .released: feed.finish()
    case .moduleRemoved:
      while await analyzer.volatileRange == nil { await Task.yield() }
      try await analyzer.setModules([])
    }
  }
}
