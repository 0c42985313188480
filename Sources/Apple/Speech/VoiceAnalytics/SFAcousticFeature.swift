import Foundation
import VoiceMeasurement

/// The value of one voice measure, frame by frame.
///
/// A feature does not change. ``SFVoiceAnalytics`` has one for each of its measures.
// `@unchecked` because the class is open, as on Apple's platforms. Its stored properties are values and are set once, in
// the initializers.
open class SFAcousticFeature: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let values: [Double]
  private let duration: TimeInterval

  /// One value for each frame of the audio, in order of time.
  ///
  /// The unit depends on the measure; see ``SFVoiceAnalytics``.
  open var acousticFeatureValuePerFrame: [Double] { values }

  /// The distance between the starts of two frames, in seconds: 0.01 in the features of this module.
  open var frameDuration: TimeInterval { duration }

  /// Creates a feature without frames.
  public override init() {
    values = []
    duration = VoiceAnalyzer.frameDuration
    super.init()
  }

  init(values: [Double], frameDuration: TimeInterval) {
    self.values = values
    self.duration = frameDuration
    super.init()
  }

  // MARK: Coding

  private static let valuesKey = "acousticFeatureValuePerFrame"
  private static let durationKey = "frameDuration"

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Decodes a feature from an archive that ``encode(with:)`` wrote.
  ///
  /// - Returns: `nil` if the archive has no feature or a damaged one.
  public required init?(coder: NSCoder) {
    // Decoding a missing key ends the program, unless the coder is set to report errors.
    guard coder.containsValue(forKey: Self.valuesKey),
      let data = coder.decodeObject(of: NSData.self, forKey: Self.valuesKey) as Data?,
      let values = Self.values(from: data)
    else { return nil }
    let duration = coder.decodeDouble(forKey: Self.durationKey)
    guard duration.isFinite, duration > 0 else { return nil }
    self.values = values
    self.duration = duration
    super.init()
  }

  /// Encodes the feature: its values as little-endian 64-bit floating-point numbers, without rounding, and its frame
  /// duration in seconds.
  open func encode(with coder: NSCoder) {
    var data = Data(capacity: values.count * MemoryLayout<UInt64>.size)
    for value in values {
      withUnsafeBytes(of: value.bitPattern.littleEndian) { data.append(contentsOf: $0) }
    }
    coder.encode(data as NSData, forKey: Self.valuesKey)
    coder.encode(duration, forKey: Self.durationKey)
  }

  private static func values(from data: Data) -> [Double]? {
    let size = MemoryLayout<UInt64>.size
    guard data.count.isMultiple(of: size) else { return nil }
    return data.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: size).map { offset in
        let pattern = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        return Double(bitPattern: UInt64(littleEndian: pattern))
      }
    }
  }

  // MARK: Copying and comparing

  /// Returns the same object, because it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether the other object is a feature with the same frame duration and the same values.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? SFAcousticFeature else { return false }
    return frameDuration == other.frameDuration
      && acousticFeatureValuePerFrame == other.acousticFeatureValuePerFrame
  }

  /// A hash of the frame duration and the values.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(frameDuration)
    hasher.combine(acousticFeatureValuePerFrame)
    return hasher.finalize()
  }
}
