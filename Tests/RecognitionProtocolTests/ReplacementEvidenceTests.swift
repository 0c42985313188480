import RecognitionProtocol
import Testing

struct ReplacementEvidenceTests {
  /// The less sure the other words are, and the more the phrase is like them, the likelier a reading finds enough for it.
  @Test(
    arguments: [
      ([0.5], 0, true), ([0.9], 0, false), ([0.9], 3, true), ([0.9, 0.8], 1, true), ([0.99], 3, false),
      ([0.99], 12, true), ([0.2], -9, true), ([0.5], -6, false), ([nil], 0, true), ([0.9, nil], 0, true),
      ([1], 5, false), ([0], -9, true),
    ] as [([Double?], Float, Bool)])
  func wordsInDoubtAreWorthReading(_ confidences: [Double?], _ likeness: Float, _ expected: Bool) {
    let words = confidences.map { ServiceHypothesis.Word(text: "w", start: 0, end: 0, confidence: $0) }
    let evidence = ReplacementEvidence(against: words[...], gain: 0, likeness: likeness)
    #expect(evidence.isWorthReading == expected)
  }
}
