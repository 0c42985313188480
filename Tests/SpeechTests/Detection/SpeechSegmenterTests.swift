@testable import RecognitionCore
import Foundation
import TestSupport
import Testing

@testable import Speech

@Suite struct SpeechSegmenterTests {
  /// A buzz like a voice's, at 200 Hz.
  static func voice(_ seconds: Double, level: Double = -20) -> [Int16] {
    let amplitude = pow(10, level / 20) * 32_768
    return (0..<Int(seconds * 16_000)).map { Int16(amplitude * sin(2 * .pi * 200 * Double($0) / 16_000)) }
  }

  static func noise(_ seconds: Double, level: Double = -70, seed: UInt64 = 1) -> [Int16] {
    var generator = SeededGenerator(seed: seed)
    let amplitude = pow(10, level / 20) * 32_768 * 3.0.squareRoot()
    return (0..<Int(seconds * 16_000)).map { _ in
      Int16(Double.random(in: -amplitude...amplitude, using: &generator))
    }
  }

  /// The utterances that come of audio given in buffers of these sizes, over and over.
  static func utterances(
    _ audio: [Int16], buffers: [Int] = [1600], _ configuration: SpeechSegmenter.Configuration = .init()
  ) -> [UtteranceAudio] {
    var segmenter = SpeechSegmenter(configuration: configuration)
    var assembler = UtteranceAssembler()
    var utterances: [UtteranceAudio] = []
    var start = 0
    var turn = 0
    while start < audio.count {
      let end = min(audio.count, start + buffers[turn % buffers.count])
      utterances += segmenter.process(Array(audio[start..<end])).flatMap { assembler.take($0) }
      start = end
      turn += 1
    }
    return utterances + segmenter.finish().flatMap { assembler.take($0) }
  }

  @Test func silenceHoldsNoUtterance() {
    #expect(Self.utterances([Int16](repeating: 0, count: 160_000)).map(\.range) == [])
    #expect(Self.utterances(Self.noise(10)).map(\.range) == [])
    #expect(Self.utterances([]).map(\.range) == [])
  }

  @Test func speechBetweenPausesIsAnUtterance() throws {
    let audio = Self.noise(2) + Self.voice(2) + Self.noise(2) + Self.voice(1) + Self.noise(2)
    let utterances = Self.utterances(audio)
    try #require(utterances.count == 2)
    // Everything loud is within the utterances, and not much else.
    #expect(utterances[0].range.lowerBound <= 2 * 16_000)
    #expect(utterances[0].range.lowerBound >= 16_000 * 3 / 2)
    #expect(utterances[0].range.upperBound >= 4 * 16_000)
    #expect(utterances[0].range.upperBound <= 5 * 16_000)
    #expect(utterances[1].range.lowerBound <= 6 * 16_000)
    #expect(utterances[1].range.upperBound >= 7 * 16_000)
  }

  @Test func aShortPauseDoesNotCut() {
    let audio = Self.noise(2) + Self.voice(1) + Self.noise(0.2) + Self.voice(1) + Self.noise(2)
    #expect(Self.utterances(audio).count == 1)
  }

  /// What follows the last audio of an utterance is known to be quiet before the pause is long enough to end it.
  @Test func aPauseIsNoticedBeforeItEndsTheUtterance() throws {
    var segmenter = SpeechSegmenter()
    var actions = segmenter.process(Self.noise(2) + Self.voice(1))
    #expect(!actions.contains(.pause))
    // It is over before it ends the utterance.
    actions = segmenter.process(Self.noise(0.2))
    #expect(actions.last == .pause)
    actions = segmenter.process(Self.voice(1))
    #expect(!actions.contains(.pause) && !actions.contains { if case .end = $0 { true } else { false } })
    // It ends the utterance, which has no more audio then.
    actions = segmenter.process(Self.noise(0.2))
    #expect(actions.last == .pause)
    actions = segmenter.process(Self.noise(0.2))
    #expect(actions.count == 1)
    guard case .end = try #require(actions.first) else {
      Issue.record("\(actions)")
      return
    }
  }

  @Test func utteranceHasTheAudioOfItsRange() {
    let audio = Self.noise(1) + Self.voice(1.5) + Self.noise(1.2) + Self.voice(25) + Self.noise(0.1)
    for utterance in Self.utterances(audio) { #expect(utterance.samples == Array(audio[utterance.range])) }
  }

  @Test func speechToTheVeryEndsIsKept() throws {
    let audio = Self.voice(1.005)
    let utterance = try #require(Self.utterances(audio).first)
    #expect(utterance.range == 0..<audio.count)
  }

  @Test func aClickBeginsNoUtterance() {
    var audio = Self.noise(4)
    for index in 30_000..<30_100 { audio[index] = 20_000 }
    #expect(Self.utterances(audio).map(\.range) == [])
  }

  @Test func quietSpeechOverQuietNoiseIsDetected() {
    let audio = Self.noise(2, level: -75) + Self.voice(1, level: -45) + Self.noise(2, level: -75)
    #expect(Self.utterances(audio).count == 1)
  }

  @Test func steadyNoiseBecomesTheFloor() {
    // A fan that is switched on is taken for speech at first, and for silence in the end.
    let audio = Self.noise(3, level: -70) + Self.noise(30, level: -35)
    let spoken = Self.utterances(audio).reduce(0) { $0 + $1.samples.count }
    #expect(Double(spoken) / 16_000 < 16)
  }

  @Test func humIsNotSpeech() {
    let hum = (0..<160_000).map { Int16(2000 * sin(2 * .pi * 50 * Double($0) / 16_000)) }
    #expect(Self.utterances(hum).reduce(0) { $0 + $1.samples.count } < 16_000)
  }

  @Test(arguments: 1...UInt64(isSoak ? 1000 : 20)) func howTheAudioIsHandedInMakesNoDifference(
    _ seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    var audio: [Int16] = []
    for _ in 0..<6 {
      audio += Self.noise(Double.random(in: 0...2, using: &generator), seed: seed)
      audio += Self.voice(Double.random(in: 0...3, using: &generator))
    }
    let sizes = (0..<7).map { _ in Int.random(in: 1...5000, using: &generator) }
    let utterances = Self.utterances(audio, buffers: sizes)
    #expect(utterances == Self.utterances(audio, buffers: [audio.count]))
    #expect(zip(utterances, utterances.dropFirst()).allSatisfy { $0.range.upperBound <= $1.range.lowerBound })
  }

  @Test func endlessSpeechIsSplitAtItsQuietestPlace() throws {
    var audio = Self.voice(45)
    for index in 15 * 16_000..<15 * 16_000 + 3200 { audio[index] /= 8 }
    let utterances = Self.utterances(audio)
    #expect(utterances.count >= 3)
    #expect(utterances.allSatisfy { $0.samples.count <= UtteranceAssembler.maxLength })
    #expect(utterances.reduce([]) { $0 + $1.samples } == audio)
    #expect(abs(utterances[0].range.upperBound - (15 * 16_000 + 1600)) <= 1600)
  }

  @Test func aStreamIsSplitWithoutLosingOrRepeatingASample() {
    var splitter = StreamSplitter()
    var segmenter = SpeechSegmenter()
    var out: [Int16] = []
    var lengths: [Int] = [0]
    let audio = Self.voice(61)
    let actions = segmenter.process(audio) + segmenter.finish()
    for action in actions.flatMap({ splitter.take($0) }) {
      switch action {
      case .begin(let start):
        #expect(start == out.count)
        lengths.append(0)
      case .audio(let samples):
        out += samples
        lengths[lengths.count - 1] += samples.count
      case .pause: break
      case .end(let end): #expect(end == out.count)
      }
    }
    #expect(out == audio)
    #expect(lengths.allSatisfy { $0 <= UtteranceAssembler.maxLength + 8000 })
  }
}
