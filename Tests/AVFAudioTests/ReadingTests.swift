import AVFAudio
import TestSupport
import Testing

@Suite struct ReadingTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private let frames = 70_001

  /// Container, further arguments of the encoder, tolerated error of the samples.
  static let encodings: [(String, [String], Float)] = [
    ("a.flac", [], 0.0001), ("a.aiff", [], 0.0001), ("a.m4a", [], 0.1), ("a.mp3", [], 0.1),
    ("a.ogg", [], 0.1),
    ("a.opus", [], 0.1), ("a.caf", ["-c:a", "pcm_s24be"], 0.0001), ("alac.m4a", ["-c:a", "alac"], 0.0001),
    ("a.au", [], 0.0001),
    ("low.mp3", ["-b:a", "32k"], 0.3),
    (
      "video.mp4", ["-f", "lavfi", "-i", "testsrc=d=1:r=5:s=64x64", "-map", "0:a", "-map", "1:v"], 0.1
    ),
  ]

  @Test(.tagged(.childProcess), arguments: encodings.indices)
  func everyEncodingHasExactLengthAndSamples(index: Int) throws {
    let (name, arguments, tolerance) = Self.encodings[index]
    let source = try folder.sweep("source.wav", frames: frames, rate: 48_000)
    let file = try AVAudioFile(forReading: try folder.encode(source, to: name, arguments))
    #expect(file.processingFormat == AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
    // The encoder's MP4 states where lossy sound ends in whole milliseconds: 48 frames.
    let slack = arguments.contains("alac") || !["a.m4a", "video.mp4"].contains(name) ? 0 : 48
    #expect((frames - slack...frames).contains(Int(file.length)))
    let samples = try file.rest()
    #expect(samples.count == Int(file.length))
    let expected = TemporaryFolder.sweep(frames: frames, rate: 48_000)[0].prefix(samples.count)
    #expect(difference(samples, expected) < tolerance)
    #expect(file.framePosition == file.length)
    #expect(file.condition.holes.isEmpty)
    let stated = file.condition.statedDuration ?? Double(file.length) / 48_000
    #expect(abs(stated - Double(file.length) / 48_000) < 0.1)
  }

  /// Seeking in any order gives what reading in order gives, whether or not the length has been counted before.
  @Test(.tagged(.childProcess), arguments: encodings.indices)
  func seekingIsExact(index: Int) throws {
    let (name, arguments, _) = Self.encodings[index]
    let source = try folder.sweep("source.wav", frames: frames * 10, rate: 48_000)
    try checkSeeking(try folder.encode(source, to: name, arguments))
  }

  /// FFmpeg gives the packets after a seek in Ogg Speex other times than reading in order does.
  @Test(.tagged(.childProcess)) func seekingInSpeexIsExact() throws {
    let source = try folder.sweep("source.wav", frames: frames * 10, rate: 16_000)
    try checkSeeking(try folder.encode(source, to: "a.spx", ["-c:a", "libspeex"]))
  }

  private func checkSeeking(_ url: URL) throws {
    let all = try AVAudioFile(forReading: url).rest()
    for afterLength in [false, true] {
      let file = try AVAudioFile(forReading: url)
      if afterLength { #expect(file.length == Int64(all.count)) }
      let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 1500))
      for position in [690_000, 100, 550_000, 549_999, 0, 120_123, 600_000, 260_003, 648_000, all.count] {
        let end = min(position + 1500, all.count)
        file.framePosition = Int64(position)
        try file.read(into: buffer)
        #expect(file.framePosition == Int64(end))
        let expected = all[position..<end]
        #expect(difference(buffer.samples(), expected) == 0, "at \(position)")
      }
    }
  }

  @Test func positionsOutsideTheFileAreHarmless() throws {
    let file = try AVAudioFile(forReading: try folder.sweep("a.wav", frames: 1000))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 10))
    for position in [1000, 1001, Int64.max] {
      file.framePosition = position
      try file.read(into: buffer)
      #expect(buffer.frameLength == 0)
    }
    file.framePosition = -5
    #expect(file.framePosition == 0)
    try file.read(into: buffer, frameCount: 3)
    #expect(buffer.frameLength == 3)
  }

  @Test(arguments: [AVAudioCommonFormat.pcmFormatInt16, .pcmFormatInt32, .pcmFormatFloat64])
  func otherTypesOfSamples(type: AVAudioCommonFormat) throws {
    let url = try folder.sweep("a.wav", frames: 100, channels: 2)
    let floats = try AVAudioFile(forReading: url).rest(1)
    for interleaved in [false, true] {
      let file = try AVAudioFile(forReading: url, commonFormat: type, interleaved: interleaved)
      #expect(file.processingFormat.commonFormat == type)
      #expect(file.processingFormat.isInterleaved == interleaved)
      let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 200))
      try file.read(into: buffer)
      #expect(buffer.frameLength == 100)
      let last = 99 * buffer.stride
      if let data = buffer.int16ChannelData { #expect(Float(data[1][last]) / 32768 == floats[99]) }
      if let data = buffer.int32ChannelData { #expect(Float(data[1][last]) / 2_147_483_648 == floats[99]) }
    }
    #expect(throws: NSError.self) {
      try AVAudioFile(forReading: url, commonFormat: .otherFormat, interleaved: false)
    }
  }

  @Test func severalChannelsGetALayout() throws {
    let file = try AVAudioFile(forReading: try folder.sweep("a.wav", frames: 500, channels: 6))
    #expect(file.processingFormat.channelCount == 6)
    #expect(file.processingFormat.channelLayout != nil)
    #expect(
      difference(try file.rest(5), TemporaryFolder.sweep(frames: 500, rate: 16_000, channels: 6)[5]) < 1e-4)
  }

  @Test func readingTakesOnlyItsOwnFormatAndAnOpenFile() throws {
    let file = try AVAudioFile(forReading: try folder.sweep("a.wav", frames: 500))
    let other = try AVAudioPCMBuffer.make([[0]], rate: 8000)
    let own = try AVAudioPCMBuffer.make([[0]], rate: 16_000)
    #expect(throws: NSError.self) { try file.read(into: other) }
    #expect(throws: NSError.self) { try file.write(from: own) }
    #expect(file.isOpen)
    file.close()
    file.close()
    #expect(!file.isOpen)
    #expect(file.length == 500)
    #expect(throws: NSError.self) { try file.read(into: own) }
  }

  @Test(.tagged(.childProcess)) func removedFileCanStillBeRewound() throws {
    let source = try folder.sweep("a.wav", frames: frames, rate: 48_000)
    let url = try folder.encode(source, to: "a.mp3")
    let file = try AVAudioFile(forReading: url)
    let all = try file.rest()
    try FileManager.default.removeItem(at: url)
    file.framePosition = 0
    #expect(try file.rest() == all)
    #expect(file.length == Int64(all.count))
  }

  @Test(.tagged(.childProcess)) func rateAndChannelsThatChangeFollowTheFirst() throws {
    let first = try folder.sweep("1.wav", frames: 32_000, rate: 32_000)
    let second = try folder.sweep("2.wav", frames: 44_100, rate: 44_100, channels: 2)
    var joined = try Data(contentsOf: try folder.encode(first, to: "1.mp3", ["-write_xing", "0"]))
    joined += try Data(contentsOf: try folder.encode(second, to: "2.mp3", ["-write_xing", "0"]))
    try joined.write(to: folder.file("joined.mp3"))
    let file = try AVAudioFile(forReading: folder.file("joined.mp3"))
    #expect(file.processingFormat == AVAudioFormat(standardFormatWithSampleRate: 32_000, channels: 1))
    #expect(abs(Double(file.length) / 32_000 - 2) < 0.2)
    let all = try file.rest()
    #expect(all.count == Int(file.length))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 1000))
    for position in [50_000, 20_000, 60_000, 45_000] {
      file.framePosition = Int64(position)
      try file.read(into: buffer)
      #expect(difference(buffer.samples(), all[position..<position + 1000]) == 0)
    }
  }
}
