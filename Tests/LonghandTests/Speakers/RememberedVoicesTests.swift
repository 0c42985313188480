import Foundation
import Longhand
import SpeakerDiarization
import TestSupport
import Testing

@testable import LonghandTranscription

/// Voices are remembered in a file of their own, and are recognized by it.
@Suite struct RememberedVoicesTests {
  /// Two prints of each voice, made once.
  private static let prints = Result {
    try [SyntheticVoice.low, .middle, .high].map { voice in
      try (1...2).map { try print(of: voice, seconds: 15, seed: $0) }
    }
  }

  /// A print that is made once.
  private static func print(of voice: SyntheticVoice, seed: Int) throws -> RememberedPrint {
    let index =
      voice.pitch == SyntheticVoice.low.pitch ? 0 : voice.pitch == SyntheticVoice.middle.pitch ? 1 : 2
    return try prints.get()[index][seed - 1]
  }

  private static func print(of voice: SyntheticVoice, seconds: Double, seed: UInt64) throws -> RememberedPrint
  {
    var random = Numbers(seed)
    var printer = VoicePrinter()
    printer.add([Int16](repeating: 0, count: 8000))
    printer.add(voice.speech(seconds: seconds, random: &random))
    return .embedded(try #require(printer.prints(of: [(0.5...0.5 + seconds, "voice")])["voice"]))
  }

  private func remembered(_ people: KeyValuePairs<String, SyntheticVoice>) throws -> RememberedVoices {
    var remembered = RememberedVoices()
    for (name, voice) in people { remembered.remember(try Self.print(of: voice, seed: 1), as: name) }
    return remembered
  }

  private func speakers(_ count: Int) -> SessionSpeakers {
    var speakers = SessionSpeakers()
    speakers.setTurns(
      (0..<count).map { SpeakerTurn(start: Double($0), end: Double($0) + 1, speaker: "\($0)", confidence: 1) }
    )
    return speakers
  }

  // MARK: Recognition

  @Test func voiceGetsTheNameOfItsPersonAndOthersGetNone() throws {
    let remembered = try remembered(["Anna": .low, "Ben": .middle])
    var speakers = speakers(2)
    speakers.recognize(
      ["voice1": try Self.print(of: .high, seed: 2), "voice2": try Self.print(of: .low, seed: 2)],
      by: remembered)
    #expect(speakers.named.map(\.name) == ["Speaker 1", "Anna"])
    #expect(speakers.entries.map(\.name) == [nil, nil])
    #expect(speakers.entries.map(\.basis) == [.voice, .voice])
  }

  @Test func oneVoiceOfARecordingGetsTheName() throws {
    let remembered = try remembered(["Anna": .low])
    var speakers = speakers(2)
    let (known, print) = (try Self.print(of: .low, seed: 1), try Self.print(of: .low, seed: 2))
    speakers.recognize(["voice1": print, "voice2": known], by: remembered)
    #expect(speakers.named.map(\.name) == ["Speaker 1", "Anna"])
  }

  @Test func voiceThatIsLikeTwoPeopleGetsNoName() throws {
    let remembered = try remembered(["Anna": .low, "Ben": .low])
    #expect(remembered.person(with: try Self.print(of: .low, seed: 2)) == nil)
  }

  @Test func shortSpeechIsNotRecognized() throws {
    let remembered = try remembered(["Anna": .low])
    #expect(remembered.person(with: try Self.print(of: .low, seconds: 12, seed: 4))?.name == "Anna")
    let short = try Self.print(of: .high, seconds: 5, seed: 4)
    var other = RememberedVoices()
    other.remember(short, as: "Ben")
    #expect(other.person(with: short) == nil)
  }

  @Test func personsNameWins() throws {
    let remembered = try remembered(["Anna": .low])
    let print = try Self.print(of: .low, seed: 2)
    // A voice with a name keeps it.
    var named = speakers(1)
    try named.rename("Speaker 1", to: "Zoe")
    named.recognize(["voice1": print], by: remembered)
    #expect(named.named.map(\.name) == ["Zoe"])
    #expect(named.entries[0].recognized == nil)
    // A name that a person gave to another voice is not given twice.
    var taken = speakers(2)
    try taken.rename("Speaker 2", to: "anna")
    taken.recognize(["voice1": print], by: remembered)
    #expect(taken.named.map(\.name) == ["Speaker 1", "anna"])
    // The guess gives way to the person.
    var guessed = speakers(2)
    guessed.recognize(["voice1": print], by: remembered)
    #expect(guessed.named.map(\.name) == ["Anna", "Speaker 2"])
    try guessed.rename("Speaker 2", to: "Anna")
    #expect(guessed.named.map(\.name) == ["Speaker 1", "Anna"])
    #expect(throws: SpeakerError.taken("Anna")) { try guessed.rename("Speaker 1", to: "Anna") }
  }

  @Test func guessedNameEndsWithItsTurns() throws {
    var speakers = speakers(1)
    speakers.recognize(["voice1": try Self.print(of: .low, seed: 2)], by: try remembered(["Anna": .low]))
    #expect(speakers.named.map(\.name) == ["Anna"])
    #expect(throws: SpeakerError.unnamed("Anna")) { _ = try speakers.personsEntry(of: "Anna") }
    speakers.setTurns(speakers.turns)
    #expect(speakers.named.map(\.name) == ["Speaker 1"])
  }

  @Test func readersSeeThatANameIsAGuess() throws {
    var speakers = speakers(2)
    speakers.recognize(["voice1": try Self.print(of: .low, seed: 2)], by: try remembered(["Anna": .low]))
    let segments = [StoreFixture.segment(0, "one"), StoreFixture.segment(1, "two")]
    let list = speakers.label(segments).speakers
    #expect(list.first { $0.name == "Anna" }?.nameBasis == .voice)
    try speakers.rename("Anna", to: "Anna")
    #expect(speakers.label(segments).speakers.allSatisfy { $0.nameBasis == nil })
  }

  @Test func moreSpeechOfAVoiceAddsToItsPrint() throws {
    var remembered = try remembered(["Anna": .low])
    let seconds = remembered.voices[0].seconds
    remembered.remember(try Self.print(of: .low, seed: 2), as: "anna")
    #expect(remembered.voices.map(\.name) == ["Anna"])
    #expect(remembered.voices[0].prints.count == 1)
    #expect(remembered.voices[0].seconds > seconds + 10)
    // By telephone, for example, a voice is another one.
    remembered.remember(try Self.print(of: .high, seed: 2), as: "Anna")
    #expect(remembered.voices[0].prints.count == 2)
    #expect(remembered.person(with: try Self.print(of: .high, seed: 2))?.name == "Anna")
    #expect(remembered.person(with: try Self.print(of: .low, seed: 2))?.name == "Anna")
  }

  // MARK: Prints of networks

  /// A print at an angle from that of angle 0, in degrees.
  private func heard(_ angle: Float, by network: String = "a", seconds: Double = 20) -> RememberedPrint {
    let radians = angle * .pi / 180
    return .network(
      NetworkPrint(network: network, seconds: seconds, values: [Foundation.cos(radians), sin(radians)]))
  }

  @Test func networksPrintIsRecognizedFromFiveSeconds() {
    var remembered = RememberedVoices()
    remembered.remember(heard(0), as: "Anna")
    remembered.remember(heard(180), as: "Ben")
    // The limit is a cosine of 0.55, an angle of 56.6 degrees.
    #expect(remembered.person(with: heard(56, seconds: 5))?.name == "Anna")
    #expect(remembered.person(with: heard(57)) == nil)
    #expect(remembered.person(with: heard(0, seconds: 4.9)) == nil)
    remembered.remember(heard(20), as: "Zoe")
    #expect(remembered.person(with: heard(8)) == nil)
    #expect(remembered.person(with: heard(-20))?.name == "Anna")
  }

  @Test func printsOfDifferentNetworksAndMethodsAreNotCompared() throws {
    var remembered = RememberedVoices()
    let embedded = try Self.print(of: .low, seed: 1)
    for print in [heard(0), heard(0, by: "b", seconds: 30), embedded] {
      remembered.remember(print, as: "Anna")
    }
    #expect(remembered.voices[0].prints.map(\.network) == ["a", "b", nil])
    #expect(remembered.voices[0].prints.map(\.seconds) == [20, 30, embedded.seconds])
    #expect(remembered.person(with: heard(0, by: "c")) == nil)
    #expect(remembered.person(with: heard(0, by: "b"))?.name == "Anna")
    #expect(remembered.person(with: try Self.print(of: .low, seed: 2))?.name == "Anna")
    #expect(["a", "b", "c", nil].map { remembered.voices[0].isKnown(to: $0) } == [true, true, false, true])
  }

  @Test func differentSoundsOfAVoiceAreKeptToANumber() {
    var remembered = RememberedVoices()
    remembered.remember(heard(0, by: "b"), as: "Anna")
    remembered.remember(heard(0), as: "Anna")
    // A cosine of 0.8 is an angle of 37 degrees.
    remembered.remember(heard(36), as: "Anna")
    #expect(remembered.voices[0].prints.map(\.seconds) == [20, 40])
    #expect(remembered.voices[0].prints[0] == heard(0, by: "b"))
    #expect(remembered.voices[0].prints[1].distance(to: heard(18)) < 1e-6)
    for angle in 1...8 { remembered.remember(heard(18 + 38 * Float(angle)), as: "Anna") }
    #expect(remembered.voices[0].prints.map(\.network) == ["b"] + Array(repeating: "a", count: 8))
    #expect(remembered.voices[0].prints.last == heard(18 + 38 * 8))
  }

  // MARK: The file

  @Test func fileHasPrintsOfNetworksAndAnEarlierOneIsRead() throws {
    try temporary { file in
      let embedded = try Self.print(of: .low, seed: 1)
      try RememberedVoices.change(at: file) { $0.remember(embedded, as: "Anna") }
      let text = try String(contentsOf: file, encoding: .utf8)
      try Data(text.replacing("\"version\":2", with: "\"version\":1").utf8).write(to: file)
      #expect(try RememberedVoices(at: file).voices[0].prints == [embedded])
      try RememberedVoices.change(at: file) { $0.remember(heard(30), as: "Anna") }
      #expect(try String(contentsOf: file, encoding: .utf8).contains("\"network\":\"a\""))
      #expect(try RememberedVoices(at: file).voices[0].prints == [embedded, heard(30)])
    }
  }

  private func temporary(_ body: (URL) throws -> Void) throws {
    try Folder.temporary { try body($0.appendingPathComponent("new/voices.json")) }
  }

  private func mode(_ url: URL) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
  }

  @Test func fileIsItsOwnersAndHasWhatIsRemembered() throws {
    try temporary { file in
      #expect(try RememberedVoices(at: file).voices.isEmpty)
      let print = try Self.print(of: .low, seed: 1)
      try RememberedVoices.change(at: file) { $0.remember(print, as: "Anna") }
      #expect(try mode(file) == 0o600)
      #expect(try mode(file.deletingLastPathComponent()) == 0o700)
      let names = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
      #expect(names == ["voices.json"])
      let read = try RememberedVoices(at: file)
      #expect(read.voices.map(\.name) == ["Anna"])
      #expect(read.person(with: try Self.print(of: .low, seed: 2))?.name == "Anna")
    }
  }

  @Test func forgottenVoicesLeaveNoBytes() throws {
    try temporary { file in
      var all = RememberedVoices()
      for (name, voice) in [("Anna", SyntheticVoice.low), ("Ben", .high)] {
        all.remember(try Self.print(of: voice, seed: 1), as: name)
      }
      all.remember(heard(0, by: "annas"), as: "Anna")
      try RememberedVoices.change(at: file) { $0 = all }
      // Another name for the bytes on the disk.
      let first = file.deletingLastPathComponent().appendingPathComponent("first")
      try FileManager.default.linkItem(at: file, to: first)
      let one = try RememberedVoices.forget(["anna"], at: file)
      #expect(one == ["Anna"])
      #expect(try Data(contentsOf: first).allSatisfy { $0 == 0 })
      #expect(!(try String(contentsOf: file, encoding: .utf8).contains(/(?i)anna/)))
      #expect(try RememberedVoices(at: file).voices.map(\.name) == ["Ben"])
      let second = file.deletingLastPathComponent().appendingPathComponent("second")
      try FileManager.default.linkItem(at: file, to: second)
      let rest = try RememberedVoices.forget(at: file)
      #expect(rest == ["Ben"])
      #expect(!FileManager.default.fileExists(atPath: file.path))
      #expect(try Data(contentsOf: second).allSatisfy { $0 == 0 })
    }
  }

  /// A link, for example into a folder that another program copies to other computers.
  @Test(arguments: [["Anna", "Müller"], ["Анна", "山田"]]) func voicesBehindALinkAreForgotten(_ names: [String])
    throws
  {
    try temporary { file in
      let folder = file.deletingLastPathComponent()
      let target = folder.appendingPathComponent("elsewhere/all.json")
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try RememberedVoices.change(at: target) { $0.remember(heard(0), as: names[0]) }
      try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
      let first = folder.appendingPathComponent("first")
      try FileManager.default.linkItem(at: target, to: first)
      try RememberedVoices.change(at: file) { $0.remember(heard(180), as: names[1]) }
      #expect(try Data(contentsOf: first).allSatisfy { $0 == 0 })
      #expect(try RememberedVoices(at: target).voices.map(\.name) == names)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file.path) == target.path)
      let second = folder.appendingPathComponent("second")
      try FileManager.default.linkItem(at: target, to: second)
      let forgotten = try RememberedVoices.forget(at: file)
      #expect(forgotten == names)
      #expect(!FileManager.default.fileExists(atPath: target.path))
      #expect(try Data(contentsOf: second).allSatisfy { $0 == 0 })
    }
  }

  /// A process that was killed while it remembered a voice leaves the voice under another name.
  @Test(arguments: [true, false]) func voicesOfAKilledProcessAreForgotten(_ hasFile: Bool) throws {
    try temporary { file in
      let folder = file.deletingLastPathComponent()
      try RememberedVoices.change(at: file) { $0.remember(heard(0), as: "Anna") }
      let draft = folder.appendingPathComponent("voices.json.\(UUID().uuidString).part")
      try FileManager.default.copyItem(at: file, to: draft)
      let other = folder.appendingPathComponent("voices.json.mine.part")
      try Data("mine".utf8).write(to: other)
      if !hasFile { try FileManager.default.removeItem(at: file) }
      let bytes = folder.appendingPathComponent("bytes")
      try FileManager.default.linkItem(at: draft, to: bytes)
      let forgotten = try RememberedVoices.forget(at: file)
      #expect(forgotten == (hasFile ? ["Anna"] : []))
      #expect(try Data(contentsOf: bytes).allSatisfy { $0 == 0 })
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
          "bytes", "voices.json.mine.part",
        ])
    }
  }

  @Test func voicesOfAKilledProcessAreErasedWithADamagedFile() throws {
    try temporary { file in
      let folder = file.deletingLastPathComponent()
      try RememberedVoices.change(at: file) { $0.remember(heard(0), as: "Anna") }
      try FileManager.default.copyItem(
        at: file, to: folder.appendingPathComponent("voices.json.\(UUID().uuidString).part"))
      try RememberedVoices.eraseAll(at: file)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }
  }

  @Test func impossibleNameRefusesNoOtherVoice() throws {
    try temporary { file in
      try RememberedVoices.change(at: file) { voices in
        for (name, sound) in [("Guest: Ann", 0), ("Ben", 90), (":", 180)] as [(String, Float)] {
          voices.remember(heard(sound), as: name)
        }
      }
      #expect(try RememberedVoices(at: file).voices.map(\.name) == ["Guest Ann", "Ben", "Unnamed"])
      let forgotten = try RememberedVoices.forget(["Guest Ann"], at: file)
      #expect(forgotten == ["Guest Ann"])
      #expect(try RememberedVoices(at: file).voices.map(\.name) == ["Ben", "Unnamed"])
    }
  }

  @Test func unknownNameForgetsNoVoice() throws {
    try temporary { file in
      let all = try remembered(["Anna": .low])
      try RememberedVoices.change(at: file) { $0 = all }
      let before = try Data(contentsOf: file)
      #expect(throws: RememberedVoicesError.unknown("Zoe", known: ["Anna"])) {
        try RememberedVoices.forget(["Anna", "Zoe"], at: file)
      }
      #expect(try Data(contentsOf: file) == before)
    }
  }

  @Test(
    arguments: [
      "", "{", "{\"version\":3,\"voices\":[]}",
      "{\"version\":2,\"voices\":[{\"name\":\"Anna\",\"prints\":[{\"network\":\"a\",\"seconds\":9,\"values\":[]}]}]}",
      "{\"version\":1,\"voices\":[{\"name\":\"Anna\",\"prints\":[]}]}",
      """
      {"version":1,"voices":[{"name":"Anna","prints":[
      {"statistics":{"dimension":18,"count":5,"sums":[1],"squares":[1]}}]}]}
      """,
    ]) func damagedFileIsAnError(text: String) throws
  {
    try temporary { file in
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      #expect {
        _ = try RememberedVoices(at: file)
      } throws: { error in
        guard case .damaged = error as? RememberedVoicesError else { return false }
        return true
      }
      try RememberedVoices.eraseAll(at: file)
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
  }
}
