import Foundation
import TestSupport
import Testing

@testable import SpeakerDiarization

/// A print distinguishes a voice from others in every recording.
@Suite struct VoicePrintTests {
  private static let voices: [SyntheticVoice] = [.low, .middle, .high]

  private func print(of voice: SyntheticVoice, seconds: Double = 25, seed: UInt64) -> VoicePrint? {
    var random = Numbers(seed)
    var printer = VoicePrinter()
    printer.add([Int16](repeating: 3, count: 8000))
    printer.add(voice.speech(seconds: seconds, random: &random))
    return printer.prints(of: [(0.5...0.5 + seconds, "voice")])["voice"]
  }

  @Test(arguments: 0..<3) func oneVoiceIsKnownAgain(voice: Int) throws {
    let first = try #require(print(of: Self.voices[voice], seed: 1))
    let second = try #require(print(of: Self.voices[voice], seed: 2))
    #expect(first.distance(to: second) < VoiceMargins.embedded.sameVoice)
  }

  @Test(arguments: [(0, 1), (1, 2), (0, 2)]) func otherVoicesDiffer(first: Int, second: Int) throws {
    let one = try #require(print(of: Self.voices[first], seed: 1))
    let other = try #require(print(of: Self.voices[second], seed: 2))
    #expect(one.distance(to: other) > VoiceMargins.embedded.sameVoice)
    #expect(one.distance(to: other) == other.distance(to: one))
  }

  @Test func voiceDoesNotDifferFromItself() throws {
    let voice = try #require(print(of: .middle, seed: 1))
    #expect(voice.distance(to: voice) < 1e-6)
    #expect(voice.distance(to: voice + voice) < 0.01)
  }

  /// How loud a recording is says nothing of the voice.
  @Test func loudnessDoesNotMatter() throws {
    var random = Numbers(5)
    let samples = SyntheticVoice.low.speech(seconds: 20, random: &random)
    let prints = [1, 4].compactMap { divisor -> VoicePrint? in
      var printer = VoicePrinter()
      printer.add([Int16](repeating: 0, count: 8000) + samples.map { $0 / Int16(divisor) })
      return printer.prints(of: [(0.5...20.5, "a")])["a"]
    }
    try #require(prints.count == 2)
    #expect(prints[0].distance(to: prints[1]) < 0.1)
  }

  @Test func pausesAndOtherVoicesAreLeftOut() throws {
    var random = Numbers(3)
    var printer = VoicePrinter()
    printer.add([Int16](repeating: 0, count: 16_000))
    printer.add(SyntheticVoice.low.speech(seconds: 10, random: &random))
    printer.add([Int16](repeating: 0, count: 160_000))
    printer.add(SyntheticVoice.high.speech(seconds: 10, random: &random))
    let prints = printer.prints(of: [(0...25, "a"), (21...31, "b"), (40...50, "nobody")])
    #expect(abs((prints["a"]?.seconds ?? 0) - 10) < 1)
    // Both speak from second 21 to 25.
    #expect(abs((prints["b"]?.seconds ?? 0) - 6) < 1)
    #expect(prints["nobody"] == nil)
  }

  @Test func silenceHasNoPrint() {
    var printer = VoicePrinter()
    printer.add([Int16](repeating: 0, count: 160_000))
    #expect(printer.prints(of: [(0...10, "a")]).isEmpty)
    var empty = VoicePrinter()
    #expect(empty.prints(of: [(0...10, "a")]).isEmpty)
  }

  @Test func impossiblePrintIsLikeNothing() throws {
    let voice = try #require(print(of: .middle, seed: 1))
    #expect(!VoicePrint().isPossible)
    #expect(VoicePrint().distance(to: voice) == .infinity)
    #expect(voice.distance(to: VoicePrint()) == .infinity)
  }
}
