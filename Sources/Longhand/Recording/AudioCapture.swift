import Foundation

/// Where the sound of a recording comes from: a microphone, or what stands for one.
public protocol AudioCapture: AnyObject, Sendable {
  /// What the source is called.
  var name: String { get }
  /// Whether sound comes all the time as long as the source works, as from a microphone: true unless said otherwise.
  ///
  /// A live source that gives nothing for 2 seconds is opened again, and what is missing is a gap. From one that is not
  /// live, such as a pipe, nothing may come for any time: then nothing is missing.
  var isLive: Bool { get }
  /// How its samples are laid out.
  /// - Throws: why it cannot be opened.
  func format() throws -> RecordingFormat
  /// Begins to give sound; called again after a failure.
  /// - Parameter take: called on a thread of the source's own. Returns at once for a live source; one that is not live
  ///   is held up while more than 10 seconds of its sound wait for the disk.
  /// - Throws: why it cannot be opened.
  func start(_ take: @escaping @Sendable (CapturedSound) -> Void) throws
  /// Ends giving sound; when it returns, `take` is not called any more.
  func stop()
}

extension AudioCapture {
  /// True.
  public var isLive: Bool { true }
}

/// What a source gives.
public enum CapturedSound: Sendable, Hashable {
  /// Whole frames, the little end of each 16-bit sample first.
  /// - `at`: the place of the first frame on the source's clock, in frames; nil if it has none. Where it jumps, sound is
  ///   missing.
  case samples(Data, at: Int64?)
  /// There will be no more until the source is started again; the text says why.
  case failed(String)
  /// The source has come to its end, as a file does.
  case ended
}

/// Why sound cannot be captured.
public enum CaptureError: Error, Hashable, Sendable {
  /// There is nothing to record from; the text says why, and what to do.
  case noInput(String)
  /// The input's sound cannot be brought into the recording's format.
  case unconvertible(to: RecordingFormat)
}

extension CaptureError: CustomStringConvertible {
  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .noInput(let why): return why
    case .unconvertible(let format):
      return
        "the input's sound cannot be converted to \(format.channels) channels at \(format.sampleRate) Hz; "
        + "choose another source"
    }
  }
}
