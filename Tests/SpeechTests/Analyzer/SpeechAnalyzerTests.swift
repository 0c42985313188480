import AVFAudio
import CoreMedia
import Foundation
import TestSupport
import Testing

@testable import Speech

/// The behavior that clients rely on, with the real service.
@Suite(.tagged(.recognizer), .serialized) struct SpeechAnalyzerTests {
  private let english = Locale(identifier: "en-US")

  private func inputs(_ samples: [Int16], by size: Int = 8000) throws -> [AnalyzerInput] {
    try stride(from: 0, to: samples.count, by: size).map { start in
      AnalyzerInput(buffer: try Recordings.buffer(Array(samples[start..<min(start + size, samples.count)])))
    }
  }

  private func stream(_ samples: [Int16]) throws -> AsyncStream<AnalyzerInput> {
    let all = try inputs(samples)
    return AsyncStream { continuation in
      for input in all { continuation.yield(input) }
      continuation.finish()
    }
  }

  private func text(_ results: [SpeechTranscriber.Result]) -> String {
    results.filter(\.isFinal).map { String($0.text.characters) }.joined()
  }

  private func collect(_ transcriber: SpeechTranscriber) async throws -> [SpeechTranscriber.Result] {
    var results: [SpeechTranscriber.Result] = []
    for try await result in transcriber.results { results.append(result) }
    return results
  }

  @Test func resultsWaitForTheirReaderAndTheFileIsReadToTheEnd() async throws {
    let file = try AVAudioFile(forReading: Recordings.librivox("0870"))
    let transcriber = SpeechTranscriber(
      locale: english, preset: .timeIndexedTranscriptionWithAlternatives)
    _ = try await SpeechAnalyzer(inputAudioFile: file, modules: [transcriber], finishAfterFile: true)
    try await Task.sleep(for: .seconds(1))
    let results = try await collect(transcriber)
    #expect(!results.isEmpty)
    #expect(results.allSatisfy { $0.isFinal })
    #expect(Recordings.missing(Recordings.text0870, in: text(results)) < 0.4)
    #expect(results.allSatisfy { $0.text == $0.alternatives.first })
    #expect(try #require(results.first).text.runs.allSatisfy { $0.audioTimeRange != nil })
  }

  @Test func nextInputContinuesTheTimeline() async throws {
    let transcriber = SpeechTranscriber(locale: english, preset: .transcription)
    let analyzer = SpeechAnalyzer(modules: [transcriber])
    let samples = try Recordings.goForward() + Recordings.silence(0.5)
    let first = try await analyzer.analyzeSequence(stream(samples))
    #expect(first == CMTime(value: Int64(samples.count), timescale: 16_000))
    try await analyzer.finalize(through: nil)
    let volatile = await analyzer.volatileRange
    #expect(try #require(volatile).isEmpty)
    let second = try await analyzer.analyzeSequence(stream(samples))
    #expect(second == CMTime(value: Int64(2 * samples.count), timescale: 16_000))
    try await analyzer.finalizeAndFinish(through: try #require(second))
    let results = try await collect(transcriber)
    #expect(text(results) == "\(Recordings.textGoForward) \(Recordings.textGoForward)")
    #expect(results.dropFirst().allSatisfy { String($0.text.characters).hasPrefix(" ") })
    // A finished analyzer reads nothing.
    #expect(try await analyzer.analyzeSequence(stream(samples)) == nil)
    try await analyzer.finalize(through: nil)
  }

  @Test func volatileResultsPrecedeFinalsWithTimesAndWithoutConfidence() async throws {
    let transcriber = SpeechTranscriber(
      locale: english, transcriptionOptions: [], reportingOptions: [.volatileResults],
      attributeOptions: [.audioTimeRange, .transcriptionConfidence])
    let analyzer = SpeechAnalyzer(modules: [transcriber, SpeechDetector()])
    try await analyzer.start(
      inputSequence: stream(Recordings.samples(Recordings.librivox("0870")) + Recordings.silence(1)))
    try await analyzer.finalizeAndFinishThroughEndOfInput()
    let results = try await collect(transcriber)
    let drafts = results.filter { !$0.isFinal }
    // How many depends on the time that a busy machine has for them.
    #expect(!drafts.isEmpty)
    #expect(drafts.allSatisfy { $0.text.runs.allSatisfy { $0.transcriptionConfidence == nil } })
    #expect(drafts.allSatisfy { $0.text.runs.allSatisfy { $0.audioTimeRange != nil } })
    let finals = results.filter(\.isFinal)
    #expect(finals.allSatisfy { $0.text.runs.allSatisfy { $0.transcriptionConfidence != nil } })
    #expect(Recordings.missing(Recordings.text0870, in: text(results)) < 0.45)
    // Clients merge results by their times.
    var merged = AttributedString()
    for result in results {
      if let range = merged.rangeOfAudioTimeRangeAttributes(intersecting: result.range) {
        merged.replaceSubrange(range, with: result.text)
      } else {
        merged.append(result.text)
      }
    }
    #expect(String(merged.characters) == text(results))
  }

  @Test func earlierStartTimeEndsTheSession() async throws {
    let transcriber = SpeechTranscriber(locale: english, preset: .timeIndexedTranscriptionWithAlternatives)
    let analyzer = SpeechAnalyzer(modules: [transcriber])
    let buffer = try Recordings.buffer(Recordings.goForward())
    let (inputs, feed) = AsyncStream.makeStream(of: AnalyzerInput.self)
    feed.yield(AnalyzerInput(buffer: buffer, bufferStartTime: CMTime(value: 100, timescale: 1)))
    try await analyzer.start(inputSequence: inputs)
    try await analyzer.finalize(through: CMTime(value: 101, timescale: 1))
    feed.yield(AnalyzerInput(buffer: buffer, bufferStartTime: CMTime(value: 1, timescale: 1)))
    await #expect {
      try await analyzer.finalize(through: CMTime(value: 300, timescale: 1))
    } throws: { SFSpeechError.audioDisordered ~= $0 }
    var results: [SpeechTranscriber.Result] = []
    await #expect {
      for try await result in transcriber.results { results.append(result) }
    } throws: { SFSpeechError.audioDisordered ~= $0 }
    #expect(results.first?.range.start == CMTime(value: 100, timescale: 1))
    let word = try #require(results.first?.text.runs.first?.audioTimeRange)
    #expect(word.start.seconds > 100)
    #expect(word.end.seconds < 103)
  }

  @Test func unsupportedFormatIsRefused() async throws {
    let transcriber = SpeechTranscriber(locale: english, preset: .transcription)
    let best = await SpeechAnalyzer.bestAvailableAudioFormat(compatibleWith: [transcriber, SpeechDetector()])
    #expect(best == AudioIntake.format)
    let natural = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1)
    let considered = await SpeechAnalyzer.bestAvailableAudioFormat(
      compatibleWith: [transcriber], considering: natural)
    #expect(considered == natural)
    #expect(await SpeechAnalyzer.bestAvailableAudioFormat(compatibleWith: []) == nil)
    let high = try #require(AVAudioFormat(standardFormatWithSampleRate: 96_000, channels: 1))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: high, frameCapacity: 960))
    buffer.frameLength = 960
    let analyzer = SpeechAnalyzer(modules: [transcriber])
    let input = AnalyzerInput(buffer: buffer)
    await #expect {
      _ = try await analyzer.analyzeSequence(AsyncStream { $0.yield(input) })
    } throws: { SFSpeechError.unexpectedAudioFormat ~= $0 }
  }

  @Test func cancelledAnalyzeSequenceReturnsTheEndOfTheAudio() async throws {
    let transcriber = SpeechTranscriber(locale: english, preset: .transcription)
    let analyzer = SpeechAnalyzer(modules: [transcriber])
    let (inputs, feed) = AsyncStream.makeStream(of: AnalyzerInput.self)
    feed.yield(AnalyzerInput(buffer: try Recordings.buffer(Recordings.goForward())))
    let reading = Task { try await analyzer.analyzeSequence(inputs) }
    while await analyzer.volatileRange == nil { try await Task.sleep(for: .milliseconds(5)) }
    reading.cancel()
    let end = try #require(try await reading.value)
    try await analyzer.finalizeAndFinish(through: end)
    #expect(text(try await collect(transcriber)) == Recordings.textGoForward)
  }

  @Test func finishingBeforeAnyInputEndsTheResults() async throws {
    let transcriber = SpeechTranscriber(locale: english, preset: .transcription)
    let analyzer = SpeechAnalyzer(modules: [transcriber])
    #expect(await analyzer.volatileRange == nil)
    await analyzer.cancelAndFinishNow()
    #expect(try await collect(transcriber).isEmpty)
    try await analyzer.start(inputSequence: stream(Recordings.goForward()))
    try await analyzer.finalizeAndFinishThroughEndOfInput()
  }

  @Test func newModuleReceivesOnlyNewAudioAndBelongsToOneAnalyzer() async throws {
    let first = SpeechTranscriber(locale: english, preset: .transcription)
    let second = SpeechTranscriber(locale: english, preset: .transcription)
    let analyzer = SpeechAnalyzer(modules: [first])
    let samples = try Recordings.goForward() + Recordings.silence(0.5)
    let end = try #require(try await analyzer.analyzeSequence(stream(samples)))
    try await analyzer.setModules([second])
    #expect(await analyzer.modules.count == 1)
    #expect(text(try await collect(first)) == Recordings.textGoForward)
    _ = try await analyzer.analyzeSequence(stream(samples))
    try await analyzer.finalizeAndFinishThroughEndOfInput()
    let results = try await collect(second)
    #expect(text(results) == Recordings.textGoForward)
    #expect(results.first?.range.start == end)
    let stranger = SpeechAnalyzer(modules: [second])
    await #expect {
      try await stranger.start(inputSequence: stream(samples))
    } throws: { SFSpeechError.moduleOutputFailed ~= $0 }
  }

  @Test func preparingReportsProgressAndHandlerReceivesVolatileRange() async throws {
    let transcriber = DictationTranscriber(locale: english, preset: .longDictation)
    let analyzer = SpeechAnalyzer(modules: [transcriber])
    let context = AnalysisContext()
    context.contextualStrings[.general] = ["go forward ten meters"]
    try await analyzer.setContext(context)
    let progress = Log<Progress>()
    try await analyzer.prepareToAnalyze(in: AudioIntake.format) { progress.add($0) }
    #expect(progress.entries.map(\.isFinished) == [true])
    let log = Log<(Bool, Bool)>()
    await analyzer.setVolatileRangeChangedHandler { _, start, end in log.add((start, end)) }
    _ = try await analyzer.analyzeSequence(stream(Recordings.goForward() + Recordings.silence(1)))
    try await analyzer.finalizeAndFinishThroughEndOfInput()
    let changes = log.entries
    #expect(changes.contains { $0.0 })
    #expect(changes.contains { $0.1 })
    var written = ""
    for try await result in transcriber.results { written += String(result.text.characters) }
    #expect(written == Recordings.textGoForward)
  }

  @Test func missingModelIsReportedByItsCode() async throws {
    let configuration = SFSpeechLanguageModel.Configuration(languageModel: URL(fileURLWithPath: "/none"))
    let hint = DictationTranscriber.ContentHint.customizedLanguage(modelConfiguration: configuration)
    let custom = DictationTranscriber(
      locale: english, contentHints: [hint], transcriptionOptions: [], reportingOptions: [],
      attributeOptions: [])
    let klingon = SpeechTranscriber(locale: Locale(identifier: "tlh"), preset: .transcription)
    for (module, code) in [(custom, .malformedSupplementalModel), (klingon, .noModel)]
      as [(any SpeechModule, SFSpeechError.Code)]
    {
      let analyzer = SpeechAnalyzer(modules: [module])
      await #expect { try await analyzer.prepareToAnalyze(in: nil) } throws: { code ~= $0 }
    }
  }
}

/// The values that a handler received.
///
/// `@unchecked Sendable`: `lock` guards `values`, which need not be `Sendable`.
private final class Log<Entry>: @unchecked Sendable {
  private let lock = NSLock()
  private var values: [Entry] = []

  var entries: [Entry] { lock.withLock { values } }
  func add(_ entry: Entry) { lock.withLock { values.append(entry) } }
}
