import Foundation
import Longhand
import TestSupport
import Testing

@testable import LonghandRecording
@testable import LonghandTranscription

/// A sentence that the recognizer reports twice, and one that was said twice.
@Suite struct RepetitionStageTests {
  private static let rate = 16_000

  /// Sounds that change ten times a second, as those of speech do; the seed is what is said.
  private static func speech(_ seed: UInt64, seconds: Double, pace: Double = 1) -> [Float] {
    var random = SeededGenerator(seed: seed)
    let tones = (0..<60).map { _ in
      (0..<3).map { _ in
        (Double.random(in: 150...3500, using: &random), Double.random(in: 0.02...0.2, using: &random))
      }
    }
    return (0..<Int(seconds * Double(rate))).map { frame in
      let time = Double(frame) / Double(rate)
      let sound = tones[min(tones.count - 1, Int(time * pace * 10))]
      return Float(sound.reduce(0) { $0 + $1.1 * sin(2 * .pi * $1.0 * time) })
    }
  }

  private struct Audio: AudioSource {
    let samples: [Float]
    var sampleRate: Int { RepetitionStageTests.rate }
    var duration: TimeInterval { Double(samples.count) / Double(sampleRate) }

    func chunks(from frame: Int64) -> AudioChunks {
      AudioChunks {
        var isRead = false
        return {
          defer { isRead = true }
          return isRead ? nil : try AudioChunk(samples, start: 0, sampleRate: sampleRate)
        }
      }
    }
  }

  enum Second: CaseIterable {
    case same, slower, other, silence, noise

    func audio(_ seconds: Double) -> [Float] {
      switch self {
      case .same: RepetitionStageTests.speech(1, seconds: seconds)
      case .slower: RepetitionStageTests.speech(1, seconds: seconds * 1.15, pace: 1 / 1.15)
      case .other: RepetitionStageTests.speech(2, seconds: seconds)
      case .silence: Array(repeating: 0, count: Int(seconds * 16_000))
      case .noise:
        (0..<Int(seconds * 16_000)).map { Float(sin(Double($0 * $0 % 7919) * 0.7)) * 0.05 }
      }
    }
  }

  /// The texts with their times, the audio after the first three seconds, and the texts that are committed.
  @Test(
    arguments: [
      ([("we play the bishop", 0, 3), ("we play the bishop", 3.1, 6.1)], .silence, 1),
      ([("We play the bishop.", 0, 3), ("we play the bishop", 3.1, 6.1)], .noise, 1),
      ([("we play the bishop", 0, 3), ("we play the bishop", 3.1, 6.1)], .other, 1),
      // A fifth of it is the end of the first.
      ([("we play the bishop", 0, 3), ("we play the bishop", 2.4, 5.4)], .silence, 1),
      (
        [("we play the bishop", 0, 3), ("we play the bishop", 3.1, 5.1), ("we play the bishop", 5.2, 6.1)],
        .silence, 1
      ),
      // Said twice.
      ([("we play the bishop", 0, 3), ("we play the bishop", 3, 6)], .same, 2),
      ([("we play the bishop", 0, 3), ("we play the bishop", 3, 6.4)], .slower, 2),
      // Too short, other words, too late.
      ([("the bishop takes", 0, 3), ("the bishop takes", 3.1, 6.1)], .silence, 2),
      ([("we play the bishop", 0, 3), ("we play the knight", 3.1, 6.1)], .silence, 2),
      ([("we play the bishop", 0, 3), ("we play the bishop", 3.6, 6.1)], .silence, 2),
    ] as [([(String, Double, Double)], Second, Int)])
  func sentenceIsCommittedAsOftenAsItWasSaid(
    _ finals: [(String, Double, Double)], _ second: Second, _ count: Int
  ) async throws {
    let engine = ScriptedEngine { _ in
      [.read] + finals.map { .emit(ScriptedEngine.final($0.0, $0.1, $0.2)) }
    }
    let audio = Audio(samples: Self.speech(1, seconds: 3) + second.audio(3.5))
    let (segments, _, _) = try await EnginePipeline(engine, [RepetitionStage()]).transcribe(audio) { _ in }
    #expect(segments.count == count)
    #expect(segments.first?.text == finals.first?.0)
  }
}
