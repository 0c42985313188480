import Foundation
import SentenceFormatting
import TestSupport
import Testing

@testable import LonghandArchive
@testable import LonghandTranscripts

/// The page and all documents have the same paragraphs.
@Suite struct ParagraphTests {
  private static func withStore(
    _ segments: [Segment], channels: Int = 0, _ body: (TranscriptStore, String) throws -> Void
  ) throws {
    try StoreFixture.temporary { store in
      var session = StoreFixture.session()
      session.state = .complete
      try store.begin(session)
      try store.append(segments, to: session.id)
      try assign(segments.filter { channels > 0 && $0.channel == 0 }, to: "Anna", in: store, session.id)
      try assign(segments.filter { channels > 0 && $0.channel == 1 }, to: "Ben", in: store, session.id)
      try body(store, session.id)
    }
  }

  private static func assign(
    _ segments: [Segment], to speaker: String, in store: TranscriptStore, _ id: String
  ) throws {
    guard !segments.isEmpty else { return }
    try store.changeSpeakers(of: id) { speakers in
      for segment in segments { try speakers.assign(segment, to: speaker) }
    }
  }

  /// As the page shows them: the segments are read in pieces, and a row without text belongs to the paragraph before.
  private static func shown(_ store: TranscriptStore, _ id: String, piece: Int = 50) throws -> [String] {
    var paragraphs: [[String]] = []
    for first in stride(from: 0, to: try store.transcript(of: id).segments.count, by: piece) {
      for one in try store.shownSegments(of: id, from: first, limit: piece) where !one.segment.text.isEmpty {
        if one.beginsParagraph || paragraphs.isEmpty { paragraphs.append([]) }
        paragraphs[paragraphs.count - 1].append(one.written.text)
      }
    }
    return paragraphs.map { $0.joinedWords() }
  }

  /// The paragraphs of a document, without times and names.
  private static func paragraphs(_ transcript: Transcript, _ format: TranscriptFormat) -> [String] {
    let document =
      format == .jsonl
      ? JSONLinesDocument(wordTimestamps: false).string(for: transcript, revisions: [:])
      : TranscriptFormatter(format: format).string(for: transcript)
    let names = "(?:(?:Anna|Ben): )?"
    func all(_ pattern: String) throws -> [String] {
      try Regex(pattern, as: (Substring, Substring).self).dotMatchesNewlines(false)
        .anchorsMatchLineEndings().wholeMatches(in: document)
    }
    do {
      switch format {
      case .txt: return try all("^\(names)(.+)$")
      case .md: return try all(#"^\[\d\d:\d\d:\d\d\] "# + names + "(.+)$")
      case .html: return try all(#"^<p class="said".*<span dir="auto">(.*)</span></p>$"#)
      case .docx:
        return try all(
          #"^<w:p><w:pPr><w:pStyle w:val="Transcript"/></w:pPr>.*preserve">(.*)</w:t></w:r></w:p>$"#)
      default: return try members(of: document, format)
      }
    } catch {
      Issue.record(error)
      return []
    }
  }

  /// The texts of segments that say where paragraphs begin.
  private static func members(of document: String, _ format: TranscriptFormat) throws -> [String] {
    struct Part: Decodable {
      var text: String?
      var formatted: String?
      var segment: Int?
      var beginsParagraph: Bool?
    }
    struct Whole: Decodable { var segments: [Part] }
    var parts: [Part]
    if format == .json {
      parts = try JSONDecoder().decode(Whole.self, from: Data(document.utf8)).segments
    } else {
      let lines = try document.split(separator: "\n").map {
        try JSONDecoder().decode(Part.self, from: Data($0.utf8))
      }
      parts = lines.filter { $0.beginsParagraph != nil }
    }
    var paragraphs: [[String]] = []
    for part in parts where part.text?.isEmpty == false {
      if part.beginsParagraph == true || paragraphs.isEmpty { paragraphs.append([]) }
      paragraphs[paragraphs.count - 1].append(part.formatted ?? part.text ?? "")
    }
    return paragraphs.map { $0.joinedWords() }
  }

  private static func talk(_ random: inout SeededGenerator, count: Int, channels: Int) -> [Segment] {
    let isMarked = Bool.random(using: &random)
    var position = 0.0
    return (0..<count).map { id in
      position += [0, 0.3, 0.7, 1.3, 2, 5].randomElement(using: &random) ?? 0
      let length = Int.random(in: 1...25, using: &random)
      var texts = (0..<length).map { _ in
        ["so", "nineteen", "ninety", "nine", "we", "walked", "home"].randomElement(using: &random) ?? ""
      }
      if isMarked, Int.random(in: 0..<3, using: &random) > 0 { texts[length - 1] += "." }
      let words = texts.enumerated().map { index, text in
        Word(
          text: text, start: position + Double(index) * 0.3, end: position + Double(index) * 0.3 + 0.3,
          confidence: 0.9)
      }
      let start = position
      position += Double(length) * 0.3
      return Segment(
        id: id, start: start, end: position,
        candidates: [Candidate(text: texts.joined(separator: " "), words: words, confidence: 0.9)],
        channel: channels == 0 ? nil : [0, 0, 0, 1].randomElement(using: &random))
    }
  }

  static let readable: [TranscriptFormat] = [.txt, .md, .html, .docx, .json]

  /// Also over many groups of segments, with speakers, and after a person's divisions and joins.
  @Test(arguments: 0..<(isSoak ? 3 : 1) as Range<UInt64>, [0, 2])
  func documentsHaveTheParagraphsOfThePage(seed: UInt64, channels: Int) throws {
    var random = SeededGenerator(seed: seed)
    try Self.withStore(Self.talk(&random, count: 140, channels: channels), channels: channels) { store, id in
      for _ in 0..<4 {
        let all = try store.shownSegments(of: id, from: 0, limit: 1000).map(\.written)
        let place = Int.random(in: 1..<all.count, using: &random)
        let (one, two) = (all[place - 1], all[place])
        let words = two.text.split(separator: " ").map(String.init)
        if Bool.random(using: &random), words.count > 1 {
          let half = words.count / 2
          try store.edit(
            [two.id], to: [words[..<half], words[half...]].map { $0.joined(separator: " ") }, in: id)
        } else if one.channel == two.channel {
          try store.edit([one.id, two.id], to: [[one.text, two.text].joinedWords()], in: id)
        }
      }
      let shown = try Self.shown(store, id)
      #expect(try Self.shown(store, id, piece: 33) == shown)
      let transcript = try store.transcript(of: id)
      for format in Self.readable {
        #expect(Self.paragraphs(transcript, format) == shown, "\(seed) \(channels) \(format)")
      }
      let count = shown.count
      #expect(Self.paragraphs(transcript, .jsonl).count == count)
    }
  }

  /// Numbers in another form are other words, and echoes are left out; the paragraphs stay.
  @Test func paragraphsDoNotDependOnHowWordsAreWritten() throws {
    var random = SeededGenerator(seed: 3)
    let segments = Self.talk(&random, count: 120, channels: 0)
    try Self.withStore(segments) { store, id in
      let transcript = try store.transcript(of: id)
      let count = try Self.shown(store, id).count
      for numbers in NumberForm.allCases {
        for style in TextStyle.allCases {
          var formatter = TranscriptFormatter(format: .md, style: style)
          formatter.numbers = numbers
          let lines = formatter.string(for: transcript).split(separator: "\n").filter { $0.hasPrefix("[") }
          #expect(lines.count == count, "\(numbers) \(style)")
        }
      }
    }
  }

  /// A person joined two segments over a pause, and divided one where nobody paused.
  @Test(arguments: readable + [.jsonl])
  func whatAPersonJoinedAndDividedIsInEachDocument(_ format: TranscriptFormat) throws {
    let segments = ["One two three.", "Four five six.", "Seven eight nine ten."].enumerated().map {
      id, text in
      var segment = StoreFixture.segment(id, text)
      segment.end = segment.start + 1.5
      return segment
    }
    try Self.withStore(segments) { store, id in
      #expect(try Self.shown(store, id).count == 3)
      try store.edit([0, 1], to: ["One two three. Four five six."], in: id)
      try store.edit([2], to: ["Seven eight", "nine ten."], in: id)
      let wanted = ["One two three. Four five six.", "Seven eight", "nine ten."]
      #expect(try Self.shown(store, id) == wanted)
      #expect(Self.paragraphs(try store.transcript(of: id), format) == wanted)
    }
  }

  @Test(arguments: [TranscriptFormat.srt, .vtt])
  func captionHasOneParagraphOnly(_ format: TranscriptFormat) throws {
    try Self.withStore([StoreFixture.segment(0, "One two three four.")]) { store, id in
      func captions() throws -> String {
        TranscriptFormatter(format: format).string(for: try store.transcript(of: id))
      }
      #expect(try captions().contains("One two three four."))
      try store.edit([0], to: ["One two", "three four."], in: id)
      #expect(try captions().contains("\nOne two\n"))
      #expect(try captions().contains("\nthree four.\n"))
    }
  }

  @Test(arguments: [TranscriptFormat.tsv, .textgrid])
  func dividedSegmentIsTwoRows(_ format: TranscriptFormat) throws {
    try Self.withStore([StoreFixture.segment(0, "One two three four.")]) { store, id in
      try store.edit([0], to: ["One two", "three four."], in: id)
      let document = TranscriptFormatter(format: format).string(for: try store.transcript(of: id))
      #expect(document.contains("One two\n") || document.contains("\"One two\""))
      #expect(document.contains("three four.\n") || document.contains("\"three four.\""))
    }
  }

  /// The name of who began stays, as the page shows it.
  @Test func joinedTextIsSaidByWhoSaidTheTextBefore() throws {
    let segments = [StoreFixture.segment(0, "One two."), StoreFixture.segment(1, "Three.")]
    try Self.withStore(segments) { store, id in
      try Self.assign([segments[0]], to: "Anna", in: store, id)
      try Self.assign([segments[1]], to: "Ben", in: store, id)
      func text() throws -> String {
        TranscriptFormatter(format: .txt).string(for: try store.transcript(of: id))
      }
      #expect(try text() == "Anna: One two.\n\nBen: Three.\n")
      try store.edit([0, 1], to: ["One two. Three."], in: id)
      #expect(try Self.shown(store, id).count == 1)
      #expect(try text() == "Anna: One two. Three.\n")
    }
  }

  @Test func gapEndsAParagraph() throws {
    let segments = (0..<2).map { id in
      var segment = StoreFixture.segment(id, "One two.")
      segment.end += 0.5
      return segment
    }
    var transcript = Transcript(
      source: "a.wav", locale: "en-US", engine: "analyzer", duration: 12, segments: segments,
      coverage: Coverage())
    func text() -> String { TranscriptFormatter(format: .txt).string(for: transcript) }
    #expect(text() == "One two. One two.\n")
    transcript.spans = [CoverageSpan(start: 5.5, end: 6, kind: .silent)]
    #expect(text() == "One two. One two.\n")
    transcript.spans = [CoverageSpan(start: 5.5, end: 6, kind: .gap)]
    #expect(text() == "One two.\n\nOne two.\n")
  }

  /// Short segments without spaces are not endless paragraphs.
  @Test func wordsAreCountedInWritingWithoutSpaces() {
    let text = "今日はとても天気がいいので公園まで歩いて行きました。"
    let segments = (0..<40).map { id in
      Segment(
        id: id, start: Double(id) * 6, end: Double(id) * 6 + 5,
        candidates: [Candidate(text: text, words: [], confidence: nil)])
    }
    #expect(Paragraph.starts(of: segments, in: "ja-JP").count >= 3)
  }
}

extension Regex where Output == (Substring, Substring) {
  fileprivate func wholeMatches(in text: String) -> [String] {
    text.matches(of: self).map { String($0.output.1) }
  }
}
