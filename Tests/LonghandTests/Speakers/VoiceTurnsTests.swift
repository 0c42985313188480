import Foundation
import TestSupport
import Testing

@testable import LonghandRecording
@testable import LonghandTranscription
@testable import LonghandTranscripts

/// Voices are separated by their sound, and become labels.
@Suite struct VoiceTurnsTests {
  private struct Audio: AudioSource {
    let samples: [Int16]
    let sampleRate = 16_000
    var duration: TimeInterval { Double(samples.count) / 16_000 }

    func chunks(from frame: Int64) -> AudioChunks {
      AudioChunks {
        var next = Int(frame)
        return {
          guard next < samples.count else { return nil }
          let part = samples[next..<min(samples.count, next + 1600)].map { Float($0) / 32_768 }
          defer { next += part.count }
          return try AudioChunk(part, start: Int64(next), sampleRate: 16_000)
        }
      }
    }
  }

  private let conversation = SyntheticConversation([.low, .high], seconds: 30, seed: 11)

  /// A segment for two turns, with a word in each half second.
  private var segments: [Segment] {
    let turns = conversation.turns
    return stride(from: 0, to: turns.count, by: 2).map { index in
      let pair = turns[index..<min(turns.count, index + 2)]
      let words = pair.flatMap { turn in
        stride(from: turn.range.lowerBound, to: turn.range.upperBound - 0.5, by: 0.5).map {
          Word(text: "voice\(turn.voice)", start: $0, end: $0 + 0.5, confidence: nil)
        }
      }
      return Segment(
        id: index / 2, start: pair.first?.range.lowerBound ?? 0, end: pair.last?.range.upperBound ?? 0,
        candidates: [Candidate(text: words.map(\.text).joined(separator: " "), words: words, confidence: nil)]
      )
    }
  }

  @Test func wordsGetTheirVoiceAndStayTheSame() async throws {
    let voices = try await VoiceTurns(
      of: Audio(samples: conversation.samples), segments, .exactly(2), usesModel: false)
    var speakers = SessionSpeakers()
    voices.add(to: &speakers)
    let (labelled, list) = speakers.label(segments)
    #expect(list.map(\.name) == ["Speaker 1", "Speaker 2"])
    #expect(list.allSatisfy { $0.basis == .voice })
    #expect(labelled.map(\.withoutSpeakers) == segments)
    let words = labelled.flatMap(\.words)
    let first = words.first?.text
    let right = words.count { ($0.speaker == "voice1") == ($0.text == first) && $0.speaker != nil }
    #expect(Double(right) > 0.9 * Double(words.count))
    #expect(labelled.compactMap(\.speaker).allSatisfy { $0.confidence != nil })
  }

  @Test func namesStayWhenVoicesAreSeparatedAgain() async throws {
    let audio = Audio(samples: conversation.samples)
    var speakers = SessionSpeakers()
    try await VoiceTurns(of: audio, segments, .exactly(2), usesModel: false).add(to: &speakers)
    try speakers.rename("Speaker 2", to: "Ben")
    try speakers.assign(segments[0], to: "Carl")
    try await VoiceTurns(of: audio, segments, .exactly(2), usesModel: false).add(to: &speakers)
    let (labelled, list) = speakers.label(segments)
    #expect(Set(list.map(\.name)) == ["Speaker 1", "Ben", "Carl"])
    #expect(labelled[0].speaker?.basis == .person)
  }

  /// The number of voices in it was guessed wrong before.
  @Test func channelWithOneVoiceHasNoTurns() async throws {
    let one = SyntheticConversation([.low], seconds: 30, seed: 12)
    let word = Word(text: "word", start: 2, end: 3, confidence: nil)
    let segment = Segment(
      id: 0, start: 0, end: 30, candidates: [Candidate(text: "word", words: [word], confidence: nil)],
      channel: 0)
    var speakers = SessionSpeakers()
    speakers.addChannels(1)
    speakers.setTurns(
      [SpeakerTurn(start: 0, end: 9, speaker: "x"), SpeakerTurn(start: 9, end: 30, speaker: "y")],
      ofChannel: 0)
    let voices = try await VoiceTurns(
      of: Audio(samples: one.samples), [segment], .exactly(2), usesModel: false)
    voices.add(to: &speakers)
    #expect(speakers.turns.isEmpty)
    #expect(speakers.label([segment]).segments[0].speaker?.speaker == "channel1")
    #expect(voices.warnings(of: Audio(samples: one.samples)).map(\.code).contains(.numberOfVoicesUnused))
  }

  @Test func transcriptWithoutSegmentsHasNoSpeakers() async throws {
    let voices = try await VoiceTurns(of: Audio(samples: conversation.samples), [], .automatic)
    var speakers = SessionSpeakers()
    voices.add(to: &speakers)
    #expect(speakers.isEmpty)
  }

  @Test(arguments: [("auto", VoiceCount.automatic), ("1", .exactly(1)), ("30", .exactly(30))])
  func countIsRead(text: String, count: VoiceCount) {
    #expect(VoiceCount(rawValue: text) == count)
    #expect(count.rawValue == text)
  }

  @Test(arguments: ["", "0", "31", "-1", "two", "2.5"]) func impossibleCountIsRefused(text: String) {
    #expect(VoiceCount(rawValue: text) == nil)
  }
}
