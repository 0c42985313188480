import AVFAudio
import TestSupport
import Testing

@Suite struct BadFilesTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// A WAV header of 16-bit samples with the given claims, and what follows it.
  private func wav(
    rate: UInt32 = 16_000, channels: UInt16 = 1, bits: UInt16 = 16, claimed: UInt32, sound: [UInt8] = []
  ) -> [UInt8] {
    func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
    let block = UInt16(truncatingIfNeeded: UInt32(channels) * UInt32(bits / 8))
    return Array("RIFF".utf8) + bytes(claimed &+ 36) + Array("WAVEfmt ".utf8) + bytes(UInt32(16))
      + bytes(UInt16(1)) + bytes(channels) + bytes(rate) + bytes(rate &* UInt32(block)) + bytes(block)
      + bytes(bits) + Array("data".utf8) + bytes(claimed) + sound
  }

  /// The one-line reason that opening fails.
  private func reason(_ url: URL) -> String? {
    do {
      _ = try AVAudioFile(forReading: url)
      return nil
    } catch {
      let text = (error as NSError).localizedDescription
      #expect(!text.contains("\n"))
      #expect((error as NSError).domain == "com.apple.coreaudio.avfaudio")
      return text
    }
  }

  @Test func reasonsNameTheCause() throws {
    #expect(try #require(reason(folder.file("none.wav"))).contains("No such file"))
    #expect(try #require(reason(folder.url)).contains("not a regular file"))
    #expect(try #require(reason(try folder.write([], to: "empty.wav"))).contains("empty"))
    #expect(reason(try folder.write(Array("just words ".utf8), to: "words.wav")) != nil)
    let remote = try #require(URL(string: "http://127.0.0.1:9/a.wav"))
    #expect(try #require(reason(remote)).contains("only files of this machine"))
    mkfifo(folder.file("pipe.wav").path, 0o600)
    #expect(try #require(reason(folder.file("pipe.wav"))).contains("not a regular file"))
  }

  @Test(.tagged(.childProcess)) func imagesHaveNoAudio() throws {
    let source = try folder.sweep("a.wav", frames: 100)
    let video = try folder.encode(
      source, to: "v.mp4", ["-f", "lavfi", "-i", "testsrc=d=1:r=5:s=64x64", "-map", "1:v"])
    #expect(try #require(reason(video)).contains("no audio"))
    let image = try folder.encode(video, to: "v.png", ["-frames:v", "1"])
    #expect(try #require(reason(image)).contains("no audio"))
  }

  @Test func emptyRecordingHasLengthZero() throws {
    let file = try AVAudioFile(forReading: try folder.write(wav(claimed: 0), to: "a.wav"))
    #expect(file.length == 0)
    #expect(try file.rest().isEmpty)
  }

  @Test(arguments: [100, 4_294_967_295, 4_000_000_000, 0] as [UInt32])
  func lengthIsThatOfTheFileNotOfTheHeader(claimed: UInt32) throws {
    let sound = [UInt8](repeating: 7, count: 2000)
    let url = try folder.write(wav(claimed: claimed, sound: sound), to: "a.wav")
    let file = try AVAudioFile(forReading: url)
    #expect(file.length == (claimed == 100 ? 50 : 1000))
    #expect(try file.rest().count == Int(file.length))
  }

  @Test(arguments: [1, 100, 900, 999, 768_001, 800_000, 16_000_000] as [UInt32])
  func ratesThatNoRecorderHasAreRefused(rate: UInt32) throws {
    let sound = [UInt8](repeating: 7, count: 45_000)
    let url = try folder.write(wav(rate: rate, claimed: 45_000, sound: sound), to: "a.wav")
    #expect(try #require(reason(url)).contains("sample rate of \(rate) Hz"))
  }

  @Test(arguments: [1000, 768_000] as [UInt32]) func ratesAtTheLimitsAreRead(rate: UInt32) throws {
    let sound = [UInt8](repeating: 7, count: 2000)
    let url = try folder.write(wav(rate: rate, claimed: 2000, sound: sound), to: "a.wav")
    #expect(try AVAudioFile(forReading: url).rest().count == 1000)
  }

  @Test func absurdHeadersAreRefusedOrHarmless() throws {
    let sound = [UInt8](repeating: 3, count: 500)
    let headers = [
      wav(rate: 0, claimed: 500, sound: sound), wav(rate: .max, claimed: 500, sound: sound),
      wav(channels: 65535, claimed: 500, sound: sound), wav(channels: 0, claimed: 500, sound: sound),
      wav(channels: 65535, bits: 65535, claimed: .max, sound: sound),
      wav(bits: 0, claimed: 500, sound: sound),
      wav(rate: .max, channels: 65535, bits: 32, claimed: .max, sound: sound),
    ]
    for (index, header) in headers.enumerated() {
      let url = try folder.write(header, to: "\(index).wav")
      guard let file = try? AVAudioFile(forReading: url) else { continue }
      #expect(file.length <= 500)
      #expect(file.processingFormat.sampleRate > 0)
      #expect(file.processingFormat.channelCount <= 64)
      _ = try file.rest()
    }
    #expect(reason(folder.file("2.wav")) != nil)
    #expect(reason(folder.file("0.wav")) != nil)
  }

  /// Every prefix of a file, and every file with damage somewhere, is read or refused, soon.
  @Test(
    .tagged(.childProcess),
    arguments: ["a.wav", "a.flac", "a.mp3", "a.m4a", "a.opus", "a.aiff", "a.caf", "a.mkv"])
  func truncatedAndDamagedFiles(name: String) throws {
    let source = try folder.sweep("source.wav", frames: 20_000, rate: 48_000)
    let whole = Array(try Data(contentsOf: try folder.encode(source, to: name)))
    var random = SystemRandomNumberGenerator()
    for trial in 0..<24 {
      var bytes = whole
      if trial < 12 {
        bytes = Array(bytes.prefix(whole.count * trial / 12))
      } else {
        for _ in 0..<8 { bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255) }
      }
      let url = try folder.write(bytes, to: "bad-\(name)")
      let started = Date()
      if let file = try? AVAudioFile(forReading: url) {
        #expect(try file.rest().count == Int(file.length))
        file.framePosition = file.length / 2
        _ = try file.rest()
      }
      #expect(Date().timeIntervalSince(started) < 60)
    }
  }

  @Test(.tagged(.childProcess)) func truncatedFilesGiveWhatThereIs() throws {
    for name in ["a.wav", "a.flac", "a.mp3"] {
      let source = try folder.sweep("source.wav", frames: 96_000, rate: 48_000)
      let whole = try Data(contentsOf: try folder.encode(source, to: name))
      try whole.prefix(whole.count / 2).write(to: folder.file("half-\(name)"))
      let file = try AVAudioFile(forReading: folder.file("half-\(name)"))
      #expect((30_000...66_000).contains(file.length))
    }
  }

  @Test(.tagged(.childProcess)) func corruptPacketsAreSkipped() throws {
    let source = try folder.sweep("source.wav", frames: 96_000, rate: 48_000)
    var bytes = Array(try Data(contentsOf: try folder.encode(source, to: "a.mp3")))
    for index in bytes.count / 2..<bytes.count / 2 + 1500 { bytes[index] = 0xA5 }
    let file = try AVAudioFile(forReading: try folder.write(bytes, to: "bad.mp3"))
    #expect(file.length > 80_000)
  }

  /// A list that names a readable file and an address is refused; nothing that it names is opened.
  @Test(.tagged(.childProcess)) func playlistsAreRefused() throws {
    let sound = try folder.encode(
      try folder.sweep("source.wav", frames: 48_000), to: "a.ts", ["-c:a", "mp2"])
    for entry in [sound.path, "a.ts", "file:\(sound.path)", "http://127.0.0.1:9/a.ts"] {
      let list = """
        #EXTM3U
        #EXT-X-VERSION:3
        #EXT-X-TARGETDURATION:10
        #EXTINF:3.0,
        \(entry)
        #EXT-X-ENDLIST

        """
      for name in ["list.m3u8", "list.wav", "list.mp3"] {
        #expect(reason(try folder.write(Array(list.utf8), to: name)) != nil)
      }
      let concat = "ffconcat version 1.0\nfile '\(entry)'\n"
      #expect(reason(try folder.write(Array(concat.utf8), to: "list.ffconcat")) != nil)
      let description = "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 0\n"
      #expect(reason(try folder.write(Array(description.utf8), to: "list.sdp")) != nil)
    }
  }
}
