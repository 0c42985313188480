import Foundation
import LonghandVocabulary
import Testing

@testable import LonghandArchive
@testable import LonghandTranscripts

/// Whether quotes were said, in a library of several sessions.
@Suite final class QuoteTests {
  private let library: Library

  init() throws {
    library = try Library(
      at: FileManager.default.temporaryDirectory.appendingPathComponent("quotes-\(UUID())"))
  }

  deinit { try? FileManager.default.removeItem(at: library.url) }

  /// A word is sure, but with `?` at its end it is not; `#` is a second of speech without words. Each line is a segment.
  @discardableResult private func add(
    _ lines: [String], locale: String = "en-US", tag: String? = nil, daysAgo: Double = 0,
    candidates others: [String] = []
  ) throws -> String {
    let session = RecordedSession(
      source: "a.wav", locale: locale, engine: "analyzer", start: .now - daysAgo * 86_400, duration: 1000,
      state: .complete)
    try library.store.begin(session)
    var time = 0.0
    var spans: [CoverageSpan] = []
    var key = 0
    for line in lines {
      var words: [Word] = []
      for token in line.split(separator: " ") {
        defer { time += 1 }
        spans.append(CoverageSpan(start: time, end: time + 1, kind: token == "#" ? .wordless : .transcribed))
        if token == "#" { continue }
        let isUnsure = token.hasSuffix("?")
        words.append(
          Word(
            text: String(isUnsure ? token.dropLast() : token), start: time, end: time + 1,
            confidence: isUnsure ? 0.4 : 0.95))
      }
      guard let first = words.first else { continue }
      let all =
        [Candidate(text: words.map(\.text).joinedWords(), words: words, confidence: 0.9)]
        + others.map { text in
          Candidate(
            text: text,
            words: Word.sharing(first.start, time, text.split(separator: " ").map(String.init)),
            confidence: 0.3)
        }
      try library.store.append(
        Segment(id: key, start: first.start, end: time, candidates: all), to: session.id)
      key += 1
    }
    try library.store.setCoverage(spans, of: session.id)
    try library.store.annotate(session.id, SessionAnnotation(tags: tag.map { [$0] }))
    return session.id
  }

  private func check(_ quote: String, in filter: SessionFilter = SessionFilter()) throws -> QuoteAnswer {
    try #require(try library.check([quote], in: filter).quotes.first)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var quote: String
    var heard: [String]
    var verdict: QuoteCheck.Verdict
    /// The differences: what the quote has, and what was heard.
    var differences: [String] = []
    var locale = "en-US"
    var others: [String] = []
    var testDescription: String { quote }
  }

  private static let speech = [
    "Good evening everybody.", "I have never stolen eight dollars from my neighbour.", "Thank you.",
  ]
  private static let russian = ["Добрый вечер всем.", "Я взял восемь рублей и ещё одну книгу.", "Спасибо."]
  private static let thai = ["สวัสดี ครับ", "วันนี้ ผม ไป ตลาด กับ แม่ ของ ผม", "ขอบคุณ ครับ"]
  private static let chinese = ["大家 晚上 好", "我 今天 和 妈妈 一起 去 市场 买 苹果", "谢谢"]

  static let rows = [
    Row(quote: "I have never stolen eight dollars from my neighbour.", heard: speech, verdict: .said),
    Row(quote: "“I HAVE never stolen eight dollars from my neighbour”", heard: speech, verdict: .said),
    Row(quote: "i have never stolen 8 dollars from my neighbor", heard: speech, verdict: .said),
    Row(quote: "I have never stolen $8 from my neighbour", heard: speech, verdict: .said),
    Row(quote: "never stolen eight", heard: speech, verdict: .said),
    Row(quote: "I have … stolen eight dollars from my neighbour", heard: speech, verdict: .said),
    Row(quote: "everybody. I have never stolen", heard: speech, verdict: .said),
    Row(
      quote: "I have never stolen nine dollars from my neighbour", heard: speech, verdict: .heardOtherwise,
      differences: ["nine|eight"]),
    Row(
      quote: "I have never stolen 80 dollars from my neighbour", heard: speech, verdict: .heardOtherwise,
      differences: ["80|eight"]),
    Row(
      quote: "I have stolen eight dollars from my neighbour", heard: speech, verdict: .heardOtherwise,
      differences: ["|never"]),
    Row(
      quote: "I have never stolen eight dollars from my grandmother", heard: speech, verdict: .heardOtherwise,
      differences: ["grandmother|neighbour."]),
    Row(
      quote: "We gladly never stolen eight dollars from my neighbour", heard: speech,
      verdict: .heardOtherwise,
      differences: ["We|I", "gladly|have"]),
    Row(quote: "we spend 5 % on R & D", heard: ["we spend five percent on R and D"], verdict: .said),
    Row(quote: "we spend five percent on R and D", heard: ["we spend 5 % on R & D"], verdict: .said),
    Row(quote: "The moon is made of green cheese", heard: speech, verdict: .notSaid),
    Row(quote: "I have from my", heard: speech, verdict: .notSaid),
    Row(quote: "zebra", heard: speech, verdict: .notSaid),
    Row(
      quote: "play the winter variation", heard: ["then play the Winawer? variation"], verdict: .unclear,
      differences: ["winter|Winawer"]),
    Row(
      quote: "play the slav variation", heard: ["then play the Winawer variation"], verdict: .unclear,
      differences: ["slav|Winawer"], others: ["then play the slav variation"]),
    Row(
      quote: "then he went home quickly", heard: ["then he went home", "#", "and slept"], verdict: .unclear,
      differences: ["quickly|"]),
    Row(quote: "we buy bonds", heard: ["we? buy? bonds?"], verdict: .unclear),
    Row(
      quote: "Я взял восемь рублей и ещё одну книгу", heard: russian, verdict: .said, locale: "ru-RU"),
    Row(quote: "«я взял 8 рублей, и еще одну книгу»", heard: russian, verdict: .said, locale: "ru-RU"),
    Row(
      quote: "Я взял девять рублей и ещё одну книгу", heard: russian, verdict: .heardOtherwise,
      differences: ["девять|восемь"], locale: "ru-RU"),
    Row(
      quote: "Я никогда не был в Париже", heard: russian, verdict: .notSaid, locale: "ru-RU"),
    Row(quote: "วันนี้ผมไปตลาดกับแม่ของผม", heard: thai, verdict: .said, locale: "th-TH"),
    Row(quote: "«วันนี้ ผมไปตลาด กับแม่ของผม»", heard: thai, verdict: .said, locale: "th-TH"),
    Row(
      quote: "วันนี้ผมไปตลาดกับพี่ของผม", heard: thai, verdict: .heardOtherwise, locale: "th-TH"),
    Row(quote: "เมื่อวานนี้ฝนตกหนักมาก", heard: thai, verdict: .notSaid, locale: "th-TH"),
    Row(quote: "我今天和妈妈一起去市场买苹果。", heard: chinese, verdict: .said, locale: "zh-CN"),
    Row(quote: "昨天下了很大的雨", heard: chinese, verdict: .notSaid, locale: "zh-CN"),
  ]

  @Test(arguments: rows) func verdictSaysWhatWasHeard(_ row: Row) throws {
    try add(["Something else was said here on another day."], daysAgo: 9)
    let session = try add(row.heard, locale: row.locale, candidates: row.others)
    let answer = try check(row.quote)
    #expect(answer.verdict == row.verdict, "\(answer)")
    if row.verdict == .notSaid {
      #expect(answer.places.isEmpty)
    } else {
      #expect(answer.places.first?.session == session)
    }
    guard row.verdict != .said else {
      #expect(answer.places.first?.passage.differences == [])
      return
    }
    guard !row.differences.isEmpty else { return }
    #expect(
      answer.places.first?.passage.differences.map { "\($0.quoted)|\($0.heard)" } == row.differences)
  }

  @Test func placeHasItsKeysTimesSpeakersAndWords() throws {
    let session = try add(["Good evening to you all.", "We meet on Friday.", "Bye for now."])
    let segment = try library.store.segment(1, in: session)
    try library.store.changeSpeakers(of: session) { try $0.assign(segment, to: "Anna") }
    let place = try #require(try check("we meet on Friday bye").places.first)
    #expect(place.session == session)
    #expect(place.passage.segments == [1, 2])
    #expect(place.passage.start == 5)
    #expect(place.passage.end == 10)
    #expect(place.passage.heard == "We meet on Friday. Bye")
    #expect(place.speakers == ["Anna"])
  }

  @Test func filterHidesOtherSessions() throws {
    let old = try add(["we meet on Friday"], tag: "work", daysAgo: 10)
    let new = try add(["we meet on Friday"])
    #expect(try check("we meet on Friday").places.map(\.session) == [new, old])
    #expect(try check("we meet on Friday").count == 2)
    #expect(try check("we meet on Friday", in: SessionFilter(session: old)).places.map(\.session) == [old])
    #expect(try check("we meet on Friday", in: SessionFilter(tag: "work")).places.map(\.session) == [old])
    #expect(try check("we meet on Friday", in: SessionFilter(tag: "home")).verdict == .notSaid)
    #expect(
      try check("we meet on Friday", in: SessionFilter(since: .now - 86_400)).places.map(\.session) == [new])
  }

  @Test func correctedWordsCountAsSaid() throws {
    let session = try add(["then play the slav? variation now"])
    try library.store.correct(3..<4, to: "Winawer", of: 0, in: session, ifRevision: 0)
    #expect(try check("play the Winawer variation").verdict == .said)
    #expect(try check("play the slav variation").verdict == .heardOtherwise)
  }

  @Test func speechWithoutWordsIsCounted() throws {
    try add(["we meet on Friday", "# # #"])
    #expect(try library.check(["zebra"], in: SessionFilter()).unheard == 3)
  }

  @Test func quotesThatCannotBeCheckedAreErrors() throws {
    try add(["we meet on Friday"])
    func problem(_ quotes: [String]) -> String {
      do {
        _ = try library.check(quotes, in: SessionFilter())
        return ""
      } catch { return "\(error)" }
    }
    #expect(problem([]).contains("no quote"))
    #expect(problem(["Friday", " … "]).contains("Quote 2 has no words"))
    #expect(problem(["", "Friday"]).contains("Quote 1 has no words"))
    #expect(problem([String(repeating: "a", count: 100_000)]).contains("100000 characters"))
    #expect(
      problem(Array(repeating: String(repeating: "a ", count: 2000), count: 20)).contains("80000 characters"))
    #expect(problem(Array(repeating: "Friday", count: 1000)).contains("1000 quotes"))
  }

  /// Words that nearly every segment has find a place too, if there are many.
  @Test func frequentWordsAreFound() throws {
    let lines = (0..<2100).map { $0 == 1500 ? "and is the it so" : "so it is the \($0) and" }
    let session = try add(lines)
    let answer = try check("and is the it so")
    #expect(answer.verdict == .said)
    #expect(answer.places.first?.session == session)
    #expect(answer.places.first?.passage.segments == [1500])
    #expect(try check("and is the it zebra").places.first?.passage.segments == [1500])
    #expect(try check("so it is the").verdict == .said)
  }
}
