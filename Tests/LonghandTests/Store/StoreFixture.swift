import Foundation
import Longhand
import Testing

@testable import LonghandArchive

/// What tests of the store begin with.
enum StoreFixture {
  /// A store in a folder that is removed afterwards.
  static func temporary<Result>(
    pragmas: [StaticString] = [], _ body: (TranscriptStore) throws -> Result
  ) throws -> Result {
    try Folder.temporary { folder in
      try body(try TranscriptStore(at: folder.appendingPathComponent("store"), pragmas: pragmas))
    }
  }

  static func session(_ id: String = UUID().uuidString, start: Double = 0) -> RecordedSession {
    RecordedSession(
      id: UUID(uuidString: id) ?? UUID(), source: "talk.wav", locale: "en-US", engine: "analyzer",
      start: Date(timeIntervalSinceReferenceDate: start))
  }

  /// A segment with a text, and others that were not chosen.
  static func segment(_ id: Int, _ text: String, alternatives: [String] = []) -> Segment {
    let start = Double(id) * 6
    let candidates = ([text] + alternatives).map { text in
      let words = text.split(separator: " ").enumerated().map { index, word in
        Word(
          text: String(word), start: start + Double(index) / 3, end: start + Double(index + 1) / 3,
          confidence: 0.7)
      }
      return Candidate(text: text, words: words, confidence: 0.9)
    }
    return Segment(id: id, start: start, end: start + 5, candidates: candidates)
  }
}

extension TranscriptStore {
  /// Begins a session with texts as its segments, and returns its id.
  func add(_ texts: [String], _ session: RecordedSession = StoreFixture.session()) throws -> String {
    try begin(session)
    try append(texts.enumerated().map { StoreFixture.segment($0, $1) }, to: session.id)
    return session.id
  }

  var folder: URL { file.deletingLastPathComponent() }

  /// Whether the bytes of a text are in any file of the store's folder.
  func holds(_ text: String) throws -> Bool {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).contains {
      // A file may vanish meanwhile: SQLite removes its log.
      FileManager.default.contents(atPath: $0.path)?.range(of: Data(text.utf8)) != nil
    }
  }
}

/// Expects a `StoreError` with a problem, and a description that names the file.
func expect(
  _ problem: StoreError.Problem, at line: SourceLocation = #_sourceLocation, of body: () throws -> Void
) {
  do {
    try body()
    Issue.record("nothing was thrown, and not \(problem)", sourceLocation: line)
  } catch let error as StoreError {
    #expect(error.problem == problem, sourceLocation: line)
    #expect(error.description.hasPrefix("\(error.file): "), sourceLocation: line)
  } catch {
    Issue.record(error, sourceLocation: line)
  }
}
