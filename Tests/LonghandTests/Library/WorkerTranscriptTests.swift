import FileSupport
import Foundation
import Longhand
import SentenceFormatting
import Testing

@testable import LonghandArchive

/// Lines of an archive, which may come from anywhere.
@Suite struct WorkerTranscriptTests {
  private static let line = #"""
    {"id": "a", "status": "ok", "path": "a.wav", "sha256": "\#(String(repeating: "0", count: 64))", "audioSeconds": 3.0,
    "processorSeconds": 1.0, "transcript": {"version": 1, "source": "a.wav", "locale": "en-US", "engine": "analyzer",
    "duration": 3.0, "text": "one two", "segments": [{"id": 0, "start": 0.5, "end": 1.5, "text": "one two",
    "formatted": "One two.", "confidence": 0.9, "words": [{"text": "one", "display": "One", "start": 0.5, "end": 1.0,
    "confidence": 0.9}], "alternatives": [{"text": "won two", "confidence": 0.5}, {"text": "one two", "confidence": 0.4}],
    "selection": {"index": 1, "rule": "user"}, "revision": 0}], "coverage": {}},
    "spans": [{"start": 0, "end": 0.5, "kind": "silent"}, {"start": 0.5, "end": 1.5, "kind": "transcribed"},
    {"start": 1.5, "end": 3.0, "kind": "wordless", "reason": "speech"}],
    "candidateWords": [[[["won", 0.5, 1.0, 0.25], 0], [["one", 0.5, 1.0, 0.123456789, 7]]]]}
    """#

  @Test func everythingIsRead() throws {
    let read = try WorkerTranscript(Data(Self.line.utf8))
    #expect(read.transcript.text == "one two")
    #expect(read.transcript.segments[0].candidates.map(\.text) == ["won two", "one two"])
    let words = read.transcript.segments[0].candidates.map(\.words)
    #expect(words.map { $0.map(\.text) } == [["won", "one"], ["one"]])
    #expect(words[0][1] == words[1][0])
    #expect(words[1][0].confidence == 0.123456789)
    #expect(words[1][0].voice == WordVoice(voicedFrames: 7))
    #expect(words[1][0].marks == nil)
    #expect(read.transcript.coverage.wordless == 1.5)
  }

  @Test func theLevelOfAVoiceThatEarlierVersionsWroteIsSkipped() throws {
    let line = Self.line.replacingOccurrences(of: "0.123456789, 7", with: "0.123456789, -20.5, 7")
    let read = try WorkerTranscript(Data(line.utf8))
    #expect(read.transcript.segments[0].words[0].voice == WordVoice(voicedFrames: 7))
  }

  @Test(arguments: [
    ("{\"id\"", "[", "it is not JSON"),
    ("0.123456789, 7", "0.123456789, 7.5", "candidateWords"),
    ("\"end\": 1.5, \"text\"", "\"end\": 1e99, \"text\"", "impossible times"),
    (
      "\"end\": 1.5, \"text\": \"one two\"", "\"end\": 1.5, \"text\": \"invented\"",
      "none of its alternatives"
    ),
    ("\"index\": 1", "\"index\": 2", "none of its alternatives"),
    ("\"index\": 1", "\"index\": \"x\"", "transcript.segments.[0].selection.index has another type"),
    (
      "\"start\": 1.5, \"end\": 3.0", "\"start\": 2.5, \"end\": 3.0",
      "do not follow each other at 1.5 seconds"
    ),
    (
      "\"end\": 3.0, \"kind\"", "\"end\": 2.0, \"kind\"", "The spans end at 2.0 seconds, and the audio at 3.0"
    ),
    ("\"kind\": \"wordless\"", "\"kind\": \"lost\"", "spans.[2].kind has a value that cannot be"),
    ("\"spans\"", "\"other\"", "The job has no transcript"),
    ("[\"one\", 0.5, 1.0", "[\"one\", 0.2, 1.0", "has words that are not in order"),
    ("[\"one\", 0.5, 1.0", "[\"one\", 0.5, 1.7", "and its word 'one' from 0.5 to 1.7"),
    (
      "\"display\": \"One\", \"start\": 0.5", "\"display\": \"One\", \"start\": 0.03",
      "its word 'one' from 0.03"
    ),
    (
      "\"display\": \"One\", \"start\": 0.5, \"end\": 1.0",
      "\"display\": \"One\", \"start\": 0.5, \"end\": 9.0",
      "its word 'one' from 0.5 to 9.0"
    ),
    ("[\"won\", 0.5, 1.0", "[\"won\", 0.5, 3.7", "an alternative with the word 'won' from 0.5 to 3.7"),
    (
      "\"start\": 0.5, \"end\": 1.5, \"text\"", "\"start\": 0.5, \"end\": 3.5, \"text\"",
      "ends at 3.5 seconds, and the recording at 3.0"
    ),
    ("[\"one\", 0.5", "[\"two\", 0.5", "Segment 0 of the transcript has other words than its candidateWords"),
    ("0.25], 0]", "0.25], 1]", "Segment 0 of the transcript has other words than its candidateWords"),
    ("[[[[\"won\"", "[[], [[[\"won\"", "The candidateWords are not those"),
    (
      "\"revision\": 0", "\"revision\": 0, \"speaker\": \"voice1\"",
      "Segment 0 of the transcript has a speaker who is not a channel"
    ),
  ])
  func impossibleTranscriptsAreRejected(_ old: String, _ new: String, _ problem: String) throws {
    let line = Self.line.replacingOccurrences(of: old, with: new)
    try #require(line != Self.line)
    do {
      _ = try WorkerTranscript(Data(line.utf8))
      Issue.record("nothing was thrown")
    } catch {
      #expect(error.description.contains(problem), "\(error)")
    }
  }

  /// A line with two voices, as versions before `turns` wrote it.
  private static let voices = line.replacingOccurrences(
    of: #""segments": [{"id": 0"#,
    with: ##"""
      "speakers": [{"id": "voice1", "name": "Анна", "basis": "voice", "seconds": 1, "engine": "embedded",
      "nameBasis": "voice"}, {"id": "voice2", "name": "Speaker 2", "basis": "voice", "seconds": 0}],
      "segments": [{"speaker": "voice1", "speakerBasis": "voice", "id": 0
      """##)

  @Test func voicesAreReadWithTheirTurns() throws {
    let turns = #""turns": [{"start": 0.4, "end": 1.25, "speaker": "voice1", "confidence": 0.875}], "spans""#
    let line = Self.voices.replacingOccurrences(of: "\"spans\"", with: turns)
    let read = try WorkerTranscript(Data(line.utf8))
    #expect(
      read.speakers.turns == [SpeakerTurn(start: 0.4, end: 1.25, speaker: "voice1", confidence: 0.875)])
    #expect(read.speakers.named.map(\.name) == ["Анна", "Speaker 2"])
    #expect(read.speakers.entries[0].recognized == "Анна")
    #expect(read.transcript.warnings == [])
    let bad = line.replacingOccurrences(
      of: "\"end\": 1.25, \"speaker\": \"voice1\"", with: "\"end\": 0, \"speaker\": \"x\"")
    #expect(throws: TranscriptImportError.self) { try WorkerTranscript(Data(bad.utf8)) }
  }

  /// Who spoke is not invented, and the text is not refused.
  @Test func voicesWithoutTurnsAreLeftOutWithAWarning() throws {
    let read = try WorkerTranscript(Data(Self.voices.utf8))
    #expect(read.speakers.isEmpty)
    #expect(read.transcript.text == "one two")
    #expect(read.transcript.warnings.map(\.code) == [.voicesUnknown])
  }

  @Test func channelOfAVoiceIsRead() throws {
    let channels = #""channels": ["channel2"], "turns": [], "spans""#
    let line = Self.voices.replacingOccurrences(of: "\"spans\"", with: channels)
    #expect(try WorkerTranscript(Data(line.utf8)).transcript.segments.map(\.channel) == [1])
  }

  @Test func impossibleTranslationsAreRejected() throws {
    let translation = #""translation": {"model": "m", "passages": [{"start": 2, "end": 1, "text": "x"}]}, "#
    let line = Self.line.replacingOccurrences(of: "\"coverage\"", with: translation + "\"coverage\"")
    try #require(line != Self.line)
    #expect(throws: TranscriptImportError.self) { try WorkerTranscript(Data(line.utf8)) }
  }

  /// What the worker writes is read to the bit.
  @Test(arguments: 0..<20) func wordsOfAllCandidatesAreKept(seed: UInt64) throws {
    for segment in RandomTranscripts.transcript(seed: seed).segments {
      let text = TranscribedWords.value(of: segment).text
      let items = try JSONDecoder().decode([[TranscribedWords.Item]].self, from: Data(text.utf8))
      let words = TranscribedWords.words(items, selected: segment.selection.index)
      #expect(words == segment.candidates.map(\.words))
    }
  }

  @Test func aTranscriptIsTakenOnce() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "longhand-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let library = try Library(at: folder)
    guard
      case .added(let session, _) = try await library.importTranscript(WorkerTranscript(Data(Self.line.utf8)))
    else {
      Issue.record("it was not added")
      return
    }
    #expect(try await library.importTranscript(WorkerTranscript(Data(Self.line.utf8))) == .known(session.id))
    #expect(try library.store.search("two").count == 1)
    #expect(try library.transcript(of: session).coverage.wordless == 1.5)
    #expect(try library.interruptedSessions() == [])
  }

  /// Another process finishes the same import while this one reads the audio.
  @Test func audioOfASessionThatWasAddedMeanwhileIsKept() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "longhand-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let library = try Library(at: folder.appendingPathComponent("library"))
    let source = RecordingFolder(folder.appendingPathComponent("source"))
    let writer = try RecordingWriter(source, NumberedRecording.manifest())
    writer.append(NumberedRecording.samples(0..<48_000))
    try writer.finish()
    writer.close()
    let digest = try SHA256.hash(contentsOf: source.audio).hexadecimal
    let line = Self.line.replacingOccurrences(of: String(repeating: "0", count: 64), with: digest)
    guard
      case .added(let session, _) = try await library.importTranscript(
        WorkerTranscript(Data(line.utf8)), audio: { _ in source.audio })
    else {
      Issue.record("it was not added")
      return
    }
    let recording = library.recording(of: session.id)
    let audio = try Data(contentsOf: recording.audio)
    func rename(_ old: String, _ new: String) throws {
      try library.store.write {
        try $0.run("UPDATE session SET id = ? WHERE id = ?", .text(new), .text(old))
      }
    }
    try rename(session.id, "not yet")
    let second = try await library.importTranscript(WorkerTranscript(Data(line.utf8))) { _ in
      #expect(throws: Never.self) { try rename("not yet", session.id) }
      return source.audio
    }
    #expect(second == .known(session.id))
    #expect(try Data(contentsOf: recording.audio) == audio)
    #expect(try library.store.search("two").count == 1)
  }
}
