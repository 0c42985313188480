import AVFAudio
import Testing

@Suite struct WritingTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: ["a.wav", "a.flac", "a.aiff", "a.caf"], [16, 24, 32])
  func integersAreReadAsWritten(name: String, bits: Int) throws {
    guard !(name == "a.flac" && bits == 32) else { return }
    let url = try folder.sweep(name, frames: 5000, channels: 2, settings: [AVLinearPCMBitDepthKey: bits])
    let file = try AVAudioFile(forReading: url)
    #expect(file.length == 5000)
    let tolerance: Float = bits == 16 ? 0.6 / 32768 : 1e-6
    #expect(
      difference(try file.rest(1), TemporaryFolder.sweep(frames: 5000, rate: 16_000, channels: 2)[1])
        < tolerance)
  }

  @Test(arguments: ["a.wav", "a.aiff", "a.caf"])
  func floatsAreReadAsWritten(name: String) throws {
    let settings: [String: Any] = [AVLinearPCMIsFloatKey: true, AVLinearPCMBitDepthKey: 32]
    let file = try AVAudioFile(forReading: try folder.sweep(name, frames: 5000, settings: settings))
    #expect(try file.rest() == TemporaryFolder.sweep(frames: 5000, rate: 16_000)[0])
  }

  @Test func sixteenBitsComeBackExactly() throws {
    let settings: [String: Any] = [AVSampleRateKey: 8000.0, AVNumberOfChannelsKey: 1]
    let file = try AVAudioFile(
      forWriting: folder.file("a.wav"), settings: settings, commonFormat: .pcmFormatInt16, interleaved: true)
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 65536))
    buffer.frameLength = 65536
    for value in 0..<65536 { buffer.int16ChannelData?[0][value] = Int16(truncatingIfNeeded: value) }
    try file.write(from: buffer)
    #expect(file.length == 65536)
    #expect(file.framePosition == 65536)
    file.close()
    let back = try AVAudioFile(
      forReading: folder.file("a.wav"), commonFormat: .pcmFormatInt16, interleaved: true)
    let copy = try #require(AVAudioPCMBuffer(pcmFormat: back.processingFormat, frameCapacity: 65536))
    try back.read(into: copy)
    let isSame = (0..<65536).allSatisfy { copy.int16ChannelData?[0][$0] == buffer.int16ChannelData?[0][$0] }
    #expect(copy.frameLength == 65536)
    #expect(isSame)
  }

  @Test func loudSamplesAreClipped() throws {
    let file = try AVAudioFile(
      forWriting: folder.file("a.wav"), settings: [AVSampleRateKey: 8000, AVNumberOfChannelsKey: 1])
    try file.write(from: try AVAudioPCMBuffer.make([[2, -2, .infinity]], rate: 8000))
    file.close()
    let samples = try AVAudioFile(forReading: folder.file("a.wav")).rest()
    #expect(samples.prefix(2) == [32767 / 32768, -1])
  }

  @Test func refusesWhatCannotBeWritten() throws {
    let good: [String: Any] = [AVSampleRateKey: 16_000, AVNumberOfChannelsKey: 1]
    func reason(_ name: String, _ settings: [String: Any]) -> String? {
      do {
        _ = try AVAudioFile(forWriting: folder.file(name), settings: settings)
        return nil
      } catch { return (error as NSError).localizedDescription }
    }
    #expect(try #require(reason("missing/a.wav", good)).contains("No such file"))
    #expect(try #require(reason("a.mp3", good)).contains(".wav"))
    #expect(reason("a.wav", [:]) != nil)
    #expect(reason("a.wav", good.merging([AVSampleRateKey: 0]) { $1 }) != nil)
    #expect(reason("a.wav", good.merging([AVNumberOfChannelsKey: -1]) { $1 }) != nil)
    #expect(reason("a.wav", good.merging([AVNumberOfChannelsKey: 70_000]) { $1 }) != nil)
    #expect(reason("a.wav", good.merging([AVLinearPCMBitDepthKey: 13]) { $1 }) != nil)
    #expect(reason("a.wav", good.merging([AVFormatIDKey: kAudioFormatMPEG4AAC]) { $1 }) != nil)
    #expect(!FileManager.default.fileExists(atPath: folder.file("a.wav").path))
  }

  @Test func aFullDiskIsAnError() throws {
    guard FileManager.default.isWritableFile(atPath: "/dev/full") else { return }
    try FileManager.default.createSymbolicLink(
      at: folder.file("a.wav"), withDestinationURL: URL(fileURLWithPath: "/dev/full"))
    let settings: [String: Any] = [AVSampleRateKey: 16_000, AVNumberOfChannelsKey: 1]
    let sound = try AVAudioPCMBuffer.make(TemporaryFolder.sweep(frames: 100_000, rate: 16_000), rate: 16_000)
    #expect(throws: NSError.self) {
      try AVAudioFile(forWriting: folder.file("a.wav"), settings: settings).write(from: sound)
    }
  }

  @Test func closedFilesAndOtherFormatsAreErrors() throws {
    let file = try AVAudioFile(
      forWriting: folder.file("a.wav"), settings: [AVSampleRateKey: 8000, AVNumberOfChannelsKey: 1])
    let own = try AVAudioPCMBuffer.make([[0.5]], rate: 8000)
    #expect(throws: NSError.self) { try file.write(from: AVAudioPCMBuffer.make([[0.5]], rate: 16_000)) }
    #expect(throws: NSError.self) { try file.read(into: own) }
    try file.write(from: own)
    file.close()
    #expect(!file.isOpen)
    #expect(file.length == 1)
    #expect(throws: NSError.self) { try file.write(from: own) }
  }
}
