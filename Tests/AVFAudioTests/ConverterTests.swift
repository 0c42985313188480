import AVFAudio
import Testing

@Suite struct ConverterTests {
  /// Converts all of `samples`, given in pieces of `piece` frames, into buffers of `room` frames.
  private func convert(
    _ samples: [[Float]], with converter: AVAudioConverter, piece: Int, room: UInt32
  ) throws -> [Float] {
    let output = try #require(AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: room))
    var (position, result): (Int, [Float]) = (0, [])
    while true {
      var error: NSError?
      let status = converter.convert(to: output, error: &error) { _, status in
        guard position < samples[0].count else {
          status.pointee = .endOfStream
          return nil
        }
        let range = position..<min(position + piece, samples[0].count)
        position = range.upperBound
        status.pointee = .haveData
        return try? AVAudioPCMBuffer.make(
          samples.map { Array($0[range]) }, rate: converter.inputFormat.sampleRate)
      }
      result += output.samples()
      switch status {
      case .haveData: #expect(output.frameLength > 0)
      case .endOfStream:
        #expect(output.frameLength == 0)
        return result
      default:
        Issue.record("\(status) \(String(describing: error))")
        return result
      }
    }
  }

  private func format(_ rate: Double, _ channels: UInt32 = 1) throws -> AVAudioFormat {
    try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels))
  }

  @Test(arguments: [8000.0, 11_025, 16_000, 44_100, 48_000], [16_000.0, 22_050, 48_000])
  func outputIsIndependentOfBufferSize(from: Double, to: Double) throws {
    let count = Int(from) / 2 + 13
    let samples = TemporaryFolder.sweep(frames: count, rate: from)
    let converter = try #require(AVAudioConverter(from: try format(from), to: try format(to)))
    let whole = try convert(samples, with: converter, piece: count, room: 200_000)
    #expect(abs(Double(whole.count) - Double(count) * to / from) <= 1.5)
    for (piece, room) in [(160, 100), (3, 4096), (4000, 17)] as [(Int, UInt32)] {
      converter.reset()
      #expect(difference(try convert(samples, with: converter, piece: piece, room: room), whole) == 0)
    }
    // The sound has stayed where it was.
    let expected = TemporaryFolder.sweep(frames: whole.count, rate: to)[0]
    let middle = whole.count / 4..<whole.count * 3 / 4
    #expect(difference(whole[middle], expected[middle]) < 0.02)
  }

  @Test func masteringIsTheBestQuality() throws {
    #expect(AVSampleRateConverterAlgorithm_MinimumPhase == "AVSampleRateConverterAlgorithm_MinimumPhase")
    let samples = TemporaryFolder.sweep(frames: 4410, rate: 44_100)
    func converted(_ algorithm: String?, _ quality: AVAudioQuality = .medium) throws -> [Float] {
      let converter = try #require(AVAudioConverter(from: try format(44_100), to: try format(16_000)))
      converter.sampleRateConverterAlgorithm = algorithm
      converter.sampleRateConverterQuality = quality.rawValue
      #expect(converter.sampleRateConverterAlgorithm == algorithm)
      return try convert(samples, with: converter, piece: 4410, room: 4410)
    }
    let (usual, best) = (try converted(nil), try converted(nil, .max))
    #expect(difference(usual, best) > 0)
    #expect(try difference(converted(AVSampleRateConverterAlgorithm_Mastering), best) == 0)
    for algorithm in [AVSampleRateConverterAlgorithm_Normal, AVSampleRateConverterAlgorithm_MinimumPhase] {
      #expect(try difference(converted(algorithm), usual) == 0)
    }
  }

  @Test func integersToFloatsAndBack() throws {
    let wide = try format(16_000)
    let narrow = try #require(
      AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 1, interleaved: true))
    let samples = (0..<1000).map { Float($0 - 500) / 32768 }
    let there = try #require(AVAudioConverter(from: wide, to: narrow))
    let back = try #require(AVAudioConverter(from: narrow, to: wide))
    let integers = try #require(AVAudioPCMBuffer(pcmFormat: narrow, frameCapacity: 1000))
    try there.convert(to: integers, from: try AVAudioPCMBuffer.make([samples], rate: 16_000))
    #expect(integers.frameLength == 1000)
    #expect(integers.int16ChannelData?[0][0] == -500)
    let floats = try #require(AVAudioPCMBuffer(pcmFormat: wide, frameCapacity: 1000))
    try back.convert(to: floats, from: integers)
    #expect(floats.samples() == samples)
  }

  @Test func simpleConversionRefusesRatesAndSmallBuffers() throws {
    let resampling = try #require(AVAudioConverter(from: try format(8000), to: try format(16_000)))
    let input = try AVAudioPCMBuffer.make([[1, 2, 3]], rate: 8000)
    let output = try AVAudioPCMBuffer.make([[0, 0, 0]], rate: 16_000)
    #expect(throws: NSError.self) { try resampling.convert(to: output, from: input) }
    let plain = try #require(AVAudioConverter(from: try format(8000), to: try format(8000)))
    let small = try AVAudioPCMBuffer.make([[0, 0]], rate: 8000)
    #expect(throws: NSError.self) { try plain.convert(to: small, from: input) }
    #expect(throws: NSError.self) { try plain.convert(to: output, from: input) }
  }

  @Test func streamContinuesAfterNoDataNow() throws {
    let converter = try #require(AVAudioConverter(from: try format(16_000), to: try format(16_000)))
    let output = try #require(AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: 100))
    var pieces = [try AVAudioPCMBuffer.make([[1, 2, 3]], rate: 16_000)]
    func step(_ last: AVAudioConverterInputStatus) -> AVAudioConverterOutputStatus {
      converter.convert(to: output, error: nil) { _, status in
        guard !pieces.isEmpty else {
          status.pointee = last
          return nil
        }
        status.pointee = .haveData
        return pieces.removeFirst()
      }
    }
    #expect(step(.noDataNow) == .inputRanDry)
    #expect(output.samples() == [1, 2, 3])
    #expect(step(.noDataNow) == .inputRanDry)
    #expect(output.frameLength == 0)
    pieces = [try AVAudioPCMBuffer.make([[4]], rate: 16_000)]
    #expect(step(.endOfStream) == .haveData)
    #expect(output.samples() == [4])
    #expect(step(.endOfStream) == .endOfStream)
    #expect(output.frameLength == 0)
    pieces = [try AVAudioPCMBuffer.make([[5]], rate: 16_000)]
    #expect(step(.noDataNow) == .endOfStream, "before a reset nothing is taken")
    converter.reset()
    #expect(step(.noDataNow) == .inputRanDry)
    #expect(output.samples() == [5])
  }

  @Test func misuseIsAnErrorNotATrap() throws {
    let converter = try #require(AVAudioConverter(from: try format(16_000), to: try format(8000)))
    var error: NSError?
    let wrong = try AVAudioPCMBuffer.make([[0]], rate: 16_000)
    #expect(converter.convert(to: wrong, error: &error) { _, _ in nil } == .error)
    #expect(error != nil)
    error = nil
    let output = try #require(AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: 10))
    let status = converter.convert(to: output, error: &error) { _, status in
      status.pointee = .haveData
      return output
    }
    #expect(status == .error)
    #expect(error != nil)
    // Empty buffers and a status without a buffer mean that nothing is there.
    let empty = try #require(AVAudioPCMBuffer(pcmFormat: converter.inputFormat, frameCapacity: 0))
    for buffer in [empty, nil] {
      let status = converter.convert(to: output, error: nil) { _, status in
        status.pointee = .haveData
        return buffer
      }
      #expect(status == .inputRanDry)
    }
    let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | 65))
    let many = AVAudioFormat(standardFormatWithSampleRate: 8000, channelLayout: layout)
    #expect(AVAudioConverter(from: many, to: try format(8000)) == nil)
  }

  @Test func channelsAreDroppedMixedOrMapped() throws {
    let stereo = try AVAudioPCMBuffer.make([[0.25, 0.5], [0.75, -0.5]], rate: 8000)
    let converter = try #require(AVAudioConverter(from: try format(8000, 2), to: try format(8000)))
    let mono = try AVAudioPCMBuffer.make([[0, 0]], rate: 8000)
    #expect(converter.channelMap == [0])
    #expect(!converter.downmix)
    try converter.convert(to: mono, from: stereo)
    #expect(mono.samples() == [0.25, 0.5])
    converter.channelMap = [1]
    try converter.convert(to: mono, from: stereo)
    #expect(mono.samples() == [0.75, -0.5])
    converter.downmix = true
    try converter.convert(to: mono, from: stereo)
    #expect(mono.samples() == [0.5, 0])
    let widening = try #require(AVAudioConverter(from: try format(8000), to: try format(8000, 2)))
    try widening.convert(to: stereo, from: mono)
    #expect(stereo.samples(0) == [0.5, 0])
    #expect(stereo.samples(1) == [0.5, 0])
    widening.channelMap = [-1, 0]
    try widening.convert(to: stereo, from: mono)
    #expect(stereo.samples(0) == [0, 0])
    #expect(stereo.samples(1) == [0.5, 0])
  }

  @Test func manyChannelsMixToOne() throws {
    let wide = try AVAudioPCMBuffer.make((0..<10).map { [Float($0) / 10] }, rate: 8000)
    let converter = try #require(AVAudioConverter(from: wide.format, to: try format(8000)))
    converter.downmix = true
    let mono = try AVAudioPCMBuffer.make([[0]], rate: 8000)
    try converter.convert(to: mono, from: wide)
    #expect(abs(mono.samples()[0] - 0.45) < 1e-6)
  }
}
