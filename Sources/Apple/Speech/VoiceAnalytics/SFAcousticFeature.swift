import Foundation

/// The value of one voice measure, frame by frame.
///
/// An immutable value: ``SFVoiceAnalytics`` hands out one of these for each of its measures.
// `@unchecked` because the class is open, as on Apple's platforms: all it stores is set once, in its
// initialisers, and made of values, so there is nothing for a lock to guard.
open class SFAcousticFeature: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let values: [Double]
  private let duration: TimeInterval

  /// One value for each frame of the audio that the feature describes, in order of time.
  ///
  /// The unit depends on the measure; see ``SFVoiceAnalytics``.
  open var acousticFeatureValuePerFrame: [Double] { values }

  /// The distance between the beginnings of two frames, in seconds: 0.01 for what this module measures.
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

  /// Reads a feature back from an archive that ``encode(with:)`` wrote.
  ///
  /// - Returns: `nil` if the archive holds no feature or a damaged one.
  public required init?(coder: NSCoder) {
    // Asking for what is not there ends the program, unless the coder was told to report errors.
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

  /// Writes the feature: its values as little-endian 64-bit floating-point numbers, so that they come back
  /// to the bit, and its frame duration in seconds.
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

  /// Returns the feature itself: it cannot change.
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
