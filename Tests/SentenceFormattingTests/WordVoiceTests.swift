import Foundation
import ScriptedSpeech
import TestSupport
import Testing

@testable import SentenceFormatting

/// The voice at the end of a word is measured by its tone.
struct WordVoiceTests {
  /// A second of audio.
  private func audio(_ value: (Double) -> Double) -> [Float] {
    (0..<WordVoice.rate).map { Float(value(Double($0) / Double(WordVoice.rate))) }
  }

  @Test func aToneIsVoiced() throws {
    let tone = audio { 0.1 * sin(2 * .pi * 120 * $0) }
    let voice = try #require(WordVoice(tone[...], from: 0.3, to: 0.8))
    #expect(voice.voicedFrames == 30)
    #expect(!voice.isToneless)
  }

  @Test func noiseIsToneless() throws {
    var generator = SeededGenerator(seed: 5, part: 0)
    let noise = audio { _ in Double.random(in: -0.1...0.1, using: &generator) }
    #expect(try #require(WordVoice(noise[...], from: 0.3, to: 0.8)).isToneless)
  }

  @Test(arguments: [(-0.1, 0.2), (0.5, 0.4), (0.9, 1.5), (Double.nan, 0.5)])
  func wordsOutsideOfTheAudioHaveNoVoice(start: Double, end: Double) {
    #expect(WordVoice(audio { _ in 0 }[...], from: start, to: end) == nil)
  }

  @Test func anEndWithoutToneEndsASentence() {
    func text(ending voice: WordVoice) -> String {
      var formatter = SentenceFormatter(language: "en")
      var outputs: [SentenceFormatter.Output?] = []
      var time = 0.0
      for index in 0..<40 {
        let isEnd = index % 4 == 3
        outputs.append(
          formatter.append(
            .init(
              text: "night", start: time, end: time + 0.3,
              voice: index == 35 ? voice : WordVoice(voicedFrames: 25))))
        time += isEnd ? 0.85 : 0.3
      }
      outputs.append(formatter.finish())
      return outputs.compactMap { $0 }[35].text
    }
    #expect(text(ending: WordVoice(voicedFrames: 25)) == "night,")
    #expect(text(ending: WordVoice(voicedFrames: 0)) == "night.")
  }
}
