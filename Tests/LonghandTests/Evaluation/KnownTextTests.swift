import Longhand
import ScriptedSpeech
import Testing

@Suite struct KnownTextTests {
  /// A transcript whose segments are lines, and whose words last a second each.
  private func transcript(_ lines: String..., locale: String = "en-US") -> Transcript {
    var time = 0.0
    let segments = lines.enumerated().map { index, line in
      let words = line.split(separator: " ").map { word in
        defer { time += 1 }
        return Word(text: String(word), start: time, end: time + 1, confidence: 0.9)
      }
      return Segment(
        id: index, start: words[0].start, end: time,
        candidates: [Candidate(text: line, words: words, confidence: 0.9)])
    }
    return Transcript(
      source: "a", locale: locale, engine: "e", duration: time, segments: segments,
      coverage: Coverage(transcribed: time))
  }

  /// The words of the text with their beginnings, a segment a line, and the warnings.
  private func aligned(_ text: String, _ transcript: Transcript) -> (lines: [String], warnings: [String]) {
    let result = KnownText(text).alignment(with: transcript).transcript
    return (
      result.segments.map { $0.words.map { "\($0.text) \(Int($0.start))" }.joined(separator: " ") },
      result.warnings.map(\.message)
    )
  }

  @Test func wordsHaveTheTimesOfTheRecognizedOnes() {
    let found = aligned(
      "“Go forward,” he said.\n\nThen — he went!", transcript("go forward he said", "then he went"))
    #expect(found.lines == ["“Go 0 forward,” 1 he 2 said. 3", "Then 4 — 5 he 5 went! 6"])
    #expect(found.warnings.isEmpty)
  }

  @Test func charactersOfWritingWithoutSpacesHaveTheirTimes() {
    let said = transcript("我 昨天 去 了", "北京 很 好", locale: "zh-CN")
    let found = aligned("我昨天去了北京。很好。", said)
    #expect(found.lines == ["我 0 昨 1 天 1 去 2 了 3", "北 4 京。 4 很 5 好。 6"])
    #expect(found.warnings.isEmpty)
    let result = KnownText("我昨天去了北京。“很好。” OK").alignment(with: said).transcript
    #expect(result.segments.map(\.text) == ["我昨天去了", "北京。“很好。”"])
  }

  @Test func numbersAndAbbreviationsAreEqualInEnglish() {
    let found = aligned(
      "Mr. Gray paid $5 in 1905.", transcript("mister gray paid five dollars in nineteen oh five"))
    #expect(found.lines == ["Mr. 0 Gray 1 paid 2 $5 3 in 5 1905. 6"])
    let german = aligned("Im Jahr 1905", transcript("Im Jahr 1905", locale: "de-DE"))
    #expect(german.lines == ["Im 0 Jahr 1 1905 2"])
  }

  /// The time of a number is that of all its words, in whatever way it is said and written.
  @Test(arguments: [
    ("en-US", "In 1999. Yes", "in nineteen ninety nine yes", 4),
    ("en-US", "In 1,999 yes", "in one thousand nine hundred and ninety nine yes", 8),
    ("en-US", "In 1999 yes", "in one thousand nine hundred ninety nine yes", 7),
    ("en-US", "In 1999 yes", "in one nine nine nine yes", 5),
    ("en-US", "In 5551234 yes", "in 555 1234 yes", 3), ("en-US", "In 5,000 yes", "in five thousand yes", 3),
    ("de-DE", "In 1999. Ja", "in neunzehnhundertneunundneunzig ja", 2),
    ("de-DE", "In 5.000 ja", "in fünf tausend ja", 3),
    ("fr-FR", "En 1999, oui", "en mille neuf cent quatre-vingt-dix-neuf oui", 5),
    ("fr-FR", "En 5000 oui", "en 5 000 oui", 3),
    ("es-ES", "En 1999. Sí", "en mil novecientos noventa y nueve sí", 6),
    ("it-IT", "Nel 1999 sì", "nel millenovecentonovantanove sì", 2),
    ("pt-BR", "Em 1999, sim", "em mil novecentos e noventa e nove sim", 7),
    ("nl-NL", "In 1999 ja", "in negentien negenennegentig ja", 3),
    ("ru-RU", "В 1999 да", "в тысяча девятьсот девяносто девять да", 5),
  ])
  func figuresHaveTheTimeOfTheirWords(_ locale: String, _ text: String, _ said: String, _ end: Int) {
    let written = text.split(separator: " ")
    let figures = KnownText(text).alignment(with: transcript(said, locale: locale)).transcript
    #expect(figures.warnings.isEmpty, "\(figures.warnings.map(\.message))")
    #expect(
      figures.segments.flatMap(\.words).map { "\($0.text) \($0.start)-\($0.end)" } == [
        "\(written[0]) 0.0-1.0", "\(written[1]) 1.0-\(Double(end))",
        "\(written[2]) \(Double(end))-\(Double(end + 1))",
      ])
    // The other way round: the words share the time of the figures.
    let words = KnownText(said).alignment(with: transcript(text, locale: locale)).transcript
    #expect(words.warnings.isEmpty, "\(words.warnings.map(\.message))")
    let aligned = words.segments.flatMap(\.words)
    #expect(aligned.map(\.text).joined(separator: " ") == said)
    #expect(aligned.first?.end == 1)
    #expect(aligned.last?.start == 2)
    #expect(aligned.dropFirst().first?.start == 1)
    #expect(
      zip(aligned, aligned.dropFirst()).allSatisfy { abs($0.end - $1.start) < 1e-9 && $0.start < $0.end })
  }

  @Test func moneyIsSaidAfterItsNumber() {
    let figures = aligned("It cost $5 million, then", transcript("it cost five million dollars then"))
    #expect(figures.lines == ["It 0 cost 1 $5 2 million, 2 then 5"])
    #expect(figures.warnings.isEmpty)
    let words = aligned("It cost five million dollars then", transcript("it cost $5 million then"))
    #expect(words.lines == ["It 0 cost 1 five 2 million 2 dollars 3 then 4"])
    #expect(words.warnings.isEmpty)
  }

  @Test func wordsOfANumberKeepTheirTimes() {
    let found = aligned("Nineteen ninety-nine, one of them", transcript("nineteen ninety nine one of them"))
    #expect(found.lines == ["Nineteen 0 ninety-nine, 1 one 3 of 4 them 5"])
    let same = KnownText("In Nineteen Ninety Nine.").alignment(with: transcript("in nineteen ninety nine"))
      .transcript
    #expect(same.segments.flatMap(\.words).map(\.start) == [0, 1, 2, 3])
  }

  /// Names are often recognized as other words, or as several.
  @Test func wordsThatSoundAlikeAreSaid() {
    let found = aligned("Miss Moreland met Catherine there", transcript("miss more land met kathryn there"))
    #expect(found.lines == ["Miss 0 Moreland 1 met 3 Catherine 4 there 5"])
    #expect(found.warnings.isEmpty)
  }

  @Test func sentenceThatIsNotSaidMovesNothing() {
    let found = aligned(
      "One two three four. The quick brown fox jumps over it. Five six seven eight.",
      transcript("one two three four", "five six seven eight"))
    #expect(found.lines == ["One 0 two 1 three 2 four. 3", "Five 4 six 5 seven 6 eight. 7"])
    #expect(found.warnings == ["Not said: The quick brown fox jumps over it."])
  }

  @Test func sentenceThatIsNotInTheTextMovesNothing() {
    let found = aligned(
      "One two three four. Five six seven eight.",
      transcript("one two three four", "the quick brown fox jumps over it", "five six seven eight"))
    #expect(found.lines == ["One 0 two 1 three 2 four. 3", "Five 11 six 12 seven 13 eight. 14"])
    #expect(found.warnings == ["Not in the text: the quick brown fox jumps over it"])
  }

  /// Words such as "the" are in both by chance.
  @Test func wrongSentenceIsReportedAsAWhole() {
    let found = aligned(
      "One two three four. Nobody knew what was hidden behind the heavy wooden gate. Five six seven eight.",
      transcript(
        "one two three four", "a quick brown fox jumps over the lazy dog yesterday morning",
        "five six seven eight"))
    #expect(found.lines == ["One 0 two 1 three 2 four. 3", "Five 15 six 16 seven 17 eight. 18"])
    #expect(found.warnings.first == "Not said: Nobody knew what was hidden behind the heavy wooden gate.")
  }

  @Test func recognizedWordsStayAsCandidates() {
    let result = KnownText("Go forward!").alignment(with: transcript("go for word")).transcript
    #expect(result.segments.map { $0.candidates.map(\.text) } == [["go for word", "Go forward!"]])
    #expect(result.segments.first?.chosen.source == Candidate.person)
  }

  /// Whatever is said and written: times are inside the audio and in order, and each word of the text has one or is reported.
  @Test func timesAreInsideAndInOrder() {
    var generator = SeededGenerator(seed: 37)
    let words = [
      "the", "a", "moreland", "more", "land", "1905", "nineteen", "o", "five", "—", "Mr.", "gray", "two-day",
      "hundred-year",
    ]
    func text(_ count: Int) -> String {
      (0..<count).map { _ in words.randomElement(using: &generator) ?? "" }.joined(separator: " ")
    }
    for _ in 0..<500 {
      let known = text(Int.random(in: 1...20, using: &generator))
      let source = transcript(
        text(Int.random(in: 1...9, using: &generator)), text(Int.random(in: 1...9, using: &generator)))
      let result = KnownText(known).alignment(with: source).transcript
      let times = result.segments.flatMap(\.words).flatMap { [$0.start, $0.end] }
      #expect(times == times.sorted())
      #expect(times.allSatisfy { (0...source.duration).contains($0) })
      let left = result.warnings.filter { $0.code == .notSaid }
        .flatMap { $0.message.dropFirst("Not said: ".count).split(separator: " ") }
      #expect(result.segments.flatMap(\.words).count + left.count == known.split(separator: " ").count)
    }
  }
}
