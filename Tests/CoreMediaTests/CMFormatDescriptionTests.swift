import CoreMedia
import Foundation
import Testing

@Suite struct CMFormatDescriptionTests {
  private func create(_ stream: AudioStreamBasicDescription) -> (
    status: OSStatus, description: CMFormatDescription?
  ) {
    var stream = stream
    var description: CMAudioFormatDescription?
    let status = CMAudioFormatDescriptionCreate(
      allocator: kCFAllocatorDefault, asbd: &stream, layoutSize: 0, layout: nil, magicCookieSize: 0,
      magicCookie: nil, extensions: nil, formatDescriptionOut: &description)
    return (status, description)
  }

  @Test func theCFunctionsDescribeAudio() throws {
    var stream = AudioStreamBasicDescription()
    stream.mSampleRate = 48000
    stream.mFormatID = kAudioFormatLinearPCM
    let (status, created) = create(stream)
    #expect(status == noErr)
    let description = try #require(created)
    let pointer = try #require(CMAudioFormatDescriptionGetStreamBasicDescription(description))
    #expect(pointer.pointee.mSampleRate == 48000)
    #expect(description.audioStreamBasicDescription?.mFormatID == kAudioFormatLinearPCM)
  }

  @Test(arguments: [-1, Double.nan, .infinity])
  func invalidRateIsRefused(rate: Double) {
    var stream = AudioStreamBasicDescription()
    stream.mSampleRate = rate
    let (status, description) = create(stream)
    #expect(status == -12710)
    #expect(description == nil)
    #expect(throws: CMFormatDescription.Error.invalidParameter) {
      try CMFormatDescription(audioStreamBasicDescription: stream)
    }
  }
}
