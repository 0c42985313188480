import Foundation

/// How the samples of a recording are laid out: whole numbers of 16 bits, the channels of a frame beside each other.
public struct RecordingFormat: Sendable, Hashable, Codable {
  /// Bytes of a sample.
  static let sampleBytes = 2

  /// Frames a second (Hz).
  public var sampleRate: Int
  /// Samples of a frame.
  public var channels: Int

  /// Each field by its name.
  public init(sampleRate: Int, channels: Int) {
    self.sampleRate = sampleRate
    self.channels = channels
  }

  /// Bytes of a frame.
  public var frameBytes: Int { Self.sampleBytes * channels }

  /// How many seconds so many frames last.
  public func seconds(_ frames: Int64) -> TimeInterval { Double(frames) / Double(sampleRate) }
}
