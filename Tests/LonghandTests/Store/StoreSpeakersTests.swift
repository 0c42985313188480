import Foundation
import Longhand
import StoreAuditing
import Testing

@testable import LonghandArchive
@testable import LonghandTranscripts

@Suite struct StoreSpeakersTests {
  private func segments(channels: [Int?]) -> [Segment] {
    channels.enumerated().map { id, channel in
      var segment = StoreFixture.segment(id, "word number \(id)")
      segment.channel = channel
      return segment
    }
  }

  @Test func labelsAreAddedWhenSegmentsAreRead() throws {
    try StoreFixture.temporary { store in
      let session = try store.add([])
      let plain = segments(channels: [0, 1, nil])
      try store.append(plain, to: session)
      try store.changeSpeakers(of: session) { $0.addChannels(2, names: ["Anna", "Ben"]) }
      let again = try TranscriptStore(at: store.folder)
      let transcript = try again.transcript(of: session)
      #expect(transcript.segments.map { $0.speaker?.speaker } == ["channel1", "channel2", nil])
      #expect(transcript.segments.map(\.withoutSpeakers) == plain)
      #expect(transcript.speakers.map(\.name) == ["Anna", "Ben"])
      #expect(try again.page(of: session, limit: 2).map { $0.speaker?.speaker } == ["channel2", nil])
      #expect(try again.segments(of: session, from: 0, limit: 1) == Array(transcript.segments.prefix(1)))
      // What is labelled can be committed again.
      try again.append(transcript.segments, to: session)
    }
  }

  /// A page has the same labels as the whole transcript.
  @Test func pagesHaveTheLabelsOfTheWhole() throws {
    try StoreFixture.temporary { store in
      let session = try store.add([])
      try store.append(segments(channels: Array(repeating: nil, count: 50)), to: session)
      let turns = (0..<100).map { index in
        SpeakerTurn(
          start: Double(index) * 3, end: Double(index) * 3 + 2.5, speaker: "\(index % 3)", confidence: 0.25)
      }
      try store.changeSpeakers(of: session) { $0.setTurns(turns) }
      let whole = try store.transcript(of: session).segments
      for from in stride(from: 0, to: 50, by: 7) {
        #expect(
          try store.segments(of: session, from: from, limit: 7) == Array(whole[from..<min(50, from + 7)]))
      }
    }
  }

  @Test func speakersRoundTrip() throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["one", "two"])
      let other = try store.add(["two"], StoreFixture.session(start: 1))
      var speakers = SessionSpeakers()
      speakers.addChannels(2, names: ["Anna"])
      speakers.setTurns([SpeakerTurn(start: 0, end: 1.5, speaker: "x", confidence: nil)], ofChannel: 1)
      try speakers.assign(StoreFixture.segment(0, "one"), to: "Dora")
      try speakers.assign(StoreFixture.segment(1, "one"), to: "channel2")
      try speakers.merge("Anna", "Dora")
      speakers.echoes = [EchoWord(channel: 1, start: 0.5, end: 0.75, word: "one")]
      let expected = speakers
      try store.changeSpeakers(of: session) { $0 = expected }
      #expect(try store.speakers(of: session) == expected)
      #expect(try store.speakers(of: other).isEmpty)
    }
  }

  @Test func turnsByNumberRoundTripAndAreErased() throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["one"])
      let other = try store.add(["two"], StoreFixture.session(start: 1))
      let one = [SpeakerTurn(start: 0, end: 1.5, speaker: "0", confidence: nil)]
      let two = [
        SpeakerTurn(start: 0, end: 0.5, speaker: "0", confidence: 0.75),
        SpeakerTurn(start: 0.25, end: 1.5, speaker: "1", confidence: 0.5),
      ]
      for (number, id) in [(1, session), (2, other)] {
        try store.setTurnsByNumber(TurnsByNumber(engine: "e\(number)", turns: [1: one, 2: two]), of: id)
      }
      let again = try TranscriptStore(at: store.folder)
      #expect(try again.turns(of: session, voices: 1)?.turns == one)
      #expect(try again.turns(of: session, voices: 2)?.turns == two)
      #expect(try again.turns(of: session, voices: 2)?.engine == "e1")
      #expect(try again.turns(of: session, voices: 3) == nil)
      expect(.invalid("a speaker's turn has impossible times")) {
        let wrong = [SpeakerTurn(start: 1, end: .nan, speaker: "0", confidence: nil)]
        try store.setTurnsByNumber(TurnsByNumber(engine: "", turns: [1: wrong]), of: session)
      }
      try store.setTurnsByNumber(nil, of: session)
      #expect(try store.turns(of: session, voices: 1) == nil)
      try store.removeContent(of: other)
      let left = try store.write { try $0.row("SELECT count(*) FROM numbered_turn") { $0.integer(0) } }
      #expect(left == 0)
    }
  }

  /// Also the name of the voice that is not there with one voice.
  @Test func namesComeBackWithTheNumberOfVoices() throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["one two", "three four"])
      let two = [
        SpeakerTurn(start: 0, end: 5, speaker: "0", confidence: 0.9),
        SpeakerTurn(start: 6, end: 11, speaker: "1", confidence: 0.9),
      ]
      let one = two.map { SpeakerTurn(start: $0.start, end: $0.end, speaker: "0", confidence: 0.9) }
      try store.setTurnsByNumber(TurnsByNumber(engine: "e", turns: [1: one, 2: two]), of: session)
      try store.changeSpeakers(of: session) {
        $0.setTurns(two, by: "e")
        try $0.rename("Speaker 1", to: "Anna")
        try $0.rename("Speaker 2", to: "Ben")
      }
      let before = try store.speakers(of: session)
      #expect(try store.setNumber(ofVoices: 1, of: session))
      #expect(try store.transcript(of: session).speakers.count == 1)
      #expect(try store.setNumber(ofVoices: 2, of: session))
      #expect(try store.speakers(of: session) == before)
      #expect(try store.transcript(of: session).speakers.map(\.name) == ["Anna", "Ben"])
      #expect(try !store.setNumber(ofVoices: 3, of: session))
    }
  }

  /// Who says each segment as a person said, in order.
  private func said(_ store: TranscriptStore, _ session: String) throws -> [String?] {
    let speakers = try store.speakers(of: session)
    return try store.transcript(of: session).segments.map { segment in
      #expect(segment.words.allSatisfy { $0.speaker == segment.speaker?.speaker })
      return speakers.entries.first { $0.id == segment.speaker?.speaker }?.name
    }
  }

  private func assign(_ id: Int, to name: String, _ store: TranscriptStore, _ session: String) throws {
    let segment = try store.segment(id, in: session)
    try store.changeSpeakers(of: session, ifCurrent: [segment]) { try $0.assign(segment, to: name) }
  }

  @Test func dividedSegmentKeepsItsSpeakerInAllParts() throws {
    try StoreFixture.temporary { store in
      var session = StoreFixture.session()
      session.state = .complete
      let id = try store.add(["One two three.", "Four five."], session)
      try assign(0, to: "Anna", store, id)
      try store.edit([0], to: ["One", "two", "three."], in: id)
      #expect(try said(store, id) == ["Anna", "Anna", "Anna", nil])
      try assign(2, to: "Ben", store, id)
      #expect(try said(store, id) == ["Anna", "Ben", "Anna", nil])
      // The words are in the first segment again.
      try store.undo(in: id)
      #expect(try store.transcript(of: id).segments.map(\.text) == ["One two three.", "", "", "Four five."])
      #expect(try said(store, id).first == "Anna")
      try store.redo(in: id)
      #expect(try said(store, id) == ["Anna", "Ben", "Anna", nil])
      // Joined words stay in their segments.
      try store.edit([0, 2], to: ["One two"], in: id)
      try store.edit([3, 1], to: ["three. Four", "five."], in: id)
      #expect(try store.transcript(of: id).segments.map(\.text) == ["One", "two", "three.", "Four", "five."])
      #expect(try said(store, id) == ["Anna", "Ben", "Anna", nil, nil])
      try store.changeSpeakers(of: id) { $0.setTurns([SpeakerTurn(start: 0, end: 60, speaker: "x")]) }
      #expect(try said(store, id).prefix(3) == ["Anna", "Ben", "Anna"])
      #expect(try store.audit().problems == [])
    }
  }

  /// Then each channel has segments of its own in place of those of the mix, and back.
  @Test func assignmentsStayWhenOtherChannelsAreTranscribed() throws {
    try StoreFixture.temporary { store in
      let id = try store.add(["one two", "three four", "five six"])
      try assign(1, to: "Anna", store, id)
      func empty(_ id: Int, _ channel: Int?) -> SegmentEdit {
        var segment = StoreFixture.segment(id, "")
        (segment.end, segment.channel) = (segment.start, channel)
        return .revise(id, segment)
      }
      func new(_ id: Int, _ channel: Int?) -> SegmentEdit {
        var segment = StoreFixture.segment(id, "new \(id)")
        (segment.start, segment.end, segment.channel) = (segment.start + 0.5, segment.end - 1, channel)
        return .insert(after: 2, segment)
      }
      func apply(_ edits: [SegmentEdit]) throws {
        _ = try store.apply(
          edits, reason: "test", [], to: try store.session(matching: id), spellings: nil)
      }
      try apply((0..<3).map { empty($0, nil) } + [0, 1].flatMap { c in (0..<3).map { new($0, c) } })
      #expect(try said(store, id).suffix(6) == [nil, "Anna", nil, nil, "Anna", nil])
      #expect(try store.hasChannels(id))
      // Segment 4 was at the time of segment 1.
      #expect(try Set(store.speakers(of: id).assignments.keys) == [1, 4, 7])
      try assign(5, to: "Ben", store, id)
      try apply((3..<9).map { empty($0, $0 < 6 ? 0 : 1) } + (0..<3).map { new($0, nil) })
      #expect(try !store.hasChannels(id))
      // They are after segment 2, before those of the channels.
      #expect(try said(store, id)[3..<6] == [nil, "Anna", "Ben"])
    }
  }

  /// Whoever says most of the segment.
  @Test func hitIsOfWhoSaysTheMatchingWords() throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["have you moved the window yes moved"])
      // Each word takes a third of a second.
      try store.changeSpeakers(of: session) {
        $0.setTurns([
          SpeakerTurn(start: 0, end: 5.0 / 3, speaker: "a"),
          SpeakerTurn(start: 5.0 / 3, end: 5, speaker: "b"),
        ])
      }
      func count(_ text: String, _ speaker: String) throws -> Int {
        try store.hits(saidBy: speaker, limit: 9, among: { try store.search(text, limit: $0) }, check: {})
          .count
      }
      #expect(try count("window", "Speaker 1") == 1)
      #expect(try count("window", "Speaker 2") == 0)
      #expect(try count("yes", "Speaker 1") == 0)
      #expect(try count("yes", "speaker 2") == 1)
      #expect(try count("moved", "Speaker 1") == 1)
      #expect(try count("moved", "Speaker 2") == 1)
    }
  }

  @Test func assignmentOfUnknownSegmentIsRefused() throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["one"])
      #expect(throws: StoreError.self) {
        try store.changeSpeakers(of: session) { try $0.assign(StoreFixture.segment(1, "two"), to: "Anna") }
      }
      #expect(try store.speakers(of: session).isEmpty)
    }
  }

  @Test func failedChangeStoresNothing() throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["one"])
      try store.changeSpeakers(of: session) { $0.addChannels(1) }
      let before = try store.speakers(of: session)
      #expect(throws: SpeakerError.self) {
        try store.changeSpeakers(of: session) {
          try $0.rename("Channel 1", to: "Anna")
          try $0.rename("nobody", to: "Ben")
        }
      }
      expect(.invalid("a speaker's turn has impossible times")) {
        try store.changeSpeakers(of: session) { $0.setTurns([SpeakerTurn(start: 2, end: 1, speaker: "x")]) }
      }
      #expect(try store.speakers(of: session) == before)
    }
  }

  /// What channels say at the same time does not cut each other.
  @Test func revisionIsCutByItsOwnChannelOnly() throws {
    try StoreFixture.temporary { store in
      let session = try store.add([])
      var all = segments(channels: [0, 1, 0])
      all[1].start = 1
      try store.append(all, to: session)
      let revised = try store.revise(0, in: session, selection: .recognizer, range: 0...9, reason: "longer")
      #expect(revised.end == 9)
      #expect(revised.channel == 0)
    }
  }
}
