import Testing

@testable import LonghandTranscripts

@Suite struct SessionSpeakersTests {
  /// Words of a second each, from 0 on.
  private func segment(
    _ words: Int, id: Int = 0, from start: Double = 0, channel: Int? = nil
  ) -> Segment {
    let words = (0..<words).map { index in
      Word(
        text: "w\(index)", start: start + Double(index), end: start + Double(index) + 0.8, confidence: nil)
    }
    let candidate = Candidate(text: words.map(\.text).joined(separator: " "), words: words, confidence: nil)
    return Segment(
      id: id, start: start, end: start + Double(words.count), candidates: [candidate], channel: channel)
  }

  private func turns(_ parts: (Double, Double, String)...) -> [SpeakerTurn] {
    parts.map { SpeakerTurn(start: $0.0, end: $0.1, speaker: $0.2, confidence: 0.75) }
  }

  @Test func wordsHaveTheSpeakerAtTheirMiddle() {
    var speakers = SessionSpeakers()
    speakers.setTurns(turns((0, 2.5, "a"), (2.5, 4, "b")))
    let (segments, list) = speakers.label([segment(4)])
    #expect(segments[0].words.map(\.speaker) == ["voice1", "voice1", "voice1", "voice2"].map { $0 })
    #expect(segments[0].speaker == SpeakerLabel(speaker: "voice1", basis: .voice, confidence: 0.75))
    #expect(segments[0].words.map(\.speakerConfidence) == [0.75, 0.75, 0.75, 0.75])
    #expect(list.map(\.name) == ["Speaker 1", "Speaker 2"])
    #expect(segments[0].withoutSpeakers == segment(4))
  }

  @Test(arguments: [(0.9, 0.7), (0.7, 0.9)])
  func wordInOverlapHasTheMoreProbableVoice(first: Double, second: Double) {
    var speakers = SessionSpeakers()
    speakers.setTurns([
      SpeakerTurn(start: 0, end: 1.9, speaker: "a", confidence: first),
      SpeakerTurn(start: 1, end: 4, speaker: "b", confidence: second),
    ])
    let words = speakers.label([segment(4)]).segments[0].words
    let between = first > second ? "voice1" : "voice2"
    #expect(words.map(\.speaker) == ["voice1", between, "voice2", "voice2"])
    #expect(words[1].speakerConfidence == max(first, second))
  }

  /// A voice that another one interrupts goes on.
  @Test func voiceWithinAnotherOneIsNoChange() {
    var speakers = SessionSpeakers()
    speakers.setTurns(turns((0, 4, "a"), (1.2, 1.6, "b")))
    #expect(speakers.label([segment(4)]).segments[0].words.allSatisfy { $0.speaker == "voice1" })
  }

  /// The voice seems to change a little before or after the mark.
  @Test(arguments: [
    (1.3, "w1.", 2), (2.55, "w1.", 2), (1.3, "w1", 1), (1.3, "w1,", 2), (1.15, "w1,", 1), (1.15, "w1—", 1),
    (1.15, "w1؟", 2), (1.15, "w1۔", 2), (1.15, "w1।", 2), (1.15, "w1՞", 2), (1.15, "w1?»", 2),
    (1.15, "w1？」", 2), (1.3, "w1،", 2),
  ])
  func speakerChangesAtAMark(edge: Double, word: String, first: Int) {
    var speakers = SessionSpeakers()
    speakers.setTurns(turns((0, edge, "a"), (edge, 4, "b")))
    var said = segment(4)
    said.candidates[0].words[1].text = word
    let words = speakers.label([said]).segments[0].words
    #expect(words.map(\.speaker) == (0..<4).map { $0 < first ? "voice1" : "voice2" })
  }

  @Test func improbableVoiceIsUnknown() {
    var speakers = SessionSpeakers()
    speakers.setTurns([
      SpeakerTurn(start: 0, end: 1.9, speaker: "a", confidence: 0.9),
      SpeakerTurn(start: 3, end: 7, speaker: "b", confidence: 0.4),
      SpeakerTurn(start: 9, end: 12, speaker: "a"),
    ])
    var transcript = Transcript(
      source: "a", locale: "en-US", engine: "analyzer", duration: 12,
      segments: [segment(2), segment(4, id: 1, from: 3), segment(3, id: 2, from: 9)], coverage: Coverage())
    speakers.label(&transcript)
    #expect(transcript.segments.map { $0.speaker?.speaker } == ["voice1", nil, "voice1"])
    #expect(transcript.segments.map { $0.speaker?.confidence } == [0.9, nil, nil])
    // Who says nothing for sure is there too, as in the turns.
    #expect(transcript.speakers.map(\.id) == ["voice1", "voice2"])
    #expect(transcript.turns.count == 3)
  }

  /// One or two words that no voice explains are those of the words around them, but not more.
  @Test(arguments: [1, 2, 3, 4]) func someWordsAreUnknown(count: Int) {
    let words: [String?] = ["a", "a"] + Array(repeating: nil, count: count) + ["a", "b"]
    let runs = words.speakerRuns
    #expect(runs.map(\.speaker) == (count < 3 ? ["a", "b"] : ["a", nil, "a", "b"]))
    #expect(runs.flatMap { Array($0.words) } == Array(words.indices))
  }

  @Test func mergesAreUndone() throws {
    var speakers = SessionSpeakers()
    speakers.setTurns(turns((0, 2, "a"), (2, 4, "b"), (4, 6, "c")))
    try speakers.rename("Speaker 3", to: "Carl")
    let before = speakers
    try speakers.merge("Speaker 1", "Carl")
    try speakers.merge("Speaker 1", "Speaker 2")
    #expect(speakers.label([segment(6)]).speakers.count == 1)
    try speakers.unmerge("Speaker 1")
    #expect(speakers == before)
    #expect(throws: SpeakerError.notMerged("Speaker 1")) { try speakers.unmerge("Speaker 1") }
    // The name was given to another one meanwhile.
    try speakers.merge("Speaker 1", "Carl")
    try speakers.rename("Speaker 2", to: "Carl")
    try speakers.unmerge("Speaker 1")
    #expect(speakers.named.map(\.name) == ["Speaker 1", "Carl", "Speaker 3"])
  }

  @Test func voiceFarFromEveryTurnIsUnknown() {
    var speakers = SessionSpeakers()
    speakers.setTurns(turns((0, 1, "a"), (9, 10, "b")))
    let labelled = speakers.label([segment(6)]).segments[0]
    #expect(labelled.words.map(\.speaker) == ["voice1", nil, nil, nil, nil, nil])
    #expect(labelled.speaker == nil)
  }

  @Test func channelsAreFactsAndPersonsWin() throws {
    var speakers = SessionSpeakers()
    speakers.addChannels(2, names: ["Anna"])
    let all = [
      segment(2, channel: 0), segment(2, id: 1, channel: 1), segment(2, id: 2, from: 4, channel: 0),
      segment(2, id: 3, from: 4, channel: 1),
    ]
    try speakers.assign(all[2], to: "Carl")
    let (segments, list) = speakers.label(all)
    #expect(segments.map { $0.speaker?.speaker } == ["channel1", "channel2", "person1", "channel2"])
    #expect(segments.map { $0.speaker?.basis } == [.channel, .channel, .person, .channel])
    #expect(list.map(\.name) == ["Anna", "Channel 2", "Carl"])
    #expect(list.map(\.seconds) == [2, 4, 2])
    // Voices that were heard before, when the channels were mixed.
    speakers.setTurns(turns((0, 2, "a"), (2, 9, "b")))
    #expect(speakers.label(all).segments.map { $0.speaker?.speaker } == segments.map { $0.speaker?.speaker })
    try speakers.merge("Anna", "Channel 2")
    #expect(
      speakers.label(all).segments.map { $0.speaker?.speaker }
        == ["channel1", "channel1", "person1", "channel1"])
  }

  @Test func assignmentLeavesNoCrumbsOfTurns() throws {
    var speakers = SessionSpeakers()
    speakers.setTurns(turns((0, 4.06, "a"), (4.5, 9, "b")))
    try speakers.assign(segment(4), to: "Zed")
    var transcript = Transcript(
      source: "a", locale: "en-US", engine: "analyzer", duration: 9,
      segments: [segment(4), segment(4, id: 1, from: 5)], coverage: Coverage())
    speakers.label(&transcript)
    #expect(transcript.turns.map(\.speaker) == ["voice2"])
  }

  @Test func nameOfAVoiceThatIsNotThereIsFree() throws {
    var speakers = SessionSpeakers()
    speakers.setTurns(turns((0, 10, "x"), (10, 15, "y")))
    try speakers.rename("Speaker 1", to: "Anna")
    try speakers.rename("Speaker 2", to: "Ben")
    speakers.setTurns(turns((0, 15, "z")))
    #expect(speakers.heard.map(\.shownName) == ["Anna"])
    speakers.setTurns(turns((0, 10, "x"), (10, 15, "y")))
    #expect(speakers.label([segment(15)]).speakers.map(\.name) == ["Anna", "Speaker 3"])
    try speakers.rename("Speaker 3", to: "Ben")
    #expect(speakers.label([segment(15)]).speakers.map(\.name) == ["Anna", "Ben"])
    #expect(throws: SpeakerError.taken("Anna")) { try speakers.rename("Ben", to: "Anna") }
  }

  @Test func namesAndMergesFollowAVoice() throws {
    var speakers = SessionSpeakers()
    speakers.setTurns(turns((0, 10, "x"), (10, 20, "y"), (20, 30, "z")))
    try speakers.rename("Speaker 2", to: "Ben")
    try speakers.merge("Ben", "Speaker 3")
    speakers.setTurns(turns((0, 1, "new"), (1, 9, "q"), (10, 19, "a"), (21, 30, "b")))
    let (segments, list) = speakers.label([segment(30)])
    #expect(segments[0].words[15].speaker == "voice2")
    #expect(segments[0].words[25].speaker == "voice2")
    #expect(segments[0].words[5].speaker == "voice4")
    #expect(list.map(\.name) == ["Speaker 1", "Ben", "Speaker 4"])
  }

  /// Whatever the number of speakers was before.
  @Test func labelsAreInTheOrderOfFirstSpeaking() {
    var speakers = SessionSpeakers()
    for parts in [
      turns((0, 10, "x"), (10, 20, "y"), (20, 30, "z")), turns((0, 1, "c"), (1, 20, "b"), (20, 30, "a")),
      turns((0, 2, "q"), (2, 30, "r")), turns((0, 5, "z"), (5, 9, "y"), (9, 30, "x")),
    ] {
      speakers.setTurns(parts)
      let words = speakers.label([segment(30)]).segments[0].words.compactMap(\.speaker)
      var order: [String] = []
      for id in words where !order.contains(id) { order.append(id) }
      let names = order.map { id in speakers.named.first { $0.id == id }?.name ?? "" }
      #expect(names == (1...names.count).map { "Speaker \($0)" })
    }
  }

  @Test func newAssignmentReplacesAnEarlierOne() throws {
    var speakers = SessionSpeakers()
    try speakers.assign(segment(2), to: "Anna")
    try speakers.assign(segment(2), to: "Ben")
    #expect(speakers.assignments.count == 1)
    #expect(speakers.label([segment(2)]).segments[0].speaker?.speaker == "person2")
  }

  /// Two segments without a length at one time, and two at the same times.
  @Test func assignmentHoldsForNamedSegmentOnly() throws {
    for length in [0.0, 2] {
      let all = (0..<2).map { id in
        var segment = segment(2, id: id)
        segment.end = length
        for index in segment.words.indices {
          segment.candidates[0].words[index].start = min(segment.words[index].start, length)
          segment.candidates[0].words[index].end = min(segment.words[index].end, length)
        }
        return segment
      }
      var speakers = SessionSpeakers()
      try speakers.assign(all[1], to: "Anna")
      var labelled = speakers.label(all).segments
      #expect(labelled.map { $0.speaker?.speaker } == [nil, "person1"])
      #expect(labelled.map { $0.words.map(\.speaker) } == [[nil, nil], ["person1", "person1"]])
      try speakers.assign(all[0], to: "Ben")
      labelled = speakers.label(all).segments
      #expect(labelled.map { $0.words.map(\.speaker) } == [["person2", "person2"], ["person1", "person1"]])
    }
  }

  /// Also those that it gets later, and without any.
  @Test func assignmentHoldsForAllWordsOfTheSegment() throws {
    var speakers = SessionSpeakers()
    speakers.setTurns(turns((0, 9, "a")))
    try speakers.assign(segment(2), to: "Anna")
    let all = [segment(4, from: 1), segment(0), segment(2, id: 1)]
    let labelled = speakers.label(all).segments
    #expect(labelled.map { Set($0.words.map(\.speaker)) } == [["person1"], [], ["voice1"]])
    #expect(labelled.map { $0.speaker?.basis } == [.person, .person, .voice])
  }

  @Test func impossibleChangesAreErrors() throws {
    var speakers = SessionSpeakers()
    speakers.addChannels(2, names: ["Anna", "Ben"])
    let old = speakers
    #expect(throws: SpeakerError.taken("Ben")) { try speakers.rename("Anna", to: "Ben") }
    #expect(throws: SpeakerError.unknown("Carl", known: ["Anna", "Ben"])) {
      try speakers.merge("Anna", "Carl")
    }
    #expect(throws: SpeakerError.impossibleName("a: b")) { try speakers.rename("Anna", to: "a: b") }
    #expect(speakers == old)
  }

  @Test(
    arguments: [
      ("Guest: Ann", "Guest Ann"), ("Host, Bob", "Host Bob"), (" Zoë\n\tO’Hara ", "Zoë O’Hara"),
      ("主持人：安", "主持人：安"),
      ("a  b", "a  b"), (String(repeating: "x", count: 120), String(repeating: "x", count: 100)),
      (" :, ", nil), ("", nil),
    ] as [(String, String?)]) func namesFromElsewhereBecomePossible(name: String, possible: String?)
  {
    #expect(SessionSpeakers.possible(name) == possible)
  }

  @Test func channelsHavePossibleNamesThatDiffer() {
    var speakers = SessionSpeakers()
    speakers.addChannels(4, names: ["A: B", "A, B", "C", ":"])
    #expect(speakers.named.map(\.name) == ["A B", "Channel 2", "C", "Channel 4"])
  }

  /// As a damaged or foreign file may have it.
  @Test func ringOfMergesEnds() {
    let entries = ["a", "b"].map { id in
      SessionSpeakers.Entry(id: id, basis: .voice, mergedInto: id == "a" ? "b" : "a")
    }
    let speakers = SessionSpeakers(entries: entries, turns: turns((0, 9, "a")))
    #expect(speakers.label([segment(2)]).segments[0].speaker == nil)
  }
}
