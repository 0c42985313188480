import Foundation
import Longhand
import Testing

@testable import LonghandVocabulary

/// What the audit says of a text beside recognized words, without a recognizer.
@Suite struct TextAuditTests {
  /// A word is sure, but with `?` at its end it is not, with `~` its segment has an alternative, `~word` in its place; `#` is a
  /// second of speech without words. Each line is a segment; each word lasts a second.
  private func transcript(_ lines: [String], locale: String = "en-US") -> Transcript {
    var time = 0.0
    var spans: [CoverageSpan] = []
    let segments = lines.enumerated().compactMap { index, line -> Segment? in
      var (words, others, others_): ([Word], [String], Bool) = ([], [], false)
      for token in line.split(separator: " ") {
        defer { time += 1 }
        spans.append(
          CoverageSpan(start: time, end: time + 1, kind: token == "#" ? .wordless : .transcribed))
        if token == "#" { continue }
        let parts = token.split(separator: "~")
        let isUnsure = parts[0].hasSuffix("?")
        words.append(
          Word(
            text: String(isUnsure ? parts[0].dropLast() : parts[0]), start: time, end: time + 1,
            confidence: isUnsure ? 0.4 : 0.95))
        others.append(String(parts.last ?? ""))
        others_ = others_ || parts.count > 1
      }
      guard let first = words.first else { return nil }
      func candidate(_ texts: [String]) -> Candidate {
        Candidate(
          text: texts.joined(separator: " "),
          words: zip(words, texts).map {
            Word(text: $1, start: $0.start, end: $0.end, confidence: $0.confidence)
          })
      }
      return Segment(
        id: index, start: first.start, end: time,
        candidates: [candidate(words.map(\.text))] + (others_ ? [candidate(others)] : []))
    }
    return Transcript(
      source: "a", locale: locale, engine: "e", duration: time + 2, segments: segments,
      spans: spans + [CoverageSpan(start: time, end: time + 2, kind: .silent)])
  }

  private func report(_ text: String, _ heard: String..., locale: String = "en-US") throws -> AuditReport {
    let claim = try ClaimedTextReader(file: "a").read(Data(text.utf8), .txt)
    return TextAudit(claim, heard: transcript(heard, locale: locale)).report()
  }

  struct Row: Sendable {
    var text: String
    var heard: String
    /// For each place its kind, the words of the text and those that were recognized.
    var found: [String]
    var locale = "en-US"
  }

  @Test(arguments: [
    // Marks, capitals, spellings and forms of numbers say nothing.
    Row(
      text: "The colour is grey. Five of 1,999!", heard: "the color is gray five of nineteen ninety nine",
      found: []),
    Row(text: "Она пришла.", heard: "она пришла", found: [], locale: "ru-RU"),
    // Sentences that nobody said.
    Row(
      text: "We went home. Thanks for watching. It rained.", heard: "We went home. It rained.",
      found: ["not-said|Thanks for watching.|"]),
    Row(text: "We went home. Thanks.", heard: "We went home.", found: ["not-said|Thanks.|"]),
    Row(
      text: "Мы пошли домой. Спасибо за просмотр.", heard: "Мы пошли домой.",
      found: ["not-said|Спасибо за просмотр.|"], locale: "ru-RU"),
    Row(
      text: "Vamos a casa. Gracias por ver el vídeo.", heard: "vamos a casa",
      found: ["not-said|Gracias por ver el vídeo.|"], locale: "es-ES"),
    // Not if there is speech that nobody understood.
    Row(
      text: "We went home. Thanks for watching. It rained.", heard: "We went home. # # It rained.",
      found: ["not-heard-clearly|Thanks for watching.|"]),
    // A short word inside a sentence is easily missed.
    Row(text: "We went to the home.", heard: "We went to home.", found: ["not-heard-clearly|the|"]),
    // Speech that the text leaves out.
    Row(
      text: "We went home. It rained.", heard: "We went home. Nobody was there. It rained.",
      found: ["not-in-text||Nobody was there."]),
    Row(
      text: "Wir gingen. Es regnete.", heard: "Wir gingen. Niemand war da. Es regnete.",
      found: ["not-in-text||Niemand war da."], locale: "de-DE"),
    Row(
      text: "We went home. It rained.", heard: "We went home. Nobody? was? there.? It rained.",
      found: ["not-heard-clearly||Nobody was there."]),
    Row(text: "We went home.", heard: "Well we went home.", found: ["not-heard-clearly||Well"]),
    // Words that are heard otherwise.
    Row(
      text: "It costs fifty dollars.", heard: "It costs ninety dollars.",
      found: ["heard-otherwise|fifty|ninety"]),
    Row(text: "It costs €50.", heard: "It costs €90.", found: ["heard-otherwise|€50.|€90."]),
    Row(
      text: "Она любит чай.", heard: "Она любит кофе.", found: ["heard-otherwise|чай.|кофе."], locale: "ru-RU"
    ),
    Row(text: "It was fifteen.", heard: "It was fifty.", found: ["heard-otherwise|fifteen.|fifty."]),
    // In writing without spaces, characters are compared.
    Row(
      text: "我昨天去了北京。他很高兴。", heard: "我 昨天 去 了 南京。 他 很 高兴。", found: ["heard-otherwise|北|南"],
      locale: "zh-CN"),
    Row(
      text: "我们回家了。谢谢观看。下雨了。", heard: "我们 回家 了 下雨 了", found: ["not-said|谢谢观看。|"], locale: "zh-CN"),
    Row(text: "東京へ行きます。", heard: "東京 へ 行き ます", found: [], locale: "ja-JP"),
    // Not if they sound alike, the recognizer is unsure, or considered them.
    Row(
      text: "Mr. Moreland came.", heard: "Mr. Morland came.", found: ["not-heard-clearly|Moreland|Morland"]),
    Row(
      text: "Она любит чай.", heard: "Она любит чаю.", found: ["not-heard-clearly|чай.|чаю."], locale: "ru-RU"
    ),
    Row(text: "It was fifteen.", heard: "It was fifty.?", found: ["not-heard-clearly|fifteen.|fifty."]),
    Row(text: "We met Peter.", heard: "We met Sandra?", found: ["not-heard-clearly|Peter.|Sandra"]),
    Row(text: "We met Peter.", heard: "We met Sandra~Peter", found: ["not-heard-clearly|Peter.|Sandra"]),
    // Other sentences in the place of some.
    Row(
      text: "One two. My cat sat on a mat. Seven eight.",
      heard: "One two. Bring the old wooden table inside now. Seven eight.",
      found: [
        "not-said|My cat sat on a mat.|Bring the old wooden table inside now.",
        "not-in-text|My cat sat on a mat.|Bring the old wooden table inside now.",
      ]),
    // Nothing is recognized at all.
    Row(text: "We went home.", heard: "# # #", found: ["not-heard-clearly|We went home.|"]),
    Row(text: "We went home.", heard: "", found: ["not-said|We went home.|"]),
  ]) func placesAreNamedAsTheEvidenceAllows(row: Row) throws {
    let report = try report(row.text, row.heard, locale: row.locale)
    #expect(report.findings.map { "\($0.kind.rawValue)|\($0.claimed)|\($0.heard)" } == row.found)
  }

  @Test func numbersAndNamesComeFirst() throws {
    let report = try report(
      "We ate bread. We met Peter. Pay 20 now. Thanks for all. Go.",
      "We ate cheese. We met Sandra. Pay 70 now. Go.")
    #expect(report.ordered.map(\.claimed) == ["Peter.", "20", "bread.", "Thanks for all."])
    #expect(report.hasFindings)
  }

  /// The recognizer's own text says nothing against a person's.
  @Test func personsWordsAreSure() throws {
    var heard = transcript(["We met? Peter?"])
    let words = ["We", "met", "Sandra."].enumerated().map { index, text in
      Word(text: text, start: Double(index), end: Double(index + 1), confidence: nil)
    }
    heard.segments[0].candidates.append(
      Candidate(text: "We met Sandra.", words: words, confidence: nil, source: Candidate.person))
    heard.segments[0].selection = .init(index: 1, rule: RerankingRule.correction.rawValue)
    let claim = try ClaimedTextReader(file: "a").read(Data("We met Peter.".utf8), .txt)
    #expect(TextAudit(claim, heard: heard).report().findings.map(\.kind) == [.heardOtherwise])
  }

  @Test func everySecondHasAState() throws {
    let report = try report(
      "One two fish. Nine ten.", "One two bird. # Nobody said that here. Nine? ten.")
    #expect(report.spans.first?.start == 0)
    #expect(report.spans.last?.end == report.duration)
    #expect(zip(report.spans, report.spans.dropFirst()).allSatisfy { $0.end == $1.start })
    #expect(
      report.spans.map(\.state) == [
        .supported, .contradicted, .unclear, .notInText, .supported, .noSpeech,
      ])
  }

  @Test func timesThatAreOffAreOnePlace() throws {
    let captions = """
      1
      00:00:02,000 --> 00:00:04,000
      One two.

      2
      00:00:04,000 --> 00:00:06,000
      Three four.

      3
      00:00:04,500 --> 00:00:06,000
      Five six.

      4
      00:00:03,000 --> 00:00:08,000
      Seven eight.
      """
    let claim = try ClaimedTextReader(file: "a").read(Data(captions.utf8), .srt)
    let audit = TextAudit(claim, heard: transcript(["One two. Three four. Five six. Seven eight."]))
    #expect(
      audit.report().findings.map { "\($0.start) \($0.end) \($0.reason)" } == [
        "0.0 4.0 the times of 2 parts are 2.0 s too late", "6.0 8.0 the time is 3.0 s too early",
      ])
    #expect(audit.report(maxShift: 3).findings.isEmpty)
  }

  @Test(arguments: [
    ("So we went", "home early.", 1), ("So we went.", "home early.", 0), ("So we went", "Home early.", 0),
  ]) func speakerChangesInsideASentence(first: String, second: String, count: Int) throws {
    let json = """
      {"segments": [{"start": 0, "end": 3, "speaker": "A", "text": "\(first)"},
        {"start": 3, "end": 5, "speaker": "B", "text": "\(second)"}]}
      """
    let claim = try ClaimedTextReader(file: "a").read(Data(json.utf8), .json)
    let report = TextAudit(claim, heard: transcript(["So we went home early."])).report()
    #expect(report.count(.speaker) == count)
  }

  @Test func correctedCopyLabelsEachChange() throws {
    let captions =
      "1\r\n00:00:00,000 --> 00:00:03,000\r\n<i>It costs fifty</i> dollars.\r\n\r\n"
      + "2\r\n00:00:03,000 --> 00:00:09,000\r\nThanks for watching.\r\n- We go & come.\r\n"
    let claim = try ClaimedTextReader(file: "a").read(Data(captions.utf8), .srt)
    let heard = transcript(["It costs ninety dollars. Nobody was there. We go and come."])
    let copy = TextAudit(claim, heard: heard).report().corrected(Data(captions.utf8))
    #expect(
      copy.map { String(decoding: $0, as: UTF8.self) }
        == captions.replacing("fifty", with: "ninety [was: fifty]")
        .replacing(
          "Thanks for watching.", with: "[not said: Thanks for watching.] [also said: Nobody was there.]"))
    let first = try report("It rained.", "Nobody was there. It rained.")
    #expect(
      first.corrected(Data("It rained.".utf8)).map { String(decoding: $0, as: UTF8.self) }
        == "[also said: Nobody was there.] It rained.")
  }

  /// A text, its format and the words of it that nobody said, and how the copy has them. What stands between the words stays: the
  /// times of captions, blank lines, speakers and tags.
  @Test(
    arguments: [
      (
        "1\n00:00:00,000 --> 00:00:03,000\nIt rained.\n\n2\n00:00:03,000 --> 00:00:05,000\nThanks so much\nfor it\n\n"
          + "3\n00:00:05,000 --> 00:00:07,000\n<b>and for</b> watching. Bye.\n", .srt, 2..<10,
        "1\n00:00:00,000 --> 00:00:03,000\nIt rained.\n\n2\n00:00:03,000 --> 00:00:05,000\n"
          + "[not said: Thanks so much for it and for watching.]\n\n"
          + "3\n00:00:05,000 --> 00:00:07,000\n<b></b>  Bye.\n"
      ),
      (
        "Anna: Да.\n\nBen: Спасибо за просмотр.\n\nAnna: Пока. Мы идём.\n\nBen: Да.\n", .txt, 1..<5,
        "Anna: Да.\n\nBen: [not said: Спасибо за просмотр. Пока.]\n\nAnna:  Мы идём.\n\nBen: Да.\n"
      ),
      ("eins zwei\ndrei vier", .txt, 1..<3, "eins [not said: zwei drei] vier"),
      ("下雨了。谢谢观看。再见", .txt, 3..<7, "下雨了。[not said: 谢谢观看。]再见"),
    ] as [(String, ClaimedTextReader.Format, Range<Int>, String)])
  func correctedCopyKeepsWhatIsBetweenWords(
    text: String, format: ClaimedTextReader.Format, words: Range<Int>, expected: String
  ) throws {
    let claim = try ClaimedTextReader(file: "a").read(Data(text.utf8), format)
    var report = TextAudit(claim, heard: transcript(["Quite other words."])).report()
    report.findings = [
      .init(
        kind: .notSaid, start: 0, end: 1,
        claimed: report.words[words].map(\.text).joined(separator: text.contains(" ") ? " " : ""), reason: "",
        words: words)
    ]
    let copy = try #require(report.corrected(Data(text.utf8)))
    #expect(String(decoding: copy, as: UTF8.self) == expected)
  }

  /// What is said in place of a sentence that nobody said is listed once: by the sentence that names it.
  @Test(arguments: [
    (
      "It rained. Thanks for watching.", "It rained. Nobody was there.",
      [
        "\"Thanks for watching.\" is not said: other words are said here.",
        "The text leaves out \"Nobody was there.\" (confidence 0.95).",
      ]
    ),
    (
      "Я ушёл. Спасибо за просмотр.", "Я ушёл. Никого не было.",
      [
        "\"Спасибо за просмотр.\" is not said: other words are said here.",
        "The text leaves out \"Никого не было.\" (confidence 0.95).",
      ]
    ),
    (
      "It rained. Thanks for watching.", "It rained.",
      ["\"Thanks for watching.\" is not said: nothing is said here."]
    ),
  ]) func wordsSaidInPlaceOfOthersAreListedOnce(text: String, heard: String, listed: [String]) throws {
    let report = try report(text, heard)
    #expect(report.listed.map(\.sentence) == listed)
  }

  /// What is left out stands after the words in whose place it is said, in English and in Russian.
  @Test(arguments: [
    (
      "It rained. Thanks for watching.", "It rained. Nobody was there.",
      #">Thanks for watching.</mark> <mark class="not-in-text""#, "+ Nobody was there.</mark>"
    ),
    (
      "Я ушёл. Спасибо за просмотр.", "Я ушёл. Никого не было.",
      #">Спасибо за просмотр.</mark> <mark class="not-in-text""#, "+ Никого не было.</mark>"
    ),
    (
      "We go to our channel and stay.", "We go to bear in mind that many years have passed and stay.",
      #">our channel</mark> <mark class="not-in-text""#,
      "+ bear in mind that many years have passed</mark> and stay."
    ),
  ]) func pageShowsWhatIsSaidInPlaceOfOtherWords(text: String, heard: String, words: String, added: String)
    throws
  {
    let page = AuditPage(try report(text, heard), title: "a").html
    #expect(page.contains(words))
    #expect(page.contains(added))
  }

  @Test func pageListsTimesApart() throws {
    let captions = "1\n00:00:08,000 --> 00:00:09,000\nOne two.\n"
    let claim = try ClaimedTextReader(file: "a").read(Data(captions.utf8), .srt)
    let page = AuditPage(TextAudit(claim, heard: transcript(["One two."])).report(), title: "a.srt").html
    #expect(page.contains("<h2>Times and speakers</h2>"))
    #expect(!page.contains("<h2>What is wrong</h2>"))
  }

  @Test func pageAndTextNameThePlaces() throws {
    let report = try report("A <b> & we ate bread.", "A b and we ate cheese.")
    let page = AuditPage(report, title: "<x>.txt").html
    #expect(page.contains("<title>&lt;x&gt;.txt · a</title>"))
    #expect(
      page.contains("The text says &quot;bread&quot;, but &quot;cheese&quot; is heard (confidence 0.95)."))
    #expect(page.contains(#"<mark class="heard-otherwise""#))
    #expect(page.contains(#"data-time="5.00">bread.</mark>"#))
    #expect(page.contains("A &lt;b&gt; &amp; we ate"))
    #expect(!page.contains("http"))
    #expect(
      report.text(listsUnclear: false).hasPrefix(
        "00:00:05  The text says \"bread\", but \"cheese\" is heard (confidence 0.95).\n\n1 place that is heard"
      ))
  }
}
