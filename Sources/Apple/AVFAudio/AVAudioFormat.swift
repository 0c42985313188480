import CoreAudioTypes
import Foundation

/// The format of sound: its kind of samples, rate and channels. Immutable.
///
/// ```swift
/// let format = AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 1)
/// ```
///
/// `@unchecked Sendable`: nothing changes after the initializer, so no lock is needed; the description that
/// `streamDescription` points to is owned by this object and never written again.
open class AVAudioFormat: NSObject, NSSecureCoding, @unchecked Sendable {
  private let memory: UnsafePointer<AudioStreamBasicDescription>
  /// What this was made with; what memory is reckoned by, as a subclass may say something else of itself.
  var basicDescription: AudioStreamBasicDescription { memory.pointee }
  /// The layout that this was made with.
  let basicLayout: AVAudioChannelLayout?

  /// The format in the terms of Core Audio; valid while this object lives.
  open var streamDescription: UnsafePointer<AudioStreamBasicDescription> { memory }
  /// The format's name, `.otherFormat` if it has none.
  open private(set) var commonFormat: AVAudioCommonFormat
  /// The arrangement of channels; nil is usual for one and two channels.
  open var channelLayout: AVAudioChannelLayout? { basicLayout }
  /// Data that some compressed formats need; always nil on Linux, where FFmpeg keeps it to itself.
  open var magicCookie: Data? { nil }

  private static func allocated(
    _ description: AudioStreamBasicDescription
  ) -> UnsafePointer<AudioStreamBasicDescription> {
    let memory = UnsafeMutablePointer<AudioStreamBasicDescription>.allocate(capacity: 1)
    memory.initialize(to: description)
    return UnsafePointer(memory)
  }

  /// What an input node has where there is no source, 0 Hz and no channels; nothing accepts it.
  public override init() {
    let description = AudioStreamBasicDescription(
      commonFormat: .pcmFormatFloat32, sampleRate: 0, channels: 0, interleaved: false)
    memory = Self.allocated(description)
    commonFormat = description.commonFormat
    basicLayout = nil
    super.init()
  }

  deinit { UnsafeMutablePointer(mutating: memory).deallocate() }

  /// The format that `streamDescription` describes.
  ///
  /// Nil for more than two channels (they need a layout), no channels, or a rate that is no positive number.
  public convenience init?(streamDescription: UnsafePointer<AudioStreamBasicDescription>) {
    self.init(streamDescription: streamDescription, channelLayout: nil)
  }

  /// The format that `streamDescription` describes, with `layout`, which more than two channels need.
  ///
  /// Nil too where `layout` has another number of channels.
  public init?(
    streamDescription: UnsafePointer<AudioStreamBasicDescription>, channelLayout layout: AVAudioChannelLayout?
  ) {
    let description = streamDescription.pointee
    guard description.isSane else { return nil }
    let channels = description.mChannelsPerFrame
    guard layout.map({ $0.channelCount == channels }) ?? (channels <= 2) else { return nil }
    memory = Self.allocated(description)
    commonFormat = description.commonFormat
    basicLayout = layout
    super.init()
  }

  /// The standard format, 32-bit floating point with each channel in its own buffer, at `sampleRate` Hz.
  ///
  /// Nil for no channels, more than two, or a rate that is no positive number.
  public convenience init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
    self.init(
      commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, interleaved: false)
  }

  /// The standard format at `sampleRate` Hz, with the channels of `layout`.
  public convenience init(
    standardFormatWithSampleRate sampleRate: Double, channelLayout layout: AVAudioChannelLayout
  ) {
    self.init(
      commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, interleaved: false, channelLayout: layout)
  }

  /// Uncompressed sound at `sampleRate` Hz.
  ///
  /// Nil for `.otherFormat`, no channels, more than two, or a rate that is no positive number.
  public convenience init?(
    commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount,
    interleaved: Bool
  ) {
    guard format != .otherFormat, channels <= 2 else { return nil }
    let description = AudioStreamBasicDescription(
      commonFormat: format, sampleRate: sampleRate, channels: channels, interleaved: interleaved)
    self.init(optional: description, layout: nil)
  }

  /// Uncompressed sound at `sampleRate` Hz, with the channels of `layout`.
  ///
  /// This cannot fail, here as on Apple platforms. With a rate that is no positive number the result is a format
  /// that nothing accepts: `AVAudioPCMBuffer`, `AVAudioConverter` and `AVAudioFile` refuse it.
  public init(
    commonFormat format: AVAudioCommonFormat, sampleRate: Double, interleaved: Bool,
    channelLayout layout: AVAudioChannelLayout
  ) {
    let description = AudioStreamBasicDescription(
      commonFormat: format, sampleRate: sampleRate, channels: layout.channelCount, interleaved: interleaved)
    memory = Self.allocated(description)
    commonFormat = description.commonFormat
    basicLayout = layout
    super.init()
  }

  /// Frames a second, in Hz.
  open var sampleRate: Double { streamDescription.pointee.mSampleRate }
  /// How many channels.
  open var channelCount: AVAudioChannelCount { streamDescription.pointee.mChannelsPerFrame }
  /// Whether the channels of uncompressed sound stand in one buffer, frame by frame.
  open var isInterleaved: Bool {
    streamDescription.pointee.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0
  }
  /// Whether this is the standard format: 32-bit floating point, each channel in its own buffer.
  open var isStandard: Bool { commonFormat == .pcmFormatFloat32 && !isInterleaved }

  /// The format as a dictionary, as `init(settings:)` and `AVAudioFile` take it.
  open var settings: [String: Any] { written }

  /// Whether `object` is a format of the same sound.
  ///
  /// Interleavedness is ignored for one channel, alignment where samples fill their bytes, and a mono or stereo
  /// layout equals none.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? AVAudioFormat).map { $0.identity == identity } ?? false
  }

  /// Agrees with `isEqual`.
  open override var hash: Int { identity.hashValue }

  /// The format in words.
  open override var description: String {
    let kind: String =
      switch commonFormat {
      case .pcmFormatFloat32: "Float32"
      case .pcmFormatFloat64: "Float64"
      case .pcmFormatInt16: "Int16"
      case .pcmFormatInt32: "Int32"
      case .otherFormat: "other"
      }
    let order = channelCount < 2 ? "" : isInterleaved ? ", interleaved" : ", deinterleaved"
    return "<AVAudioFormat: \(channelCount) ch, \(sampleRate) Hz, \(kind)\(order)>"
  }

  /// True: the class can be archived.
  open class var supportsSecureCoding: Bool { true }

  /// Writes the format into a keyed archive.
  open func encode(with coder: NSCoder) {
    let description = streamDescription.pointee
    coder.encode(description.mSampleRate, forKey: "rate")
    let fields = [
      description.mFormatID, description.mFormatFlags, description.mBytesPerPacket,
      description.mFramesPerPacket,
      description.mBytesPerFrame, description.mChannelsPerFrame, description.mBitsPerChannel,
      channelLayout?.layoutTag ?? 0,
    ]
    for (index, field) in fields.enumerated() { coder.encode(Int64(field), forKey: "field\(index)") }
  }

  /// Reads a format from a keyed archive; nil if it holds none or nonsense.
  public required convenience init?(coder: NSCoder) {
    let fields = (0..<8).compactMap { UInt32(exactly: coder.decodeInt64(forKey: "field\($0)")) }
    guard fields.count == 8 else { return nil }
    let description = AudioStreamBasicDescription(
      mSampleRate: coder.decodeDouble(forKey: "rate"), mFormatID: fields[0], mFormatFlags: fields[1],
      mBytesPerPacket: fields[2], mFramesPerPacket: fields[3], mBytesPerFrame: fields[4],
      mChannelsPerFrame: fields[5], mBitsPerChannel: fields[6], mReserved: 0)
    self.init(
      optional: description, layout: fields[7] == 0 ? nil : AVAudioChannelLayout(layoutTag: fields[7]))
  }

  /// `description` if it is sane and agrees with `layout`.
  convenience init?(optional description: AudioStreamBasicDescription, layout: AVAudioChannelLayout?) {
    var description = description
    self.init(streamDescription: &description, channelLayout: layout)
  }
}
