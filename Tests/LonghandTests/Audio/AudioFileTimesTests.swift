import AVFAudio
import Foundation
import Longhand
import TestSupport
import Testing

@testable import LonghandTranscription

/// Where the audio of a file is on the time line of the file, and at which level it is read.
@Suite(.tagged(.childProcess)) struct AudioFileTimesTests {
  private final class Folder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("times-\(UUID())")
    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: url) }

    func make(_ name: String, _ arguments: String...) throws -> URL {
      let file = url.appendingPathComponent(name)
      _ = try Program.output(of: ["ffmpeg", "-nostdin", "-v", "error", "-y"] + arguments + [file.path])
      return file
    }
  }

  private let folder: Folder
  init() throws { folder = try Folder() }

  /// The loudest sample of a channel in each tenth of a second.
  private func peaks(_ audio: any AudioSource, channel: Int = 0) async throws -> [Float] {
    var peaks: [Float] = []
    for try await chunk in audio.chunks(from: 0) {
      peaks.append(chunk.samples(ofChannel: channel).map(abs).max() ?? 0)
    }
    return peaks
  }

  /// The time code of a film, of a recorder, and of a picture without one.
  @Test(
    arguments: [
      ("a.mov", ["-timecode", "01:00:00;00"], "30000/1001", "01:00:00;00"),
      ("a.mkv", ["-metadata", "timecode=10:20:30:12"], "25", "10:20:30:12"),
      ("a.mp4", ["-timecode", "00:59:59:23"], "24000/1001", "00:59:59:23"),
      ("b.mp4", [], "50", "00:00:00:00"),
    ] as [(String, [String], String, String)])
  func timecodeIsThatOfTheFile(_ name: String, _ options: [String], _ rate: String, _ expected: String) throws
  {
    let file = folder.url.appendingPathComponent(name)
    let picture = [
      "-f", "lavfi", "-i", "color=c=black:s=64x64:r=\(rate):d=1", "-f", "lavfi", "-i", "sine=d=1",
    ]
    _ = try Program.output(
      of: ["ffmpeg", "-nostdin", "-v", "error", "-y"] + picture + options + [file.path])
    let timecode = try #require(try AudioFileSource(file).timecode)
    #expect(timecode.text(at: 0) == expected)
    let parts = rate.split(separator: "/").compactMap { Int($0) }
    #expect(
      timecode.rate.numerator * (parts.count > 1 ? parts[1] : 1) == parts[0] * timecode.rate.denominator)
  }

  @Test func timecodeOfABroadcastWaveIsItsTimeAfterMidnight() throws {
    let sound = ["-f", "lavfi", "-i", "sine=d=1:r=48000"]
    let wave = try folder.make(
      "a.wav", sound[0], sound[1], sound[2], sound[3], "-write_bext", "1", "-metadata",
      "time_reference=172812000")
    #expect(try AudioFileSource(wave).timecode?.text(at: 0) == "01:00:00:06")
    let plain = try folder.make("b.wav", sound[0], sound[1], sound[2], sound[3])
    #expect(try AudioFileSource(plain).timecode == nil)
  }

  /// Nine seconds are more than FFmpeg looks at by itself to find out what is in a file.
  @Test(arguments: [
    ("mkv", "pcm_s16le", 2), ("mp4", "aac", 2), ("mov", "pcm_s16le", 2), ("ts", "aac", 2), ("ogg", "flac", 2),
    ("webm", "libopus", 2), ("flv", "aac", 2), ("mpg", "mp2", 9), ("vob", "ac3", 9), ("ts", "mp2", 9),
  ])
  func audioThatBeginsAfterThePictureHasTheTimesOfThePicture(container: String, codec: String, late: Int)
    async throws
  {
    let picture = [
      "ogg": "libtheora", "webm": "libvpx", "flv": "flv", "mpg": "mpeg1video", "vob": "mpeg1video",
    ]
    let file = try folder.make(
      "late.\(container)", "-f", "lavfi", "-i", "color=s=16x16:r=25:d=\(late + 2)", "-itsoffset", "\(late)",
      "-f", "lavfi", "-i", "sine=d=2:r=16000", "-c:v", picture[container] ?? "mpeg4", "-c:a", codec)
    let source = try AudioFileSource(file)
    #expect(abs(source.duration - Double(late + 2)) < 0.1)
    let gap = try #require(source.gaps.first)
    #expect(gap.reason == .notBegun)
    #expect(gap.start == 0)
    #expect(abs(Double(gap.frames) / Double(source.sampleRate) - Double(late)) < 0.1)
    let peaks = try await peaks(source)
    #expect(peaks[..<(late * 10 - 2)].max() == 0)
    #expect(peaks[(late * 10 + 2)...(late * 10 + 15)].min() ?? 0 > 0.05)
  }

  /// Some containers have no list of their tracks.
  @Test(arguments: [("mpg", "mp2"), ("ts", "mp2"), ("mkv", "flac"), ("ogg", "flac")])
  func aTrackThatBeginsLateIsListed(container: String, codec: String) throws {
    let file = try folder.make(
      "second.\(container)", "-f", "lavfi", "-i", "sine=d=12:r=16000", "-itsoffset", "10", "-f", "lavfi",
      "-i",
      "sine=d=2:r=16000", "-map", "0", "-map", "1", "-c:a", codec)
    let source = try AudioFileSource(file)
    #expect(source.tracks.count == 2)
    let gap = try #require(source.gaps.first)
    #expect(gap.channel == 1)
    #expect(abs(Double(gap.frames) / 16_000 - 10) < 0.1)
  }

  /// Of two tracks that begin late, the time before both is a gap of the recording, and the rest one of a channel.
  @Test func tracksThatBeginLaterHaveGapsOfTheirOwn() throws {
    let file = try folder.make(
      "late2.mkv", "-f", "lavfi", "-i", "color=s=16x16:r=10:d=4", "-itsoffset", "1", "-f", "lavfi", "-i",
      "sine=d=3:r=8000", "-itsoffset", "2", "-f", "lavfi", "-i", "sine=d=2:r=8000", "-map", "0", "-map", "1",
      "-map", "2", "-c:v", "mpeg4", "-c:a", "pcm_s16le")
    let gaps = try AudioFileSource(file).gaps
    #expect(gaps.map(\.channel) == [nil, 1])
    #expect(gaps.map { Double($0.start) / 8000 } == [0, 1])
    #expect(gaps.map { Double($0.frames) / 8000 } == [1, 1])
    #expect(gaps.stretches(8000).count == 1)
  }

  private func twoTracks() throws -> URL {
    try folder.make(
      "two.mkv", "-f", "lavfi", "-i", "aevalsrc=0:d=2:s=8000", "-f", "lavfi", "-i", "sine=d=1:r=16000",
      "-map", "0", "-map", "1", "-c:a", "pcm_s16le", "-metadata:s:a:0", "title=Guest", "-metadata:s:a:1",
      "language=fre")
  }

  @Test func everyTrackIsAChannelWithItsName() async throws {
    let source = try AudioFileSource(try twoTracks())
    #expect(source.tracks.map(\.name) == ["Guest", "French"])
    #expect(source.tracks.names == ["Guest", "French"])
    #expect(source.channels == 2)
    #expect(source.sampleRate == 16_000)
    #expect(abs(source.duration - 2) < 0.01)
    #expect(source.warnings.isEmpty)
    for second in [try await peaks(source, channel: 1), try await peaks(source.source(ofChannel: 1))] {
      #expect(second[..<9].min() ?? 0 > 0.05)
      #expect(second.dropFirst(11).max() ?? 0 == 0)
    }
    #expect(try await peaks(source).max() == 0)
  }

  /// Three seconds, one second and two seconds, of which the first is left out of a mix.
  @Test func trackThatEndsFirstDoesNotEndTheOthers() async throws {
    let file = try folder.make(
      "three.mkv", "-f", "lavfi", "-i", "aevalsrc=0:d=3:s=16000", "-f", "lavfi", "-i", "sine=d=1:r=16000",
      "-f", "lavfi", "-i", "sine=d=2:r=16000", "-map", "0", "-map", "1", "-map", "2", "-c:a", "pcm_s16le")
    let selected = try SelectedChannels([1, 2], of: try AudioFileSource(file))
    let (short, long) = (try await peaks(selected), try await peaks(selected, channel: 1))
    #expect(short.count == long.count)
    #expect(short[..<9].min() ?? 0 > 0.05)
    #expect(short.dropFirst(11).max() == 0)
    #expect(long[..<19].min() ?? 0 > 0.05)
    var starts: [Int64] = []
    for try await chunk in selected.chunks(from: 8000) { starts.append(chunk.start) }
    let expected: [Int64] = Array(stride(from: 8000, to: 32_000, by: 1600))
    #expect(Array(starts.prefix(15)) == expected)
  }

  @Test func tracksThatAreLeftOutAreNamedInAWarning() throws {
    let source = try AudioFileSource(try twoTracks(), tracks: [2])
    #expect(source.channels == 1)
    #expect(source.tracks.map(\.isIncluded) == [false, true])
    #expect(source.warnings.map(\.code) == [.tracksLeftOut])
    #expect(source.warnings.first?.message.contains("track 1 (Guest)") == true)
    #expect(throws: TranscriptionError.self) { try AudioFileSource(try twoTracks(), tracks: [3]) }
  }

  @Test(arguments: [0.995, 1.005])
  func aSlowDifferenceOfTheClocksIsDriftAndNotDamage(speed: Double) async throws {
    let plain = try folder.make(
      "plain.mka", "-f", "lavfi", "-i", "aevalsrc='if(gt(t,50),0.5*sin(2765*t),0)':d=60:s=8000", "-c:a",
      "flac")
    let file = try folder.make("clock.mka", "-itsscale", "\(speed)", "-i", plain.path, "-c", "copy")
    let source = try AudioFileSource(file)
    #expect(abs(source.duration - 60 * speed) < 0.05)
    #expect(source.gaps.isEmpty)
    #expect(source.warnings.map(\.code) == [.clockDrift])
    let peaks = try await peaks(source)
    let begin = try #require(peaks.firstIndex { $0 > 0.1 })
    #expect(abs(Double(begin) / 10 - 50 * speed) < 0.11)
  }

  /// The other side of the test before: packets that are missing are a hole.
  @Test func missingPacketsAreDamageAndNotDrift() throws {
    let file = try folder.make(
      "hole.mka", "-f", "lavfi", "-i", "sine=d=30:r=8000", "-af", "aselect='not(between(t,10,12))'", "-c:a",
      "pcm_s16le", "-fps_mode", "passthrough")
    let source = try AudioFileSource(file)
    #expect(source.warnings.map(\.code) == [.damaged])
    #expect(abs(source.duration - 30) < 0.2)
  }

  /// What follows a hole is heard whole, also where reading begins there.
  @Test func audioAfterAHoleIsRead() async throws {
    let file = try folder.make(
      "blocks.mka", "-f", "lavfi", "-i", "sine=d=5:r=8000", "-af", "asetnsamples=8000,asetpts='PTS+T*2/TB'",
      "-c:a", "pcm_s16le", "-fps_mode", "passthrough")
    let source = try AudioFileSource(file)
    #expect(source.gaps.count == 4)
    let peaks = try await peaks(source)
    #expect(peaks.count == 130)
    #expect(peaks.indices.allSatisfy { (peaks[$0] > 0.05) == ($0 % 30 < 10) })
  }

  /// Each tenth of a second is followed by a hole of two tenths.
  @Test func audioBetweenVeryManyHolesIsRead() async throws {
    let file = try folder.make(
      "holes.mka", "-f", "lavfi", "-i", "sine=d=120:r=8000", "-af",
      "asetnsamples=800,asetpts='PTS+round(T*10)*0.2/TB'", "-c:a", "pcm_s16le", "-fps_mode", "passthrough")
    let source = try AudioFileSource(file)
    #expect(abs(source.duration - 359.8) < 0.01)
    #expect(source.gaps.count == 1000)
    #expect(source.gaps.allSatisfy { abs($0.frames - 1600) < 10 })
    #expect(source.warnings.map(\.code) == [.damaged, .damaged])
    let peaks = try await peaks(source)
    #expect(stride(from: 0, to: 3598, by: 3).allSatisfy { peaks[$0] > 0.05 })
  }

  /// In a pause, encoders of Opus can send one packet in 0.4 seconds. A single hole is damage.
  @Test(arguments: [("between(n\\,100\\,400)*gt(mod(n\\,20)\\,0)", 0), ("between(n\\,100\\,118)", 1)])
  func pausesThatAnEncoderLeavesOutAreNoDamage(lost: String, holes: Int) async throws {
    let file = try folder.make(
      "pauses.webm", "-f", "lavfi", "-i", "sine=d=12:r=48000", "-c:a", "libopus", "-bsf:a",
      "noise=drop=\(lost)")
    let source = try AudioFileSource(file)
    #expect(abs(source.duration - 12) < 0.1)
    #expect(source.gaps.count == holes)
    #expect(source.warnings.count == holes)
    let peaks = try await peaks(source)
    #expect(peaks[85..<115].allSatisfy { $0 > 0.05 })
  }

  /// A click of 5 ms makes no difference.
  @Test(arguments: [(3.0, 0.0, 1.0), (0.002, 0, 0.25), (0.002, 0.6, 0.25), (0.00003, 0, 0.25), (0.5, 0, 0.5)])
  func theLevelIsKnownBeforeItIsFixed(amplitude: Double, click: Double, expected: Float) async throws {
    let sound = "\(amplitude)*sin(2000*t)+\(click)*between(t,0.5,0.505)"
    let file = try folder.make(
      "level.wav", "-f", "lavfi", "-i", "aevalsrc='\(sound)':d=1:s=8000", "-c:a", "pcm_f32le")
    let source = try AudioFileSource(file)
    let levels = try await peaks(source).sorted()
    let typical = try #require(levels.dropFirst(levels.count / 2).first)
    #expect(abs(typical - expected) < 0.01 * expected)
    #expect(source.warnings.map(\.code) == (amplitude == 0.5 ? [] : [.levelChanged]))
  }

  /// Two packets, ten hours apart.
  @Test func timeWithoutBytesIsRefused() throws {
    let file = try folder.make(
      "empty.mka", "-f", "lavfi", "-i", "sine=d=0.2:r=8000", "-af", "asetpts='PTS+gt(T,0.1)*36000/TB'",
      "-c:a",
      "pcm_s16le", "-fps_mode", "passthrough")
    let began = ContinuousClock.now
    #expect((try? AudioFileSource(file).duration) ?? 0 == 0)
    #expect(ContinuousClock.now - began < .seconds(5))
  }

  @Test func aLongGapIsSkipped() async throws {
    let file = try folder.make(
      "gap.mka", "-f", "lavfi", "-i", "sine=d=20:r=8000", "-af", "asetpts='PTS+gt(T,10)*900/TB'", "-c:a",
      "pcm_s16le", "-fps_mode", "passthrough")
    let source = try AudioFileSource(file)
    #expect(source.gaps.count == 1)
    #expect(abs(source.duration - 920) < 1)
    let format = try #require(
      AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 1, interleaved: true))
    var (frames, end) = (0, 0)
    for try await input in AnalyzerInputs(audio: source, start: 0, format: format) {
      end = input.bufferStartTime.map { Int($0.value) } ?? end
      end += Int(input.bufferDuration.value)
      frames += Int(input.bufferDuration.value)
    }
    #expect(frames < 25 * 16_000)
    #expect(abs(Double(end) / 16_000 - source.duration) < 0.1)
  }

  @Test(arguments: ["g722", "adpcm_ima_wav"]) func theLengthOfPackedSamplesIsThatOfTheFactChunk(codec: String)
    throws
  {
    let file = try folder.make(
      "packed.wav", "-f", "lavfi", "-i", "sine=d=5:r=16000", "-c:a", codec)
    let source = try AudioFileSource(file)
    #expect(abs(source.duration - 5) < 0.2)
    #expect(source.warnings.isEmpty)
  }
}
