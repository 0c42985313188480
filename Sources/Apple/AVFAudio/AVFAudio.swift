// As on Apple platforms, `import AVFAudio` imports these too.
@_exported import CoreAudioTypes
@_exported import Foundation

/// A position in a stream or file, in frames.
public typealias AVAudioFramePosition = Int64
/// A number of frames; a frame is one sample of each channel.
public typealias AVAudioFrameCount = UInt32
/// A number of packets; for uncompressed sound a packet is a frame.
public typealias AVAudioPacketCount = UInt32
/// A number of channels.
public typealias AVAudioChannelCount = UInt32
/// The index of a node's bus.
public typealias AVAudioNodeBus = Int

/// Where a function stores its error. On Apple platforms Foundation declares it; swift-corelibs-foundation does not.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// The sample formats that buffers and converters support.
public enum AVAudioCommonFormat: UInt, Sendable {
  /// Any other format, such as compressed audio or packed 24-bit integers.
  case otherFormat = 0
  /// 32-bit floating point. Full scale is ±1.
  case pcmFormatFloat32 = 1
  /// 64-bit floating point. Full scale is ±1.
  case pcmFormatFloat64 = 2
  /// Signed 16-bit integers.
  case pcmFormatInt16 = 3
  /// Signed 32-bit integers.
  case pcmFormatInt32 = 4
}
