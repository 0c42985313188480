import Foundation
import RecognitionProtocol
import Testing

@testable import RecognitionCore
@testable import Speech

/// Voices that are much quieter than the one before.
@Suite struct SpeechCutterTests {
  /// A reader, another one who is this much quieter, and the first again, with 1.5 s between them.
  private struct Talk {
    var audio: [Int16] = SpeechSegmenterTests.noise(1)
    /// The samples of the quiet one.
    var quiet = 0..<0

    init(below level: Double) throws {
      // As loud as speech may be.
      let loud = try Sounds.reader("0880").map { Int16(clamping: Int($0) * 3) }
      audio += loud + SpeechSegmenterTests.noise(1.5)
      let gain = 3 * pow(10, -level / 20)
      let partner = try Sounds.reader("0930").map { Int16((Double($0) * gain).rounded()) }
      quiet = audio.count..<audio.count + partner.count
      audio += partner + SpeechSegmenterTests.noise(1.5, seed: 2) + loud + SpeechSegmenterTests.noise(1)
    }
  }

  private func cutter(_ words: WordPolicy = .byLikelihood) throws -> SpeechCutter {
    try #require(VoiceNetwork.installed != nil)
    return SpeechDetection(threshold: SpeechEvidence.threshold).cutter(for: words)
  }

  private func utterances(
    _ audio: [Int16], by size: Int = 1600, _ words: WordPolicy = .byLikelihood
  ) throws -> [UtteranceAudio] {
    var (cutter, assembler) = (try cutter(words), UtteranceAssembler())
    let actions = stride(from: 0, to: audio.count, by: size).flatMap { start in
      cutter.process(Array(audio[start..<min(audio.count, start + size)]))
    }
    return (actions + cutter.finish()).flatMap { assembler.take($0) }
  }

  /// Samples of a range that no utterance has.
  private func missing(_ range: Range<Int>, in utterances: [UtteranceAudio]) -> Int {
    range.count - utterances.reduce(0) { $0 + $1.range.clamped(to: range).count }
  }

  @Test(arguments: [36.0, 40, 46]) func aQuietPartnerIsInUtterances(_ level: Double) throws {
    let talk = try Talk(below: level)
    #expect(missing(talk.quiet, in: try utterances(talk.audio)) < 16_000 * 3 / 4)
    // The level alone does not say that somebody speaks.
    #expect(missing(talk.quiet, in: try utterances(talk.audio, .byConfidence)) > 16_000 * 3 / 4)
  }

  @Test(arguments: [159, 1600, 40_000]) func utterancesAreTheSameForChunksOfAnySize(_ size: Int) throws {
    let talk = try Talk(below: 36)
    let found = try utterances(talk.audio, by: size)
    #expect(found == (try utterances(talk.audio, by: 512)))
    for utterance in found { #expect(utterance.samples == Array(talk.audio[utterance.range])) }
    for (one, next) in zip(found, found.dropFirst()) {
      #expect(one.range.upperBound <= next.range.lowerBound)
    }
  }

  /// Loud speech is cut as it is without the network.
  @Test func breathAndNoiseBeforeSpeechAreNoUtterance() throws {
    let reader = try Sounds.reader().map { Int16(clamping: Int($0) * 3) }
    let audio =
      reader + SpeechSegmenterTests.noise(1.1, level: -59) + reader + Sounds.melody(3).map { $0 / 60 }
    #expect(try utterances(audio).map(\.range) == (try utterances(audio, .byConfidence).map(\.range)))
  }

  @Test func flushEndsAQuietUtterance() throws {
    let talk = try Talk(below: 40)
    var cutter = try cutter()
    let actions = cutter.process(Array(talk.audio[..<(talk.quiet.lowerBound + 24_000)]))
    guard case .audio? = actions.last else {
      Issue.record("no utterance is open")
      return
    }
    guard case .end(let end)? = cutter.flush().last else {
      Issue.record("the utterance is still open")
      return
    }
    #expect(cutter.reached == end)
    #expect(cutter.flush().isEmpty)
  }

  /// After a loud voice, the network takes a quiet one for none.
  @Test(arguments: [34.0, 40, 46]) func aQuietUtteranceIsSpeech(_ level: Double) throws {
    let talk = try Talk(below: level)
    var classifier = VoiceClassifier(network: try #require(VoiceNetwork.installed), threshold: 0.5)
    _ = classifier.nonspeech(in: .init(start: 0, samples: Array(talk.audio[..<talk.quiet.lowerBound])))
    let quiet = UtteranceAudio(start: talk.quiet.lowerBound, samples: Array(talk.audio[talk.quiet]))
    #expect(classifier.nonspeech(in: quiet).reduce(0) { $0 + $1.count } < 16_000 / 2)
  }

  @Test func aQuietUtteranceIsRaisedAndALoudOneStays() throws {
    let loud = UtteranceAudio(start: 160, samples: try Sounds.reader())
    #expect(loud.raised() == nil)
    let quiet = UtteranceAudio(start: 160, samples: loud.samples.map { $0 / 50 })
    let raised = try #require(quiet.raised())
    #expect(raised.range == quiet.range)
    #expect((raised.samples.max() ?? 0) > 5 * (quiet.samples.max() ?? 0))
    #expect(UtteranceAudio(start: 0, samples: []).raised() == nil)
    #expect(UtteranceAudio(start: 0, samples: [0, 0]).raised()?.samples == [0, 0])
  }
}
