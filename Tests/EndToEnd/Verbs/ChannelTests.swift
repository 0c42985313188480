import Foundation
import Longhand
import TestSupport
import Testing

extension StoredSessionTests {
  /// Recordings of which each channel has a speaker of its own.
  @Suite struct ChannelTests {
    private let folder: TemporaryFolder
    private var environment: [String: String] { ["LONGHAND_LIBRARY": folder.path("library")] }

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String...) async throws -> LonghandProcess.Result {
      try await LonghandProcess(arguments, environment: environment, in: folder.url).result()
    }

    /// Writes a call: one recording on the left, and another one on the right, which begins before the first one ends.
    /// Each channel is also written alone.
    private func writeCall() throws {
      let first = WaveFile.samples(try Recordings.samples(of: Recordings.paths[4]))
      let second = WaveFile.samples(try Recordings.samples(of: Recordings.short))
      let offset = first.count - 8000
      var channels = [[Int16]](repeating: Array(repeating: 0, count: offset + second.count + 4000), count: 2)
      channels[0].replaceSubrange(0..<first.count, with: first)
      channels[1].replaceSubrange(offset..<offset + second.count, with: second)
      try WaveFile.write(channels, to: folder.path("call.wav"))
      try WaveFile.write([channels[0]], to: folder.path("left.wav"))
      try WaveFile.write([channels[1]], to: folder.path("right.wav"))
    }

    private struct Document: Decodable {
      struct Speaker: Decodable { var id: String, name: String, basis: String, seconds: Double }
      struct Word: Decodable, Hashable {
        var text: String, start: Double, end: Double, speaker: String?, echo: Bool?
      }
      struct Segment: Decodable { var text: String, start: Double, speaker: String?, words: [Word] }
      struct Warning: Decodable { var code: String }
      var speakers: [Speaker]?
      var segments: [Segment]
      var coverage: [String: Double]
      var duration: Double
      var warnings: [Warning]?
    }

    private func document(_ arguments: String...) async throws -> Document {
      let result = try await LonghandProcess(
        arguments + ["--json"], environment: environment, in: folder.url
      ).result()
      try #require(result.status == 0)
      return try JSONDecoder().decode(Document.self, from: Data(result.output.utf8))
    }

    private static func words(_ document: Document, of speaker: String? = nil) -> [String] {
      document.segments.flatMap(\.words).filter { speaker == nil || $0.speaker == speaker }
        .map { "\($0.text) \($0.start) \($0.end)" }
    }

    /// Channels that differ are separated without an option; each has the words and times that it has alone.
    @Test func interleavedWordsEqualTheChannelsAlone() async throws {
      try writeCall()
      let call = try await document("transcribe", "call.wav")
      #expect(call.warnings?.map(\.code) == ["separate-channels"])
      #expect(call.speakers?.map(\.name) == ["Channel 1", "Channel 2"])
      #expect(call.speakers?.map(\.basis) == ["channel", "channel"])
      let alone = [
        try await document("transcribe", "left.wav"), try await document("transcribe", "right.wav"),
      ]
      #expect(!Self.words(alone[1]).isEmpty)
      #expect(Self.words(call, of: "channel1") == Self.words(alone[0]))
      #expect(Self.words(call, of: "channel2") == Self.words(alone[1]))
      #expect(Self.words(call).count == alone.map { Self.words($0).count }.reduce(0, +))
      #expect(call.segments.map(\.start) == call.segments.map(\.start).sorted())
      #expect(abs(call.coverage.values.reduce(0, +) - call.duration) < 0.01)
      let mixed = try await document("transcribe", "call.wav", "--channels", "mix")
      #expect(mixed.speakers == nil)
    }

    /// One side of a call reads a sentence. The other one has noise of -43 dBFS, and says a word or nothing.
    private func writeNoisyCall(saying word: ArraySlice<Int16>) throws {
      let speech = WaveFile.samples(try Recordings.samples(of: Recordings.paths[4]))
      var state: UInt32 = 1
      var noise = speech.map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return Int16((state >> 16) % 800) - 400
      }
      for (index, sample) in word.enumerated() { noise[noise.count / 2 + index] += sample }
      try WaveFile.write([speech, noise], to: folder.path("noisy.wav"))
    }

    /// Seven tenths of a second are less than a channel of speech has.
    @Test func noisyChannelWithASingleWordIsKept() async throws {
      let samples = WaveFile.samples(try Recordings.samples(of: Recordings.short))
      try writeNoisyCall(saying: samples[3200..<14_400])
      let call = try await document("transcribe", "noisy.wav")
      #expect(call.warnings?.map(\.code) == ["separate-channels"])
      let mixed = try await document("transcribe", "noisy.wav", "--channels", "mix")
      #expect(mixed.warnings?.contains { $0.code == "channel-without-speech" } != true)
    }

    @Test func noisyChannelWithoutAWordIsLeftOut() async throws {
      try writeNoisyCall(saying: [])
      let call = try await document("transcribe", "noisy.wav")
      #expect(call.warnings?.map(\.code) == ["channel-without-speech"])
      #expect(!call.segments.isEmpty)
      #expect(call.speakers == nil)
    }

    /// Also where its voices are separated.
    @Test func channelThatIsLeftOutIsNotHeardAgain() async throws {
      try writeNoisyCall(saying: [])
      try WaveFile.write(
        [WaveFile.samples(try Recordings.samples(of: Recordings.paths[4]))], to: folder.path("left.wav"))
      func turns() async throws -> [String] {
        try await run("export", "last", "--format", "rttm").outputLines.map { line in
          line.split(separator: " ").dropFirst(2).joined(separator: " ")
        }
      }
      try #require(await run("import", "left.wav", "--speakers", "2").status == 0)
      let alone = try await turns()
      #expect(!alone.isEmpty)
      try #require(await run("import", "noisy.wav", "--speakers", "2").status == 0)
      #expect(try await turns() == alone)
      try #require(await run("speakers", "last", "--speakers", "2").status == 0)
      #expect(try await turns() == alone)
    }

    /// A recording whose channels are the same is transcribed as its mix.
    @Test func equalChannelsAreMixed() async throws {
      let samples = WaveFile.samples(try Recordings.samples(of: Recordings.short))
      try WaveFile.write([samples, samples.map { $0 / 2 }], to: folder.path("both.wav"))
      let result = try await run("transcribe", "both.wav", "--json")
      #expect(result.status == 0)
      #expect(!result.output.contains("\"speaker"))
      #expect(result.errors.isEmpty)
    }

    /// The comparison of channels counts what both say at once for neither of them, and speech is lost in the mix.
    @Test func namedSpeakersWhoTalkAtOnceAreSeparate() async throws {
      var channels = [Recordings.paths[4], Recordings.short].map { path in
        WaveFile.samples((try? Recordings.samples(of: path)) ?? Data())
      }
      let length = channels.map(\.count).max() ?? 0
      for index in channels.indices {
        channels[index] += Array(repeating: 0, count: length - channels[index].count)
      }
      try WaveFile.write(channels, to: folder.path("both.wav"))
      let call = try await document("transcribe", "both.wav", "--speaker-names", "Anna,Ben")
      #expect(call.speakers?.map(\.name) == ["Anna", "Ben"])
      #expect(!Self.words(call, of: "channel1").isEmpty)
      #expect(!Self.words(call, of: "channel2").isEmpty)
    }

    /// Names that a single channel cannot have are not ignored without a word.
    @Test func namesOfASingleChannelAreReported() async throws {
      let vain = try await document("transcribe", Recordings.short, "--speaker-names", "Anna")
      #expect(vain.speakers == nil)
      #expect(vain.warnings?.contains { $0.code == "unused-speaker-names" } == true)
      #expect(try await run("import", Recordings.short, "--speaker-names", "Anna").status == 0)
      let unknown = try await run("speakers", "last").errors
      #expect(unknown.contains("--speakers auto"))
      #expect(!unknown.contains("--channels separate"))
    }

    @Test func namesAndAssignmentsStayOverANewDecoding() async throws {
      try writeCall()
      let imported = try await run("import", "call.wav", "--speaker-names", "Anna,Ben")
      #expect(imported.status == 0)
      let before = try await document("export", "last")
      let renamed = try await run("speakers", "last", "--rename", "Ben=Benjamin", "--assign", "0=Carl")
      #expect(renamed.status == 0)
      #expect(renamed.output.contains("Benjamin  (channel)"))
      #expect(renamed.output.contains("Carl  (person)"))
      #expect(try await run("export", "last").output.hasPrefix("Carl: "))
      #expect(try await run("retranscribe", "last", "--engine", "rolling").status == 0)
      let after = try await document("export", "last")
      #expect(after.speakers?.map(\.name) == ["Anna", "Benjamin", "Carl"])
      #expect(after.segments.first?.speaker == "person1")
      #expect(try await run("recover").status == 0)
      // The words are the same with and without labels.
      let plain = try await run("export", "last", "--format", "tsv")
      _ = try await run("speakers", "last", "--merge", "Benjamin,Carl")
      #expect(try await run("export", "last", "--format", "tsv").output == plain.output)
      #expect(!before.segments.isEmpty)
    }

    /// The right channel leaks into the left one, 20 dB weaker and 30 ms later.
    private func writeLeakingCall() throws {
      let own = WaveFile.samples(try Recordings.samples(of: Recordings.short))
      let call = WaveFile.samples(try Recordings.samples(of: Recordings.paths[4]))
      var channels = [[Int16]](
        repeating: Array(repeating: 0, count: call.count + own.count + 16_000), count: 2)
      channels[1].replaceSubrange(0..<call.count, with: call)
      for (index, sample) in call.enumerated() { channels[0][index + 480] += sample / 10 }
      let start = call.count + 8000
      for (index, sample) in own.enumerated() { channels[0][start + index] += sample }
      try WaveFile.write(channels, to: folder.path("leaking.wav"))
    }

    @Test func leakOfTheLoudspeakerIsMarkedAndHidden() async throws {
      try writeLeakingCall()
      let whole = try await document("transcribe", "leaking.wav", "--channels", "separate")
      let (own, call) = (
        whole.segments.filter { $0.speaker == "channel1" }, whole.segments.filter { $0.speaker == "channel2" }
      )
      #expect(call.flatMap(\.words).allSatisfy { $0.echo != true })
      let end = try #require(call.last?.words.last?.end)
      let leaked = own.flatMap(\.words).filter { $0.start < end }
      // The recognizer understands most of the leak.
      #expect(leaked.filter { $0.echo == true }.count >= 3)
      #expect(Double(leaked.filter { $0.echo == true }.count) >= 0.6 * Double(leaked.count))
      let said = own.flatMap(\.words).filter { $0.start >= end }
      #expect(!said.isEmpty)
      #expect(said.allSatisfy { $0.echo != true })
      // Kept in the library, through each way to write it.
      try #require(await run("import", "leaking.wav", "--channels", "separate").status == 0)
      func marks(_ document: Document) -> [Bool] {
        document.segments.flatMap(\.words).map { $0.echo == true }
      }
      #expect(try await marks(document("export", "last")) == marks(whole))
      let (short, long) = (try await run("show", "last"), try await run("show", "last", "--with-echo"))
      #expect(short.output.count < long.output.count)
      let tsv = (
        try await run("export", "last", "--format", "ctm"),
        try await run("export", "last", "--format", "ctm", "--with-echo")
      )
      let count = marks(whole).filter(\.self).count
      #expect(tsv.1.output.split(separator: "\n").count == tsv.0.output.split(separator: "\n").count + count)
      #expect(try await run("coverage", "last").output.contains("\(count) words of another channel"))
      #expect(try await run("retranscribe", "last").status == 0)
      #expect(try await marks(document("export", "last")) == marks(whole))
    }

    @Test func wordsAreShownUnderWhoSaysThem() async throws {
      let id = try UnsureVoicesSession.write(to: folder.path("library"))
      let store = try Library(at: folder.url.appendingPathComponent("library")).store
      let segment = try store.segment(0, in: id)
      let last = segment.words.count - 1
      try store.changeSpeakers(of: id) { try $0.assign(segment, words: last..<last + 1, to: "Zed") }
      let lines = try await run("show", "last", "--style", "words").outputLines
      #expect(lines.first?.contains("Speaker 1: ") == true)
      #expect(lines.first?.hasSuffix(segment.words[last].text) == false)
      #expect(lines.dropFirst().first?.hasSuffix("Zed: \(segment.words[last].text)") == true)
    }

    @Test func assignmentSaysWhatMovedWithIt() async throws {
      _ = try UnsureVoicesSession.write(to: folder.path("library"))
      let assigned = try await run("speakers", "last", "--assign", "1=Speaker 2", "--assign", "5=Speaker 1")
      #expect(assigned.status == 0)
      #expect(assigned.errors.contains("Speaker 2 says segment 1, and 2 turns after it."))
      #expect(!assigned.errors.contains("says segment 5"))
      let said = try await document("export", "last").segments.map(\.speaker)
      #expect(
        said == ["voice1", "voice2", "voice2", "voice2", "voice1", "voice1", nil])
    }

    @Test func mistakesOfThePersonAreErrors() async throws {
      try writeCall()
      try #require(await run("import", "call.wav", "--channels", "separate").status == 0)
      let unknown = try await run("speakers", "last", "--rename", "Zoe=Anna")
      #expect(unknown.status == 1)
      #expect(unknown.errors.contains("Channel 1, Channel 2"))
      #expect(try await run("speakers", "last", "--rename", "Zoe").status == 2)
      #expect(try await run("speakers", "last", "--assign", "99=Zoe").status == 1)
      #expect(try await run("transcribe", "call.wav", "--speaker-names", "A,A").status == 2)
      #expect(
        try await run("transcribe", "call.wav", "--speaker-names", "A", "--channels", "mix").status == 2)
    }
  }
}

/// Writes WAVE files of several channels.
enum WaveFile {
  /// - Parameter channels: samples of 16 bits at 16 kHz, as many for each channel.
  static func write(_ channels: [[Int16]], to path: String) throws {
    let samples = (channels.first ?? []).indices.reduce(into: Data()) { data, frame in
      for channel in channels {
        withUnsafeBytes(of: channel[frame].littleEndian) { data.append(contentsOf: $0) }
      }
    }
    var file = Data("RIFF".utf8)
    func number<Integer: FixedWidthInteger>(_ value: Integer) {
      withUnsafeBytes(of: value.littleEndian) { file.append(contentsOf: $0) }
    }
    number(UInt32(36 + samples.count))
    file += Data("WAVEfmt ".utf8)
    number(UInt32(16))
    number(UInt16(1))
    number(UInt16(channels.count))
    number(UInt32(16_000))
    number(UInt32(32_000 * channels.count))
    number(UInt16(2 * channels.count))
    number(UInt16(16))
    file += Data("data".utf8)
    number(UInt32(samples.count))
    try (file + samples).write(to: URL(fileURLWithPath: path))
  }

  /// Samples as they are in a file.
  static func samples(_ data: Data) -> [Int16] {
    data.withUnsafeBytes { bytes in
      (0..<bytes.count / 2).map {
        Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self))
      }
    }
  }
}
