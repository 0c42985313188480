import Foundation
import Testing

@testable import LonghandTranscripts

/// Text from right to left is shown so, with its marks at its end, whatever is beside it.
@Suite struct DirectionTests {
  private func transcript(_ text: String) -> Transcript {
    let words = text.split(separator: " ").enumerated().map {
      Word(text: String($1), start: Double($0), end: Double($0) + 1, confidence: 0.9)
    }
    return Transcript(
      source: "a.wav", locale: "he-IL", engine: "analyzer", duration: 60,
      segments: [
        Segment(
          id: 0, start: 0, end: Double(words.count),
          candidates: [Candidate(text: text, words: words, confidence: 0.9)])
      ], coverage: Coverage())
  }

  @Test(arguments: [
    "כולם חוננו בתבונה!", "وقد وهبوا عقلا؟", "تمام افراد بشر آزاد.", "تمام انسان آزاد ہیں۔",
    "אַלע מענטשן ווערן פֿריי.", "ܟܠ ܒܪܢܫܐ.",
    "(שלום) Peter.",
  ]) func textFromRightToLeftHasItsDirection(_ text: String) {
    let page = TranscriptFormatter(format: .html).string(for: transcript(text))
    #expect(page.contains("</a> <span dir=\"auto\">\(text)</span></p>"))
    #expect(page.contains("<p class=\"said\" dir=\"rtl\"><a href"))
    let document = TranscriptFormatter(format: .docx).string(for: transcript(text))
    #expect(document.contains("<w:pPr><w:pStyle w:val=\"Transcript\"/><w:bidi/>"))
    #expect(document.contains("<w:rPr><w:rtl/></w:rPr><w:t xml:space=\"preserve\">\(text)</w:t>"))
    // The time stays from left to right.
    #expect(
      document.contains("<w:rPr><w:rStyle w:val=\"Timestamp\"/></w:rPr><w:t xml:space=\"preserve\">00:00:00"))
  }

  @Test(arguments: ["All human beings!", "Все люди.", "人人生而自由。", "Peter (שלום).", "1999."])
  func otherTextHasTheUsualDirection(_ text: String) {
    let page = TranscriptFormatter(format: .html).string(for: transcript(text))
    #expect(page.contains("<span dir=\"auto\">\(text)</span></p>"))
    #expect(!page.contains("rtl"))
    let document = TranscriptFormatter(format: .docx).string(for: transcript(text))
    #expect(!document.contains("<w:bidi/>"))
    #expect(!document.contains("<w:rtl/>"))
  }
}
