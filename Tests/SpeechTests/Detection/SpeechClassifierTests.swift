@testable import RecognitionCore
import Foundation
import RecognitionProtocol
import Testing

@testable import Speech

@Suite struct SpeechClassifierTests {
  /// The share of the sound between pauses that is no speech.
  private func nonspeechShare(_ audio: [Int16], margin: Double = 0) -> Double {
    var classifier = SpeechClassifier(threshold: SpeechEvidence.threshold + margin)
    let utterances = SpeechSegmenterTests.utterances(audio)
    let nonspeech = utterances.flatMap { classifier.nonspeech(in: $0) }
    let sound = utterances.reduce(0) { $0 + $1.samples.count }
    return Double(nonspeech.reduce(0) { $0 + $1.count }) / Double(max(1, sound))
  }

  @Test(arguments: ["0870", "0880", "0890", "0920", "0930"])
  func aReaderIsSpeech(_ number: String) throws {
    #expect(nonspeechShare(try Sounds.reader(number)) == 0)
  }

  @Test func soIsAnOrderOfTwoSeconds() throws {
    #expect(nonspeechShare(try Recordings.goForward()) == 0)
  }

  @Test func musicAndNoiseAreNot() {
    #expect(nonspeechShare(Sounds.melody(20)) > 0.9)
    #expect(nonspeechShare(Sounds.hiss(10)) > 0.9)
    #expect(nonspeechShare(SpeechSegmenterTests.voice(5)) == 1)
  }

  /// 5 dB above hiss, which itself is still no speech by what Whisper needs where there is no network for voices.
  @Test func speechInNoiseIsSpeechWhereWordsNeedLittleEvidence() throws {
    let reader = try Sounds.reader()
    let hiss = SpeechSegmenterTests.noise(Double(reader.count) / 16_000, level: -25, seed: 3)
    func power(_ samples: [Int16]) -> Double {
      samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count)
    }
    let gain = (power(reader) / power(hiss) / 3.16).squareRoot()
    let noisy = zip(reader, hiss).map { Int16(clamping: Int(Double($0) / 2 + Double($1) * gain / 2)) }
    let margin = WordPolicy.byLikelihood.speechMargin
    #expect(nonspeechShare(noisy, margin: margin) < 0.1)
    #expect(nonspeechShare(noisy, margin: WordPolicy.bySound.speechMargin) > 0.5)
    #expect(nonspeechShare(Sounds.hiss(10), margin: margin) > 0.9)
  }

  /// Other recognizers look for missing words where speech is clear.
  @Test func noiseThatMayBeSpeechMissesNoWords() throws {
    let voice = try Sounds.reader()
    for (samples, isMissing) in [(voice, true), (Sounds.hiss(5), false), (Sounds.melody(5), false)] {
      let audio = UtteranceAudio(start: 0, samples: samples)
      var classifier = try #require(SpeechDetection(threshold: 0).classifier(for: .byLikelihood))
      let utterance = RecognizedUtterance(
        audio: audio, candidates: [], nonspeech: classifier.nonspeech(in: audio))
      #expect(utterance.isWithoutWords == isMissing)
    }
  }

  @Test func howLoudItIsMakesNoDifference() throws {
    let quiet = try Sounds.reader().map { $0 / 8 }
    #expect(nonspeechShare(quiet) == 0)
    #expect(nonspeechShare(Sounds.melody(10).map { $0 / 4 }) > 0.9)
  }

  @Test func blocksTileAnUtteranceInChunksOfAnySize() throws {
    let audio = try Sounds.reader()
    func blocks(by size: Int) -> [SpeechClassifier.Block] {
      var classifier = SpeechClassifier(threshold: SpeechEvidence.threshold)
      classifier.begin(at: 4000)
      let blocks = stride(from: 0, to: audio.count, by: size).flatMap { start in
        classifier.take(Array(audio[start..<min(start + size, audio.count)]))
      }
      return blocks + classifier.finish()
    }
    let whole = blocks(by: audio.count)
    #expect(whole.first?.range.lowerBound == 4000)
    #expect(whole.last?.range.upperBound == 4000 + audio.count)
    for (earlier, later) in zip(whole, whole.dropFirst()) {
      #expect(earlier.range.upperBound == later.range.lowerBound)
    }
    for size in [160, 1000, 16_000] { #expect(blocks(by: size) == whole) }
  }

  @Test func emptyUtteranceIsClassified() {
    var classifier = SpeechClassifier(threshold: SpeechEvidence.threshold)
    for count in [0, 1, 160, 641] {
      let utterance = UtteranceAudio(start: 0, samples: [Int16](repeating: 0, count: count))
      #expect(classifier.nonspeech(in: utterance).map(\.count) == (count == 0 ? [] : [count]))
    }
  }

  /// The figures of single frames, of sounds whose figures are known.
  @Test func framesMeasurePitchAndPeriodicity() throws {
    func frames(_ samples: [Int16]) -> [SpeechFrame] {
      var analyzer = SpeechFrameAnalyzer(at: 320)
      return analyzer.take(samples) + analyzer.finish()
    }
    let tone = frames(Sounds.melody(0.4))
    #expect(tone.map(\.position) == (1...20).map { $0 * 320 })
    let middle = tone[10]
    #expect(abs(middle.pitch - 12 * log2(262)) < 0.1)
    #expect(middle.harmonicity > 0.95)
    let noise = frames(SpeechSegmenterTests.noise(0.4, level: -25))
    #expect(noise.allSatisfy { $0.harmonicity < 0.6 })
    #expect(frames([Int16](repeating: 0, count: 6400)).allSatisfy { $0.harmonicity < 0.01 && $0.level < -50 })
  }
}
