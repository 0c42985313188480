import Longhand
import Testing

@testable import LonghandTranscripts

/// The second text in sentences.
@Suite struct SecondTextTests {
  /// The first text, in sentences; the vocabulary's second text in sentences.
  @Test(arguments: [
    (
      "the when our is good we like it", "The when our is good. We like it.",
      "The Winawer is good. We like it."
    ),
    (
      "when our is good so is when our", "When our is good. So is when our.",
      "Winawer is good. So is Winawer."
    ),
    ("night takes", "Night takes.", "Knight takes."),
    ("we saw a bishop", "We saw a bishop.", "We saw a bishop."),
    ("so night, he said", "So night, he said.", "So knight, he said."), ("a", "Something else", "a"),
  ])
  func secondTextIsWrittenInSentences(_ text: String, _ written: String, _ expected: String) {
    var vocabulary = Vocabulary(name: "chess")
    vocabulary.corrections = [
      .init(recognized: "when our", text: "Winawer"), .init(recognized: "night", text: "knight"),
    ]
    let normalized = TranscriptNormalizer(vocabulary).normalizeLocally(text)
    #expect(normalized.written(as: written, of: text) == expected)
    // A model's own marks stay.
    let marked = NormalizedTranscript(text: "Written. By a model")
    #expect(marked.written(as: written, of: text) == "Written. By a model")
  }

  @Test(arguments: [TranscriptFormat.txt, .md, .json]) func documentsHaveSentences(_ format: TranscriptFormat)
  {
    let words = ["we", "play", "when", "our"].enumerated().map {
      Word(text: $1, start: Double($0), end: Double($0) + 1, confidence: 0.9)
    }
    let segment = Segment(
      id: 0, start: 0, end: 4,
      candidates: [Candidate(text: "we play when our", words: words, confidence: 0.9)])
    var vocabulary = Vocabulary(name: "chess")
    vocabulary.corrections = [.init(recognized: "when our", text: "Winawer")]
    let transcript = Transcript(
      source: "a.wav", locale: "en-US", engine: "analyzer", duration: 4, segments: [segment],
      coverage: Coverage(), normalized: TranscriptNormalizer(vocabulary).normalizeLocally(segment.text))
    let text = TranscriptFormatter(format: format).string(for: transcript)
    #expect(text.contains("We play Winawer."))
  }
}
