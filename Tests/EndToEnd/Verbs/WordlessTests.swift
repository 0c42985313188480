import Foundation
import Longhand
import ScriptedSpeech
import TestSupport
import Testing

/// Speech in which the recognizer finds no words, and versions of segments, in the command.
@Suite(.tagged(.childProcess)) struct WordlessTests {
  private let folder: TemporaryFolder
  private var library: URL { folder.url.appendingPathComponent("library") }

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String...) async throws -> LonghandProcess.Result {
    // This recognizer knows the words of tones only.
    var environment = try SpeechScript().environment(in: folder.url)
    environment["LONGHAND_LIBRARY"] = library.path
    return try await LonghandProcess(arguments, environment: environment).result()
  }

  @Test func speechWithoutWordsIsReported() async throws {
    let json = try await run("transcribe", "--json", Recordings.short)
    #expect(json.status == 0)
    let document = try JSONDecoder().decode(TranscriptDocument.self, from: Data(json.output.utf8))
    #expect(document.segments.isEmpty)
    #expect(document.coverage.wordless > 1)
    #expect(abs(document.coverage.sum - document.duration) < 0.01)
    #expect(json.errorLines.count == 1)
    #expect(json.errors.contains(": No words were recognized in "))
    let imported = try await run("import", Recordings.short)
    #expect(imported.errors.contains("longhand coverage \(imported.output.prefix(8))"))
    #expect(try await run("coverage", "last").output.contains("wordless  speech without words"))
    #expect(try await run("export", "last", "--mark-wordless").output.hasPrefix("[no words recognized 0:0"))
    #expect(try await run("export", "last", "--format", "md").output.contains("\n\n[no words recognized 0:0"))
    #expect(try await run("export", "last").output.isEmpty)
  }

  /// Words that a rule removed, whatever the rule, and where the audio has no room for a repetition.
  @Test func explainShowsTheRejectedWords() async throws {
    #expect(try await run("import", Recordings.short).status == 0)
    let library = try Library(at: library)
    let session = try #require(try library.store.sessions().first)
    let rejected = RejectedWords.Rule.allCases.enumerated().map { number, rule in
      let start = Double(number) * 0.3
      return RejectedWords(text: "words of \(rule)", start: start, end: start + 0.2, rule: rule)
    }
    let spans = rejected.map { words in
      let (range, kind, reason) = words.stretch
      return CoverageSpan(start: range.lowerBound, end: range.upperBound, kind: kind, reason: reason)
    }
    try library.store.setCoverage(spans, of: session.id)
    let twice = TranscriptWarning.repetition("the last words", 2.1...2.4, isKept: false)
    try library.recording(of: session.id).replaceWarnings(ofTranscription: [twice])
    let result = try await run("explain", "last")
    #expect(result.status == 0)
    let expected = rejected.map { "- [00:00:0\(Int($0.start))] rejected (\($0.rule.rawValue)): \($0.text)" }
    #expect(result.outputLines == expected + ["- [00:00:02] rejected (repetition): the last words"])
  }

  @Test func earlierVersionOfASegmentIsRestored() async throws {
    let store = try Library(at: library).store
    let session = RecordedSession(source: "talk", locale: "en-US", engine: "analyzer", start: .now)
    try store.begin(session)
    let texts = ["one", "won"].map { Candidate(text: $0, words: [], confidence: 0.5) }
    try store.append(Segment(id: 0, start: 0, end: 1, candidates: texts), to: session.id)
    try store.revise(0, in: session.id, candidates: [texts[1]], selection: .recognizer, reason: "again")
    let result = try await run("explain", "last", "0", "--revision", "0")
    #expect(result.status == 0)
    #expect(result.output.contains("revision 0 restored by the user"))
    #expect(try store.transcript(of: session.id).text == "one")
    #expect(try store.revisions(of: 0, in: session.id).map(\.author) == [.recognizer, .recognizer, .person])
    let missing = try await run("explain", "last", "0", "--revision", "9")
    #expect(missing.status == 1)
    #expect(try await run("explain", "last", "--revision", "0").status == 2)
    #expect(try await run("explain", "last", "0", "--undo", "--revision", "0").status == 2)
  }
}
