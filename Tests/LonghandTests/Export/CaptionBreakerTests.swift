import SentenceFormatting
import TestSupport
import Testing

@testable import LonghandTranscription
@testable import LonghandTranscripts

/// Captions can be read while they are spoken.
struct CaptionBreakerTests {
  /// The segments of a recorded chapter, written in sentences.
  static func transcript(_ chapter: RecognizedChapter) -> Transcript {
    let segments = Dictionary(grouping: chapter.words, by: \.segment).sorted { $0.key < $1.key }.map {
      id, words in
      let timed = words.map { recognized in
        var word = Word(
          text: recognized.text, start: recognized.start, end: recognized.end, confidence: nil)
        word.voice = WordVoice(voicedFrames: recognized.voicedFrames)
        return word
      }
      return Segment(
        id: id, start: words[0].start, end: words[words.count - 1].end,
        candidates: [Candidate(text: timed.map(\.text).joined(separator: " "), words: timed)])
    }
    return Transcript(
      source: chapter.name, locale: "en-US", engine: "analyzer", duration: segments.last?.end ?? 0,
      segments: segments, coverage: Coverage())
  }

  /// What is wrong with a caption that follows `before`.
  private func faults(_ caption: Caption, before: Caption?, next: Caption?) -> [String] {
    var faults: [String] = []
    let length = caption.end.count - caption.start.count
    let characters = caption.texts.joined(separator: " ").count
    if length < 1000 { faults.append("\(length) ms") }
    if length > 7000 { faults.append("\(length) ms") }
    if Double(characters) / Double(length) > 0.0201 {
      faults.append("\(characters) characters in \(length) ms")
    }
    if caption.lines.joined().count == 1 { faults.append("a single word") }
    if let next, caption.end < next.start, next.start.count - caption.end.count < 250 {
      faults.append("a short gap")
    }
    return faults
  }

  @Test func captionsOfRecordedChaptersCanBeRead() throws {
    var total = 0
    var faulty: [String] = []
    for chapter in try RecognizedChapter.all() {
      let captions = CaptionWriter().captions(of: Self.transcript(chapter).writtenInSentences())
      total += captions.count
      for (index, caption) in captions.enumerated() {
        let next = index + 1 < captions.count ? captions[index + 1] : nil
        #expect(caption.lines.count <= 2)
        for line in caption.texts { #expect(line.count <= 42) }
        if let next { #expect(caption.end <= next.start) }
        for fault in faults(caption, before: index > 0 ? captions[index - 1] : nil, next: next) {
          faulty.append("\(fault): \(caption.texts.joined(separator: " / "))")
        }
      }
      let words = captions.flatMap { $0.lines.joined().map(\.text) }
      #expect(words.count == chapter.words.count)
    }
    #expect(faulty.count * 50 <= total, "\(faulty.count) of \(total): \(faulty.joined(separator: "\n"))")
  }

  /// 25 characters a second for four seconds, and then a pause.
  @Test func fastSpeechIsReadInThePauseAfterIt() {
    let texts = (0..<20).map { $0 % 8 == 7 ? "end." : "word" } + ["Later."]
    let words = texts.enumerated().map {
      let start = $0 < 20 ? Double($0) / 5 : 14
      return Word(text: $1, start: start, end: start + 0.2, confidence: nil)
    }
    let segment = Segment(
      id: 0, start: 0, end: 15, candidates: [Candidate(text: texts.joined(separator: " "), words: words)])
    let transcript = Transcript(
      source: "a", locale: "en-US", engine: "analyzer", duration: 15, segments: [segment],
      coverage: Coverage())
    let captions = CaptionWriter().captions(of: transcript)
    for caption in captions {
      let characters = caption.texts.joined(separator: " ").count
      let length = caption.end.count - caption.start.count
      #expect(characters * 1000 <= 20 * length, "\(characters) characters in \(length) ms")
    }
    for (one, next) in zip(captions, captions.dropFirst()) {
      #expect(one.end <= next.start)
      // No more than a second later than it is said.
      #expect(next.start.count <= next.lines[0][0].start.count + 1000)
    }
  }

  @Test func captionsBreakAtSentences() {
    let texts = [
      "the", "train", "was", "late.", "we", "waited", "on", "the", "platform", "for", "an", "hour.",
    ]
    let words = texts.enumerated().map {
      Word(text: $1, start: Double($0) / 2, end: Double($0) / 2 + 0.5, confidence: nil)
    }
    let segment = Segment(
      id: 0, start: 0, end: 6, candidates: [Candidate(text: texts.joined(separator: " "), words: words)])
    let captions = CaptionBreaker(maxLineWidth: 40, maxLineCount: 1).captions(of: [segment])
    #expect(captions.map(\.texts) == [["the train was late."], ["we waited on the platform for an hour."]])
  }
}
