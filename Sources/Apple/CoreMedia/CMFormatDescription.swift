import Foundation

/// What the samples of a sample buffer are; on Linux always audio.
public final class CMFormatDescription: Sendable {
  /// What can go wrong with a format description, each with Apple's status code.
  public enum Error {
    /// An argument makes no sense.
    public static let invalidParameter = NSError(status: -12710)
  }

  // The C accessor hands out a pointer that has to last as long as this object. Nothing is written there
  // after the initialiser, so any thread may read it.
  nonisolated(unsafe) let stream: UnsafePointer<AudioStreamBasicDescription>

  /// A description of audio of the given layout; throws if its sample rate is negative or no number.
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

  /// The layout of the audio; never nil on Linux, where there is nothing but audio.
  public var audioStreamBasicDescription: AudioStreamBasicDescription? { stream.pointee }
}

/// A description of audio samples.
public typealias CMAudioFormatDescription = CMFormatDescription

/// Makes a description of audio of the layout `asbd`.
///
/// Linux keeps neither channel layouts nor magic cookies nor extensions: the arguments for them are there for
/// the sake of Apple's signature, and ignored.
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

/// The layout of the audio that `desc` describes, for as long as `desc` lives.
public func CMAudioFormatDescriptionGetStreamBasicDescription(
  _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioStreamBasicDescription>? { desc.stream }
