import Foundation

/// The format of the samples in a sample buffer; on Linux always audio.
public final class CMFormatDescription: Sendable {
  /// The errors of a format description, with Apple's status codes.
  public enum Error {
    /// An argument is not valid.
    public static let invalidParameter = NSError(status: -12710)
  }

  // The C accessor returns a pointer that must be valid as long as this object.
  // `nonisolated(unsafe)`: nothing writes there after `init`, so every thread may read it.
  nonisolated(unsafe) let stream: UnsafePointer<AudioStreamBasicDescription>

  /// Creates a description of audio; throws if the sample rate is negative or not finite.
  public init(audioStreamBasicDescription: AudioStreamBasicDescription) throws {
    guard audioStreamBasicDescription.mSampleRate.isFinite, audioStreamBasicDescription.mSampleRate >= 0
    else {
      throw Error.invalidParameter
    }
    let memory = UnsafeMutablePointer<AudioStreamBasicDescription>.allocate(capacity: 1)
    memory.initialize(to: audioStreamBasicDescription)
    stream = UnsafePointer(memory)
  }

  deinit { stream.deallocate() }

  /// The layout of the audio; never nil on Linux.
  public var audioStreamBasicDescription: AudioStreamBasicDescription? { stream.pointee }
}

/// A description of audio samples.
public typealias CMAudioFormatDescription = CMFormatDescription

/// Creates a description of audio with the layout `asbd`.
///
/// Linux ignores channel layouts, magic cookies and extensions. The parameters exist to match Apple's signature.
public func CMAudioFormatDescriptionCreate(
  allocator: CFAllocator?, asbd: UnsafePointer<AudioStreamBasicDescription>, layoutSize: Int,
  layout: UnsafeRawPointer?, magicCookieSize: Int, magicCookie: UnsafeRawPointer?, extensions: [String: Any]?,
  formatDescriptionOut: UnsafeMutablePointer<CMAudioFormatDescription?>
) -> OSStatus {
  do {
    formatDescriptionOut.pointee = try CMFormatDescription(audioStreamBasicDescription: asbd.pointee)
    return noErr
  } catch {
    formatDescriptionOut.pointee = nil
    return (error as NSError).status
  }
}

/// The layout of the audio that `desc` describes. The pointer is valid as long as `desc`.
public func CMAudioFormatDescriptionGetStreamBasicDescription(
  _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioStreamBasicDescription>? { desc.stream }
