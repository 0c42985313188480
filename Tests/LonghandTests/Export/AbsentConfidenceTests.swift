import Foundation
import Testing

@testable import LonghandArchive
@testable import LonghandTranscription
@testable import LonghandTranscripts

/// A recognizer without confidence must not look sure, nor unsure.
@Suite struct AbsentConfidenceTests {
  private let segment = Segment(
    id: 0, start: 0, end: 1,
    candidates: [
      Candidate(
        text: "eins", words: [Word(text: "eins", start: 0, end: 1, confidence: nil)], confidence: nil)
    ])

  private var transcript: Transcript {
    Transcript(
      source: "a.wav", locale: "de-DE", engine: "analyzer", model: ModelStamp(name: "toy", sha256: nil),
      duration: 1, segments: [segment], spans: [])
  }

  @Test func jsonSaysNull() throws {
    let document = JSONDocument().string(for: transcript)
    #expect(
      document.contains(#"{"text": "eins", "display": "Eins.", "start": 0, "end": 1, "confidence": null}"#))
    #expect(document.contains(#"[{"text": "eins", "confidence": null}]"#))
    #expect(document.contains(#""model": {"name": "toy", "sha256": null}"#))
    let read = try JSONDecoder().decode(TranscriptDocument.self, from: Data(document.utf8))
    #expect(read.segments.map(\.confidence) == [nil])
  }

  @Test func timeMarkedLineSaysThatItIsNotKnown() {
    #expect(TimeMarkedDocument().string(for: transcript) == "a.wav 1 0.000 1.000 eins NA\n")
  }

  @Test func storeKeepsIt() {
    #expect(CandidateCoding.candidates(CandidateCoding.data(segment.candidates)) == segment.candidates)
  }

  @Test func storeAndDocumentNameTheSource() {
    var candidates = segment.candidates
    candidates.append(Candidate(text: "zwei", words: [], confidence: nil, source: "biased"))
    #expect(CandidateCoding.candidates(CandidateCoding.data(candidates)) == candidates)
    let marked = Segment(id: 0, start: 0, end: 1, candidates: candidates)
    #expect(
      JSONDocument.alternatives(marked, atMost: nil).text
        == #"[{"text": "eins", "confidence": null}, {"text": "zwei", "confidence": null, "source": "biased"}]"#
    )
  }

  @Test func orderOfConfidencePassesIt() {
    let sure = Candidate(text: "zwei", words: [], confidence: 0.9)
    let candidates = [segment.candidates[0], sure, Candidate(text: "drei", words: [], confidence: 1)]
    #expect(candidates.inOrderOfConfidence.map(\.confidence) == [nil, 0.9, 0.9])
  }

  @Test func zerosOfARecognitionTaskMeanNoConfidence() {
    let words = [Word(text: "eins", start: 0, end: 1, confidence: nil)]
    #expect(Candidate(text: "eins", words: words).confidence == nil)
  }
}
