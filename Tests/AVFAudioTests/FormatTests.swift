import AVFAudio
import CoreMedia
import Testing

@Suite struct FormatTests {
  @Test func standardFormatIsDeinterleavedFloat() throws {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
    #expect(format.isStandard)
    #expect(!format.isInterleaved)
    #expect(format.commonFormat == .pcmFormatFloat32)
    #expect(format.streamDescription.pointee.mBytesPerFrame == 4)
    #expect(format.streamDescription.pointee.mFormatFlags == 0x29)
  }

  @Test(arguments: [0, -1, .nan, .infinity] as [Double])
  func invalidRatesGiveNil(rate: Double) {
    #expect(AVAudioFormat(standardFormatWithSampleRate: rate, channels: 1) == nil)
    #expect(
      AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: rate, channels: 1, interleaved: true) == nil)
    #expect(AVAudioFormat(settings: [AVSampleRateKey: rate, AVNumberOfChannelsKey: 1]) == nil)
  }

  @Test(arguments: [0, 3, 65535, UInt32.max] as [UInt32])
  func channelsWithoutLayoutGiveNil(channels: UInt32) {
    #expect(AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: channels) == nil)
    #expect(
      AVAudioFormat(commonFormat: .pcmFormatFloat64, sampleRate: 8000, channels: channels, interleaved: true)
        == nil)
  }

  @Test func otherFormatIsNone() {
    #expect(
      AVAudioFormat(commonFormat: .otherFormat, sampleRate: 8000, channels: 1, interleaved: true) == nil)
  }

  @Test func moreThanTwoChannelsNeedALayout() throws {
    let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
    let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: layout)
    #expect(format.channelCount == 6)
    #expect(AVAudioFormat(streamDescription: format.streamDescription) == nil)
    #expect(AVAudioFormat(streamDescription: format.streamDescription, channelLayout: layout) == format)
  }

  @Test func formatsAndTheirDescriptionsAreEqual() throws {
    let format = try #require(
      AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 2, interleaved: true))
    let description = format.formatDescription
    #expect(description.audioStreamBasicDescription?.mSampleRate == 16_000)
    #expect(description.audioStreamBasicDescription?.mBytesPerFrame == 4)
    #expect(AVAudioFormat(cmAudioFormatDescription: description) == format)
    let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
    let surround = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: layout)
    let copy = AVAudioFormat(cmAudioFormatDescription: surround.formatDescription)
    #expect(copy.channelCount == 6)
    #expect(copy.channelLayout?.channelCount == 6)
    // Core Media has no such rate, and the property cannot fail.
    let broken = AVAudioFormat(standardFormatWithSampleRate: .nan, channelLayout: layout)
    #expect(broken.formatDescription.audioStreamBasicDescription?.mSampleRate == 0)
  }

  @Test func interleavingCountsOnlyForSeveralChannels() throws {
    func format(_ channels: UInt32, _ interleaved: Bool) -> AVAudioFormat? {
      AVAudioFormat(
        commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: channels, interleaved: interleaved)
    }
    #expect(format(1, true) == format(1, false))
    #expect(format(1, true)?.hash == format(1, false)?.hash)
    #expect(format(2, true) != format(2, false))
    #expect(format(1, true) != AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 1))
  }

  @Test func stereoLayoutEqualsNone() throws {
    let stereo = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo))
    let headphones = try #require(AVAudioChannelLayout(layoutTag: 102 << 16 | 2))
    let plain = AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 2)
    #expect(AVAudioFormat(standardFormatWithSampleRate: 16_000, channelLayout: stereo) == plain)
    #expect(AVAudioFormat(standardFormatWithSampleRate: 16_000, channelLayout: headphones) != plain)
  }

  @Test func settingsGoThereAndBack() throws {
    let format = try #require(
      AVAudioFormat(commonFormat: .pcmFormatInt32, sampleRate: 22_050, channels: 2, interleaved: false))
    #expect(AVAudioFormat(settings: format.settings) == format)
    let numbers: [String: Any] = [
      AVFormatIDKey: NSNumber(value: kAudioFormatLinearPCM), AVSampleRateKey: 16_000,
      AVNumberOfChannelsKey: 1,
      AVLinearPCMBitDepthKey: 16,
    ]
    #expect(AVAudioFormat(settings: numbers)?.commonFormat == .pcmFormatInt16)
    #expect(AVAudioFormat(settings: numbers.merging([AVLinearPCMBitDepthKey: 13]) { $1 }) == nil)
    #expect(AVAudioFormat(settings: [:]) == nil)
    let aac: [String: Any] = [
      AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
    ]
    #expect(AVAudioFormat(settings: aac)?.commonFormat == .otherFormat)
  }

  @Test func archivesKeepTheFormat() throws {
    let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Quadraphonic))
    let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: layout)
    let coder = NSKeyedArchiver(requiringSecureCoding: true)
    format.encode(with: coder)
    let decoder = try NSKeyedUnarchiver(forReadingFrom: coder.encodedData)
    #expect(AVAudioFormat(coder: decoder) == format)
  }
}
