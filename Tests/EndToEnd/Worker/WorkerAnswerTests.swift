import Foundation
import Longhand
import Testing

@testable import LonghandCommand

/// What a worker writes comes back when its lines are imported.
@Suite struct WorkerAnswerTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// A transcript in which two voices speak two words each.
  /// - Parameter channels: the channels of the segments, which begin at once; the voices are in the first.
  private func transcript(_ locale: String, _ text: String, _ channels: [Int?]) -> Transcript {
    let segments = channels.enumerated().map { id, channel in
      let words = text.split(separator: " ").enumerated().map { index, text in
        Word(
          text: String(text), start: 0.5 * Double(index), end: 0.5 * Double(index + 1), confidence: 0.75)
      }
      return Segment(
        id: id, start: 0, end: 2, candidates: [Candidate(text: text, words: words, confidence: 0.75)],
        channel: channel)
    }
    var transcript = Transcript(
      source: "a.wav", locale: locale, engine: "analyzer", duration: 2, segments: segments,
      spans: [CoverageSpan(start: 0, end: 2, kind: .transcribed)])
    var speakers = SessionSpeakers()
    if channels != [nil] { speakers.addChannels(channels.count, names: ["Anna"]) }
    speakers.setTurns(
      [
        SpeakerTurn(start: 0, end: 1, speaker: "a", confidence: 0.9),
        SpeakerTurn(start: 1, end: 2, speaker: "b", confidence: 0.8),
      ], ofChannel: channels[0], by: "embedded")
    speakers.label(&transcript)
    return transcript
  }

  private func imported(_ transcript: Transcript) async throws -> (Transcript, [TranscriptWarning]) {
    let answer = WorkerAnswer(
      id: "a", path: "a.wav", sha256: String(repeating: "0", count: 64), transcript: transcript)
    let library = try Library(at: folder.url)
    let outcome = try await library.importTranscript(WorkerTranscript(Data(answer.line.utf8)))
    guard case .added(let session, let warnings) = outcome else {
      Issue.record("it was not added")
      throw CancellationError()
    }
    var read = try library.transcript(of: session)
    read.translation = try library.store.translation(of: session.id)
    return (read, warnings)
  }

  @Test(
    arguments: [
      ("en-US", "Who speaks? I do."), ("ru-RU", "кто говорит это я"), ("el-GR", "ποιος μιλά τώρα εγώ"),
    ],
    [[nil], [0, 1]] as [[Int?]])
  func speakersComeBack(_ said: (String, String), _ channels: [Int?]) async throws {
    let transcript = transcript(said.0, said.1, channels)
    #expect(transcript.segments[0].words.map(\.speaker) == ["voice1", "voice1", "voice2", "voice2"])
    let (read, warnings) = try await imported(transcript)
    #expect(warnings == [])
    #expect(read.speakers == transcript.speakers)
    #expect(read.turns == transcript.turns)
    #expect(read.segments.map(\.channel) == channels)
    #expect(
      read.segments.map { $0.words.map(\.speaker) } == transcript.segments.map { $0.words.map(\.speaker) })
    #expect(
      read.segments.map { $0.words.map(\.speakerConfidence) }
        == transcript.segments.map { $0.words.map(\.speakerConfidence) })
  }

  @Test func translationComesBack() async throws {
    var transcript = transcript("de-DE", "wer spricht das ich", [nil])
    let translation = Translation(
      model: "whisper-base",
      passages: [
        .init(start: 0, end: 1, text: "Who speaks?"), .init(start: 1, end: 2, text: "I do."),
      ])
    transcript.translation = translation
    #expect(try await imported(transcript).0.translation == translation)
  }
}
