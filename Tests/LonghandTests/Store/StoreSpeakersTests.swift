import Foundation
import Longhand
import Testing

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
      let session = try store.add(["one"])
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
