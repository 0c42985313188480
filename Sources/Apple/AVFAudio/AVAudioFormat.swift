import CoreAudioTypes
import CoreMedia
import Foundation

/// The format of audio: sample type, sample rate and channels. Immutable.
///
/// ```swift
/// import AVFAudio
///
/// if let format = AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 1) {
///   print(format)  // <AVAudioFormat: 1 ch, 16000.0 Hz, Float32>
/// }
/// ```
///
/// `@unchecked Sendable`: nothing changes after `init`. This object owns the description that `streamDescription`
/// points to, and never writes to it again.
open class AVAudioFormat: NSObject, NSSecureCoding, @unchecked Sendable {
  private let memory: UnsafePointer<AudioStreamBasicDescription>
  /// The description from `init`. Sizes of memory depend on this, because a subclass may override the properties.
  var basicDescription: AudioStreamBasicDescription { memory.pointee }
  /// The layout from `init`.
  let basicLayout: AVAudioChannelLayout?

  /// The format as Core Audio describes it. The pointer is valid as long as this object lives.
  open var streamDescription: UnsafePointer<AudioStreamBasicDescription> { memory }
  /// The common format; `.otherFormat` if this is none of them.
  open private(set) var commonFormat: AVAudioCommonFormat
  /// The arrangement of channels; usually nil for one and two channels.
  open var channelLayout: AVAudioChannelLayout? { basicLayout }
  /// Data that some compressed formats need; always nil on Linux, where FFmpeg keeps it.
  open var magicCookie: Data? { nil }

  private static func allocated(
    _ description: AudioStreamBasicDescription
  ) -> UnsafePointer<AudioStreamBasicDescription> {
    let memory = UnsafeMutablePointer<AudioStreamBasicDescription>.allocate(capacity: 1)
    memory.initialize(to: description)
    return UnsafePointer(memory)
  }

  /// Creates the format of an input node without a source: 0 Hz and no channels. No other class accepts it.
  public override init() {
    let description = AudioStreamBasicDescription(
      commonFormat: .pcmFormatFloat32, sampleRate: 0, channels: 0, interleaved: false)
    memory = Self.allocated(description)
    commonFormat = description.commonFormat
    basicLayout = nil
    super.init()
  }

  deinit { UnsafeMutablePointer(mutating: memory).deallocate() }

  /// Creates the format that `streamDescription` describes.
  ///
  /// Returns nil for more than two channels, which need a layout, for no channels, and if the rate is not positive.
  public convenience init?(streamDescription: UnsafePointer<AudioStreamBasicDescription>) {
    self.init(streamDescription: streamDescription, channelLayout: nil)
  }

  /// Creates the format that `streamDescription` describes, with `layout`, which more than two channels need.
  ///
  /// Also returns nil if `layout` has another number of channels.
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

  /// Creates the format of the samples that `formatDescription` describes. On Linux a description has no layout; more than two
  /// channels get one without positions.
  ///
  /// As on Apple platforms, this cannot fail. If the description is not valid, no other class accepts the format.
  public init(cmAudioFormatDescription formatDescription: CMAudioFormatDescription) {
    let description =
      formatDescription.audioStreamBasicDescription
      ?? AudioStreamBasicDescription(
        commonFormat: .pcmFormatFloat32, sampleRate: 0, channels: 0, interleaved: false)
    memory = Self.allocated(description)
    commonFormat = description.commonFormat
    let channels = description.mChannelsPerFrame
    basicLayout = channels > 2 ? AVAudioChannelLayout(discrete: channels) : nil
    super.init()
  }

  /// Creates the standard format, 32-bit floating point with each channel in its own buffer, at `sampleRate` Hz.
  ///
  /// Returns nil for no channels, for more than two channels, and if the rate is not positive.
  public convenience init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
    self.init(
      commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, interleaved: false)
  }

  /// Creates the standard format at `sampleRate` Hz, with the channels of `layout`.
  public convenience init(
    standardFormatWithSampleRate sampleRate: Double, channelLayout layout: AVAudioChannelLayout
  ) {
    self.init(
      commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, interleaved: false, channelLayout: layout)
  }

  /// Creates a format of uncompressed audio at `sampleRate` Hz.
  ///
  /// Returns nil for `.otherFormat`, for no channels, for more than two channels, and if the rate is not positive.
  public convenience init?(
    commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount,
    interleaved: Bool
  ) {
    guard format != .otherFormat, channels <= 2 else { return nil }
    let description = AudioStreamBasicDescription(
      commonFormat: format, sampleRate: sampleRate, channels: channels, interleaved: interleaved)
    self.init(optional: description, layout: nil)
  }

  /// Creates a format of uncompressed audio at `sampleRate` Hz, with the channels of `layout`.
  ///
  /// As on Apple platforms, this cannot fail. If the rate is not positive, `AVAudioPCMBuffer`, `AVAudioConverter` and
  /// `AVAudioFile` do not accept the format.
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

  /// The sample rate in Hz.
  open var sampleRate: Double { streamDescription.pointee.mSampleRate }
  /// The number of channels.
  open var channelCount: AVAudioChannelCount { streamDescription.pointee.mChannelsPerFrame }
  /// Whether the channels of uncompressed audio share one buffer, frame by frame.
  open var isInterleaved: Bool {
    streamDescription.pointee.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0
  }
  /// Whether this is the standard format: 32-bit floating point, each channel in its own buffer.
  open var isStandard: Bool { commonFormat == .pcmFormatFloat32 && !isInterleaved }

  /// The format as Core Media describes it. A rate that it does not know, such as a negative one, becomes 0.
  open var formatDescription: CMAudioFormatDescription {
    var description = basicDescription
    if !description.mSampleRate.isFinite || description.mSampleRate < 0 { description.mSampleRate = 0 }
    do {
      return try CMFormatDescription(audioStreamBasicDescription: description)
    } catch {
      fatalError("a format with a valid rate has no description: \(error)")
    }
  }

  /// The format as a dictionary, for `init(settings:)` and `AVAudioFile`.
  open var settings: [String: Any] { written }

  /// Whether `object` is a format of the same audio.
  ///
  /// For one channel interleaving is ignored. Alignment is ignored if samples fill their bytes. A mono or stereo layout
  /// equals none.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? AVAudioFormat).map { $0.identity == identity } ?? false
  }

  /// Agrees with `isEqual`.
  open override var hash: Int { identity.hashValue }

  /// A description for people.
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

  /// True: the class supports secure coding.
  open class var supportsSecureCoding: Bool { true }

  /// Writes the format to a keyed archive.
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

  /// Reads a format from a keyed archive; nil if it holds no valid format.
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

  convenience init?(optional description: AudioStreamBasicDescription, layout: AVAudioChannelLayout?) {
    var description = description
    self.init(streamDescription: &description, channelLayout: layout)
  }
}

extension AVAudioFormat {
  /// The properties that equal formats have in common.
  struct Identity: Hashable {
    let rate: Double
    let kind: AudioFormatID
    let flags: AudioFormatFlags
    let bits: UInt32
    let bytes: UInt32
    let channels: UInt32
    let layout: AudioChannelLayoutTag?
  }

  /// Whether audio of one format is also audio of the other. A subclass may override `isEqual`, but not this.
  func isSame(as other: AVAudioFormat) -> Bool { identity == other.identity }

  /// For one channel interleaving does not count. Alignment does not count if samples fill their bytes. A mono or
  /// stereo layout counts as none.
  var identity: Identity {
    let description = basicDescription
    var flags = description.mFormatFlags
    if description.mFormatID == kAudioFormatLinearPCM {
      let alignedHigh = AudioFormatFlags(1 << 4)
      if flags & kAudioFormatFlagIsPacked != 0 { flags &= ~alignedHigh }
      if flags & kAudioFormatFlagIsFloat != 0 { flags &= ~kAudioFormatFlagIsSignedInteger }
      if description.mChannelsPerFrame == 1 { flags &= ~kAudioFormatFlagIsNonInterleaved }
    }
    let tag = basicLayout?.layoutTag
    let isUsual = tag == kAudioChannelLayoutTag_Mono || tag == kAudioChannelLayoutTag_Stereo
    return Identity(
      rate: description.mSampleRate, kind: description.mFormatID, flags: flags,
      bits: description.mBitsPerChannel, bytes: description.mBytesPerFrame,
      channels: description.mChannelsPerFrame, layout: isUsual ? nil : tag)
  }
}
