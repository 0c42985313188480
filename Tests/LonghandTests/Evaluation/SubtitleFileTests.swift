import Longhand
import Testing

@Suite struct SubtitleFileTests {
  /// A transcript with a word each second from a time on; `-` is a second of silence.
  private func transcript(_ text: String, from start: Double = 0) -> Transcript {
    let words = text.split(separator: " ").enumerated().filter { $1 != "-" }.map { index, word in
      Word(
        text: String(word), start: start + Double(index), end: start + Double(index) + 0.5, confidence: 0.9)
    }
    let segment = Segment(
      id: 0, start: words.first?.start ?? 0, end: words.last?.end ?? 0,
      candidates: [Candidate(text: words.map(\.text).joined(separator: " "), words: words, confidence: 0.9)])
    return Transcript(
      source: "a", locale: "en-US", engine: "e", duration: 10_000, segments: [segment], spans: [])
  }

  private func retimed(_ text: String, _ transcript: Transcript) throws -> String {
    let file = try #require(SubtitleFile(text))
    return try #require(KnownText(file).alignment(with: transcript).subtitles).text
  }

  @Test func onlyTheTimesChange() throws {
    let text = """
      \u{FEFF}7\r
      00:00:10,000 --> 00:00:12,900 X1:10 X2:20\r
      <i>The old  house</i>\r
      {\\an8}- was built, &amp; sold.\r
      \r
      0012\r
      00:00:14,000 --> 00:00:15,500\r
      ANNA: Nobody lives there

      """
    #expect(
      try retimed(text, transcript("the old house was built and sold - nobody lives there", from: 100))
        == """
        \u{FEFF}7\r
        00:01:40,000 --> 00:01:46,500 X1:10 X2:20\r
        <i>The old  house</i>\r
        {\\an8}- was built, &amp; sold.\r
        \r
        0012\r
        00:01:48,000 --> 00:01:50,500\r
        ANNA: Nobody lives there

        """)
  }

  @Test func stylesNotesSettingsAndNamesOfWebVTTStay() throws {
    let text = """
      WEBVTT - a

      STYLE
      ::cue { color: red }

      NOTE 00:01.000

      intro
      00:10.000 --> 00:12.000 align:start
      <v Anna>The old <00:11.000>house <00:11.500>[sic] was <b>sold</b>

      59:59.000 --> 1:00:01.000
      Nobody lives there
      """
    #expect(
      try retimed(text, transcript("the old house was sold - nobody lives there", from: 3595))
        == """
        WEBVTT - a

        STYLE
        ::cue { color: red }

        NOTE 00:01.000

        intro
        59:55.000 --> 59:59.500 align:start
        <v Anna>The old <59:57.000>house <59:58.000>[sic] was <b>sold</b>

        01:00:01.000 --> 01:00:03.500
        Nobody lives there
        """)
  }

  /// The times of the cues in seconds.
  private func times(
    _ cues: [(Double, Double, String)], _ transcript: Transcript
  ) throws -> [String] {
    func clock(_ seconds: Double) -> String { Milliseconds(seconds: seconds).clock(fraction: ",") }
    let text = cues.enumerated().map { "\($0)\n\(clock($1.0)) --> \(clock($1.1))\n\($1.2)\n\n" }.joined()
    return try retimed(text, transcript).split(separator: "\n").filter { $0.contains("-->") }.map {
      $0.split(separator: " ").filter { $0 != "-->" }.map { $0.dropFirst(3).description }.joined(
        separator: " ")
    }
  }

  /// Subtitles of a film at 25 frames a second, shown with one of 24000/1001: the sound is 4 % longer, also after the last cue that is
  /// found.
  @Test func cuesAfterTheLastOneThatIsFoundFollowTheRate() throws {
    let pause = [String](repeating: "-", count: 49).joined(separator: " ")
    let spoken = transcript("one two three \(pause) four five six", from: 20)
    let cues = [(10.0, 12.0, "One two three"), (60, 62, "Four five six"), (110, 111, "(applause)")]
    #expect(
      try times(cues, spoken) == ["00:20,000 00:22,500", "01:12,000 01:14,500", "02:04,000 02:05,000"])
  }

  @Test func cuesThatAreNotFoundMoveWithTheirNeighbours() throws {
    let spoken = transcript("one two three - - - - - - - four five six", from: 20)
    let cues = [
      (0.0, 1.0, "[birds sing]"), (10, 12, "One two three"), (15, 16, "♪ ♪"), (20, 22, "Four five six"),
      (30, 31, "(applause)"),
    ]
    #expect(
      try times(cues, spoken) == [
        "00:10,000 00:11,000", "00:20,000 00:22,500", "00:25,000 00:26,000", "00:30,000 00:32,500",
        "00:40,000 00:41,000",
      ])
  }

  @Test func cuesStayAsLongAsBeforeButNotIntoTheNextOne() throws {
    let spoken = transcript("one two - - - three four five", from: 0)
    // The first can be read for as long as before; the second ends at the next, at the same distance.
    #expect(
      try times([(50, 54, "One two"), (60, 69, "Three"), (69.04, 71, "four five")], spoken)
        == ["00:00,000 00:04,000", "00:05,000 00:05,960", "00:06,000 00:07,960"])
  }

  /// A name that is written and not said is not before the words.
  @Test func aCueBeginsWithItsFirstWord() throws {
    let spoken = transcript("- - - - yes I do think so", from: 0)
    for name in ["ANNA: ", "Anna: ", "DR. O'NEIL: ", "- ", "MAN #2: ", ""] {
      #expect(try times([(0, 4, "\(name)Yes, I do think so")], spoken) == ["00:04,000 00:08,500"], "\(name)")
    }
    // What is said before the first word that was found takes its share.
    #expect(try times([(0, 4, "Hmmmm I do think so.")], spoken) == ["00:03,750 00:08,500"])
  }

  @Test(arguments: ["", "Plain text.\n\nMore text.", "1\n2\n3", "a --> b", "NOTE\n\n00:01 --> 00:02"])
  func otherTextsAreNoSubtitles(_ text: String) { #expect(SubtitleFile(text) == nil) }

  @Test func segmentsOfTheTranscriptAreTheCues() throws {
    let file = try #require(
      SubtitleFile(
        "1\n00:00:00,000 --> 00:00:01,000\nThe old\nhouse\n\n2\n00:00:02,000 --> 00:00:03,000\nwas [door] built\n"
      ))
    let found = KnownText(file).alignment(with: transcript("the old house was built")).transcript
    #expect(found.segments.map(\.text) == ["The old house", "was built"])
    #expect(found.segments.map(\.start) == [0, 3])
    #expect(found.warnings.isEmpty)
  }
}
