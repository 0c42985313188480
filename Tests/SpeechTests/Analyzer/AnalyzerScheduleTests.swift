import AVFAudio
import CoreMedia
import Foundation
import Testing

@testable import Speech

/// Random schedules of buffers, pauses, finalizations and cancellations against a recognizer that returns a word for every sample.
@Suite struct AnalyzerScheduleTests {
  private struct Outcome {
    var finals: [SpeechTranscriber.Result] = []
    var all: [SpeechTranscriber.Result] = []
    /// The samples of the input.
    var handedIn = IndexSet()
  }

  private func run(seed: UInt64, cancels: Bool) async throws -> Outcome {
    var generator = SeededGenerator(seed: seed)
    let transcriber = SpeechTranscriber(
      locale: Locale(identifier: "en-US"), preset: .timeIndexedProgressiveTranscription)
    let analyzer = SpeechAnalyzer(
      modules: [transcriber], options: nil, context: .init(),
      makeRecognizer: { _, _, emit in FakeRecognizer(seed: seed, emit: emit) })
    let (inputs, feed) = AsyncStream.makeStream(of: AnalyzerInput.self)
    try await analyzer.start(inputSequence: inputs)
    var outcome = Outcome()
    var position = 0
    for _ in 0..<Int.random(in: 1...40, using: &generator) {
      switch Int.random(in: 0..<12, using: &generator) {
      case 0..<8:
        let count = Int.random(in: 1...6000, using: &generator)
        feed.yield(AnalyzerInput(buffer: try Recordings.buffer([Int16](repeating: 5, count: count))))
        outcome.handedIn.insert(integersIn: position..<position + count)
        position += count
      case 8:
        // Longer than a dropout.
        position += Int.random(in: 2000...40_000, using: &generator)
        let start = CMTime(value: Int64(position), timescale: 16_000)
        feed.yield(
          AnalyzerInput(
            buffer: try Recordings.buffer([Int16](repeating: 5, count: 800)), bufferStartTime: start))
        outcome.handedIn.insert(integersIn: position..<position + 800)
        position += 800
      case 9:
        let through = CMTime(value: Int64(Int.random(in: 0...position, using: &generator)), timescale: 16_000)
        try await analyzer.finalize(through: Bool.random(using: &generator) ? nil : through)
      case 10 where cancels:
        await analyzer.cancelAnalysis(
          before: CMTime(value: Int64(Int.random(in: 0...position, using: &generator)), timescale: 16_000))
      default: try await Task.sleep(for: .microseconds(Int.random(in: 0...500, using: &generator)))
      }
    }
    feed.finish()
    try await analyzer.finalizeAndFinishThroughEndOfInput()
    for try await result in transcriber.results { outcome.all.append(result) }
    outcome.finals = outcome.all.filter(\.isFinal)
    return outcome
  }

  @Test func finalResultsCoverTheAudioInOrder() async throws {
    for seed in 0..<60 { try await checkCoverage(seed) }
  }

  private func checkCoverage(_ seed: Int) async throws {
    let outcome = try await run(seed: UInt64(seed), cancels: false)
    var covered = IndexSet()
    for final in outcome.finals {
      for word in String(final.text.characters).split(separator: " ") {
        let bounds = word.split(separator: "-").compactMap { Int($0) }
        #expect(!covered.intersects(integersIn: bounds[0]..<bounds[1]))
        covered.insert(integersIn: bounds[0]..<bounds[1])
      }
    }
    #expect(covered == outcome.handedIn)
    checkOrder(outcome)
  }

  @Test func cancellingKeepsTheOrderOfResults() async throws {
    for seed in 100..<160 { checkOrder(try await run(seed: UInt64(seed), cancels: true)) }
  }

  private func checkOrder(_ outcome: Outcome) {
    for (earlier, later) in zip(outcome.finals, outcome.finals.dropFirst()) {
      #expect(later.range.start == earlier.range.end)
    }
    var finalized = CMTime.zero
    var hasText = false
    for result in outcome.all {
      if result.isFinal {
        #expect(result.range.end >= finalized)
        finalized = result.range.end
      } else {
        #expect(result.range.start >= finalized)
      }
      let text = String(result.text.characters)
      if !text.isEmpty { #expect(text.hasPrefix(" ") == hasText) }
      if result.isFinal, !text.isEmpty { hasText = true }
    }
  }
}
