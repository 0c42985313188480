import Foundation
import Longhand
import TestSupport
import Testing

/// JSON as programs read it: valid by the schema that is shipped, and the very texts that went in.
@Suite struct TranscriptSchemaTests {
  private static let validator = """
    import json, sys
    import jsonschema
    given = json.load(open(sys.argv[1]))
    schema = json.loads(given["schema"])
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    def unique(pairs):
        assert len(dict(pairs)) == len(pairs), pairs
        return dict(pairs)
    def decimal(text):
        assert "e" not in text.lower() and len(text.partition(".")[2]) <= 4, text
        return float(text)
    def refuse(text):
        raise ValueError(text)
    problems = []
    for number, document in enumerate(given["documents"]):
        read = json.loads(document, object_pairs_hook=unique, parse_float=decimal, parse_constant=refuse)
        problems += [f"{number}: {error.message[:200]}" for error in validator.iter_errors(read)]
    print(json.dumps(problems))
    """

  private struct Question: Encodable {
    var schema: String
    var documents: [String]
  }

  private func problems(in documents: [String]) throws -> [String] {
    let schema = Folder.package.appendingPathComponent("Schemas/transcript.schema.json")
    return try TestPython.answer(
      Self.validator,
      to: Question(schema: try String(contentsOf: schema, encoding: .utf8), documents: documents))
  }

  @Test(.tagged(.childProcess)) func documentsAreValid() throws {
    var transcripts = (0..<100).map { RandomTranscripts.transcript(seed: $0) } + [.sample, .empty]
    transcripts += (0..<50).map { RandomTranscripts.conversation(seed: $0) }
    transcripts[0].duration = 1e-9
    transcripts[2].spans = RejectedWords.Rule.allCases.map { rule in
      let known = RejectedWords(text: "you", start: 0, end: 1, rule: rule).stretch
      return CoverageSpan(start: 0, end: 1, kind: known.kind, reason: known.reason)
    }
    transcripts[1].duration = 123_456_789.123
    transcripts[3].translation = Translation(
      model: "whisper-base", passages: [.init(start: 0, end: 1.5, text: "Good morning.")])
    let formatter = TranscriptFormatter(format: .json)
    #expect(try problems(in: transcripts.map(formatter.string(for:))) == [])
  }

  @Test(.tagged(.childProcess)) func schemaRejectsInvalidDocuments() throws {
    let valid = TranscriptFormatter(format: .json).string(for: .sample)
    let wrong = [
      valid.replacingOccurrences(of: "\"version\": 1", with: "\"version\": 2"),
      valid.replacingOccurrences(of: "\"words\"", with: "\"word\""),
      valid.replacingOccurrences(of: "\"confidence\": 0.91", with: "\"confidence\": 91"),
      valid.replacingOccurrences(of: "\"duration\": 6.5,", with: ""),
    ]
    let found = try problems(in: wrong)
    #expect(Set(found.map { $0.prefix(1) }) == ["0", "1", "2", "3"])
  }

  private struct Document: Decodable {
    struct Segment: Decodable { var text: String }
    var source: String
    var segments: [Segment]
  }

  private struct Line: Decodable {
    var sequence: Int
    var type: String
    var text: String?
  }

  @Test(arguments: 0..<50 as Range<UInt64>) func textsRoundTrip(seed: UInt64) throws {
    let transcript = RandomTranscripts.transcript(seed: seed)
    let texts = transcript.segments.map { Array($0.text.unicodeScalars) }
    let document = TranscriptFormatter(format: .json).string(for: transcript)
    let read = try JSONDecoder().decode(Document.self, from: Data(document.utf8))
    #expect(read.segments.map { Array($0.text.unicodeScalars) } == texts)
    #expect(Array(read.source.unicodeScalars) == Array(transcript.source.unicodeScalars))

    let jsonLines = TranscriptFormatter(format: .jsonl).string(for: transcript)
    let lines = try jsonLines.split(whereSeparator: \.isNewline).map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
    #expect(lines.map(\.sequence) == Array(0..<lines.count))
    #expect(lines.compactMap(\.text).map { Array($0.unicodeScalars) } == texts)
    #expect(lines.map(\.type).lastIndex(of: "end") == lines.count - 1)
  }
}
