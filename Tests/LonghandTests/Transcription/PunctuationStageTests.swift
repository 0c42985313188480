import Foundation
import Longhand
import Punctuation
import ScriptedSpeech
import SentenceFormatting
import Synchronization
import Testing

@testable import LonghandTranscription
@testable import LonghandTranscripts

/// Marks and capitals by a model, which may write whatever it wants.
@Suite struct PunctuationStageTests {
  /// Writes texts as a test says.
  private final class ScriptedPunctuator: Punctuator {
    private let script: @Sendable (String) throws -> String
    private let texts = Mutex<[String]>([])
    var asked: [String] { texts.withLock(\.self) }

    init(_ script: @escaping @Sendable (String) throws -> String) { self.script = script }

    func write(_ text: String) async throws -> String {
      texts.withLock { $0.append(text) }
      return try script(text)
    }
  }

  private struct Crash: Error {}

  private static let spoken = [
    ScriptedEngine.final("do you know him", 1, 3), ScriptedEngine.final("the old one or", 3, 5),
    ScriptedEngine.final("the other", 5, 7),
  ]

  private func transcribe(
    _ punctuator: (any Punctuator)?, _ events: [TranscriptionEvent] = spoken
  ) async throws -> (transcript: Transcript, warnings: [TranscriptWarning]) {
    let plain = ScriptedEngine { _ in events.map { .emit($0) } + [.emit(.processed(10))] }
    let engine = EnginePipeline(plain, punctuator.map { [PunctuationStage($0)] } ?? [])
    let fixture = try SessionFixture()
    let (segments, _, warnings) = try await engine.transcribe(fixture.audio, progress: { _ in })
    let transcript = Transcript(
      source: "a", locale: "en-US", engine: "a", duration: 10, segments: segments, coverage: Coverage())
    return (transcript, warnings)
  }

  /// Ends each text as one that has ended.
  private static func end(_ text: String) -> String { text + "." }

  @Test func marksOfTheModelTakeThePlaceOfTheRules() async throws {
    let punctuator = ScriptedPunctuator { text in
      var text = text.replacing(" him the old", with: " him, the Old")
      text = text.replacing(" or the", with: " or? The")
      return text + "."
    }
    let (transcript, warnings) = try await transcribe(punctuator)
    #expect(warnings.isEmpty)
    // The recognizer's words are as before.
    #expect(transcript.segments.map(\.text) == ["do you know him", "the old one or", "the other"])
    // The mark at the end of a segment is that which the model gives when it knows what follows.
    #expect(
      transcript.writtenInSentences().segments.map(\.text)
        == ["Do you know him,", "the Old one or?", "The other."])
    #expect(transcript.segments.areMarked)
  }

  @Test func modelIsAskedOnceAboutASegmentWithTheWordsBefore() async throws {
    let punctuator = ScriptedPunctuator { $0.replacing("him the", with: "him. The") }
    _ = try await transcribe(punctuator)
    #expect(
      punctuator.asked == [
        "do you know him", "do you know him the old one or", "the old one or the other",
      ])
  }

  @Test func wordsBeforeAreBounded() async throws {
    let events = (0..<60).map { ScriptedEngine.final("one two three", Double($0), Double($0 + 1)) }
    let punctuator = ScriptedPunctuator { $0 }
    _ = try await transcribe(punctuator, events)
    #expect(punctuator.asked.count == 60)
    #expect(punctuator.asked.map { $0.split(separator: " ").count }.max() == 43)
  }

  @Test(arguments: 0..<9) func otherWordsAreRefused(way: Int) async throws {
    let byRules = try await transcribe(nil).transcript.writtenInSentences()
    let punctuator = ScriptedPunctuator { text in
      var words = text.split(separator: " ").map(String.init)
      switch way {
      case 0: words[0] = "did"
      case 1: words.removeLast()
      case 2: words.append("too")
      case 3: words.reverse()
      case 4: words = []
      case 5: return String(repeating: "text ", count: 100_000)
      case 6: return "\u{0}\u{FFFD}\n\u{202E}" + text
      case 7: return text.replacing(" ", with: "  ")
      default: throw Crash()
      }
      return words.joined(separator: " ")
    }
    let (transcript, warnings) = try await transcribe(punctuator)
    #expect(transcript.writtenInSentences() == byRules)
    #expect(warnings.map(\.code) == [.punctuationModelFailed])
    #expect(warnings.first?.start == 1)
    #expect(!transcript.segments.areMarked)
  }

  @Test func modelThatFailsOnceWritesTheRest() async throws {
    let punctuator = ScriptedPunctuator { text in
      if text.hasSuffix("one or") { throw Crash() }
      return text.replacing(" other", with: " Other")
    }
    let (transcript, warnings) = try await transcribe(punctuator)
    #expect(transcript.writtenInSentences().segments.last?.text.hasPrefix("the Other") == true)
    #expect(warnings.count == 1)
  }

  @Test(arguments: ["Do you know him", "do you know him?", "", String(repeating: "a", count: 101)])
  func modelIsNotAskedAboutMarksThatAreThereAndWordsThatItCannotTake(text: String) async throws {
    let punctuator = ScriptedPunctuator(Self.end)
    let (transcript, warnings) = try await transcribe(punctuator, [ScriptedEngine.final(text, 1, 3)])
    #expect(transcript.segments.map(\.text) == [text].filter { !$0.isEmpty })
    #expect(punctuator.asked.isEmpty)
    #expect(warnings.isEmpty)
  }

  /// Other candidates share words with the selected one, and a person may select one of them.
  @Test func sameWordsOfOtherCandidatesHaveTheSameMarks() async throws {
    guard case .final(_, _, let first, _) = ScriptedEngine.final("one two three", 1, 4),
      case .final(_, _, let second, _) = ScriptedEngine.final("won two three", 1, 4)
    else { return }
    let event = TranscriptionEvent.final(start: 1, end: 4, candidates: first + second)
    let (transcript, _) = try await transcribe(ScriptedPunctuator(Self.end), [event])
    let words = transcript.segments[0].candidates.map(\.words)
    #expect(words[0].allSatisfy { $0.marks != nil })
    #expect(words[1][0].marks == nil)
    #expect(Array(words[1].dropFirst()) == Array(words[0].dropFirst()))
  }

  /// Whatever a model writes, and even if it writes something else each time: what was written stays, the stored transcript
  /// reads as the live one, and the words are those of the recognizer.
  @Test(arguments: 0..<20) func writtenTextNeverChangesAndHasTheSameWords(seed: UInt64) async throws {
    let generator = Mutex(SeededGenerator(seed: seed))
    let texts = ["so", "who is it", "i'm at nine", "the old man and the sea", "yes", "it was late and dark"]
    let events = (0..<20).map { index in
      ScriptedEngine.final(texts[(index * 5 + Int(seed)) % texts.count], Double(index), Double(index) + 0.8)
    }
    let punctuator = ScriptedPunctuator { text in
      let written = generator.withLock { generator in
        text.split(separator: " ").map { word in
          let cased = [String(word), word.uppercased(), word.capitalized]
          return cased[Int.random(in: 0..<3, using: &generator)]
            + ["", "", ",", ".", "?"][Int.random(in: 0..<5, using: &generator)]
        }
      }
      return generator.withLock { Int.random(in: 0..<8, using: &$0) } == 0
        ? "nonsense" : written.joined(separator: " ")
    }
    let transcript = try await transcribe(punctuator, events).transcript
    let whole = transcript.writtenInSentences().segments
    var writer = SentenceWriter(locale: "en-US")
    var live: [Segment] = []
    for segment in transcript.segments {
      live += writer.append(segment)
      #expect(live == Array(whole.prefix(live.count)))
    }
    #expect(live + writer.finish() == whole)
    for (segment, written) in zip(transcript.segments, whole) {
      let bare = written.text.lowercased().filter { !".,?".contains($0) }
      #expect(bare == segment.text)
    }
  }

  @Test func documentNamesTheModelOnlyIfItWroteSomething() async throws {
    let fixture = try SessionFixture()
    var session = fixture.session
    let stamp = ModelStamp(name: "commas", sha256: String(repeating: "a", count: 64))
    session.punctuation = stamp
    try fixture.store.begin(session)
    #expect(try fixture.store.session(matching: session.id).punctuation == stamp)
    try fixture.store.append(Array(try await transcribe(nil).transcript.segments.prefix(2)), to: session.id)
    #expect(try fixture.store.transcript(of: session.id).punctuation == nil)
    let last = try await transcribe(ScriptedPunctuator(Self.end)).transcript.segments[2]
    try fixture.store.append([last], to: session.id)
    let stored = try fixture.store.transcript(of: session.id)
    #expect(stored.punctuation == stamp)
    #expect(stored.segments.last?.words == last.words)
    #expect(JSONDocument().string(for: stored).contains(#""punctuation": {"name": "commas", "sha256": "aaa"#))
    session.punctuation = nil
    try fixture.store.update(session)
    #expect(try fixture.store.transcript(of: session.id).punctuation == nil)
  }
}
