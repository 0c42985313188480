import AVFAudio
import CoreMedia
import Foundation
import Testing

@testable import Speech

/// Random schedules of buffers, pauses, finalizations and cancellations against a recognizer that hears every sample.
@Suite struct AnalyzerScheduleTests {
  private struct Outcome {
    var finals: [SpeechTranscriber.Result] = []
    var all: [SpeechTranscriber.Result] = []
    /// The samples that were handed in.
    var handedIn = IndexSet()
    var hasCancelled = false
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
    var place = 0
    for _ in 0..<Int.random(in: 1...40, using: &generator) {
      switch Int.random(in: 0..<12, using: &generator) {
      case 0..<8:
        let count = Int.random(in: 1...6000, using: &generator)
        feed.yield(AnalyzerInput(buffer: try Recordings.buffer([Int16](repeating: 5, count: count))))
        outcome.handedIn.insert(integersIn: place..<place + count)
        place += count
      case 8:
        // Further than a dropout.
        place += Int.random(in: 2000...40_000, using: &generator)
        let start = CMTime(value: Int64(place), timescale: 16_000)
        feed.yield(
          AnalyzerInput(
            buffer: try Recordings.buffer([Int16](repeating: 5, count: 800)), bufferStartTime: start))
        outcome.handedIn.insert(integersIn: place..<place + 800)
        place += 800
      case 9:
        let through = CMTime(value: Int64(Int.random(in: 0...place, using: &generator)), timescale: 16_000)
        try await analyzer.finalize(through: Bool.random(using: &generator) ? nil : through)
      case 10 where cancels:
        outcome.hasCancelled = true
        await analyzer.cancelAnalysis(
          before: CMTime(value: Int64(Int.random(in: 0...place, using: &generator)), timescale: 16_000))
      default: try await Task.sleep(for: .microseconds(Int.random(in: 0...500, using: &generator)))
      }
    }
    feed.finish()
    try await analyzer.finalizeAndFinishThroughEndOfInput()
    for try await result in transcriber.results { outcome.all.append(result) }
    outcome.finals = outcome.all.filter(\.isFinal)
    return outcome
  }

  @Test("Finals tile the audio in order, none is revised and no audio is lost")
  func nothingIsLost() async throws {
    for seed in 0..<60 { try await checkNothingIsLost(seed) }
  }

  private func checkNothingIsLost(_ seed: Int) async throws {
    let outcome = try await run(seed: UInt64(seed), cancels: false)
    var heard = IndexSet()
    for final in outcome.finals {
      for word in String(final.text.characters).split(separator: " ") {
        let bounds = word.split(separator: "-").compactMap { Int($0) }
        #expect(!heard.intersects(integersIn: bounds[0]..<bounds[1]))
        heard.insert(integersIn: bounds[0]..<bounds[1])
      }
    }
    #expect(heard == outcome.handedIn)
    checkOrder(outcome)
  }

  @Test("Cancelling leaves the order of results as it is")
  func cancellation() async throws {
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
