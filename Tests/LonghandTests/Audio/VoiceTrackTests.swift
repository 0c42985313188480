import Foundation
import Longhand
import SentenceFormatting
import Testing

@testable import LonghandRecording
@testable import LonghandTranscription

/// The voice of a word is the same however its audio was read.
struct VoiceTrackTests {
  private static let rate = 16_000
  private static let word = Word(text: "a", start: 3.1, end: 3.6, confidence: nil)

  /// A second of a tone that fades, as chunks of a tenth of a second.
  private func chunk(_ index: Int, rate: Int = VoiceTrackTests.rate) throws -> AudioChunk {
    let length = rate / 10
    let samples = (0..<length).map { frame -> Float in
      let time = Double(index * length + frame) / Double(rate)
      return Float(0.2 * exp(-time.truncatingRemainder(dividingBy: 1)) * sin(2 * .pi * 150 * time))
    }
    return try AudioChunk(samples, start: Int64(index * length), sampleRate: rate)
  }

  private func voice(_ indices: [Int], rate: Int = VoiceTrackTests.rate, forgetting time: TimeInterval = 0)
    throws -> WordVoice?
  {
    var track = VoiceTrack()
    for index in indices { track.append(try chunk(index, rate: rate), rate: rate) }
    track.forget(before: time)
    return track.voice(of: Self.word)
  }

  @Test func valuesAreTheSameAfterASeekAndARepetition() throws {
    let whole = try #require(try voice(Array(0..<50)))
    #expect(whole.voicedFrames == 30)
    #expect(try voice(Array(20..<40)) == whole)
    #expect(try voice(Array(0..<45) + Array(25..<40)) == whole)
    #expect(try voice(Array(0..<50), forgetting: 3) == whole)
  }

  @Test(arguments: [8000, 11_025, 44_100, 48_000])
  func valuesAreNearlyTheSameAtOtherRates(rate: Int) throws {
    let (expected, found) = (
      try #require(try voice(Array(0..<50))), try #require(try voice(Array(0..<50), rate: rate))
    )
    #expect(found.voicedFrames == expected.voicedFrames)
  }

  @Test func audioThatIsForgottenOrMissingHasNone() throws {
    #expect(try voice(Array(0..<50), forgetting: 4) == nil)
    #expect(try voice(Array(0..<30)) == nil)
    #expect(try voice(Array(0..<30) + Array(34..<50)) == nil)
  }

  @Test func lastWordsAndWordsBeforePausesAreMeasured() throws {
    var track = VoiceTrack()
    for index in 0..<50 { track.append(try chunk(index), rate: Self.rate) }
    let words = [(0.5, 0.9), (0.9, 1.2), (1.4, 1.8)].map {
      Word(text: "a", start: $0.0, end: $0.1, confidence: nil)
    }
    let measured = track.measure([Candidate(text: "a a a", words: words, confidence: nil)])
    #expect(measured[0].words.map { $0.voice != nil } == [false, true, true])
    #expect(measured[0].words.map(\.text) == words.map(\.text))
  }

  /// Two seconds of a tone.
  private struct Tone: AudioSource {
    let sampleRate = VoiceTrackTests.rate
    let duration = 2.0

    func chunks(from frame: Int64) -> AudioChunks {
      AudioChunks {
        var isRead = false
        return {
          defer { isRead = true }
          let samples = (0..<2 * sampleRate).map { Float(0.2 * sin(2 * .pi * 150 * Double($0) / 16_000)) }
          return isRead ? nil : try AudioChunk(samples, start: 0, sampleRate: sampleRate)
        }
      }
    }
  }

  @Test func stageMeasuresTheAudioThatTheEngineHasRead() async throws {
    var stage = VoiceStage()
    let audio = stage.begin(Tone())
    let words = [Word(text: "a", start: 1, end: 1.5, confidence: nil)]
    let result = FinalResult(
      start: 1, end: 1.5, candidates: [Candidate(text: "a", words: words, confidence: nil)],
      selection: .recognizer)
    #expect(stage.take(result).candidates[0].words[0].voice == nil)
    for try await _ in audio.chunks(from: 0) {}
    #expect(stage.take(result).candidates[0].words[0].voice != nil)
    stage.forget(before: 2)
    #expect(stage.take(result).candidates[0].words[0].voice == nil)
  }
}
