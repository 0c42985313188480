import Foundation

/// Where the sound of a recording comes from: a microphone, or what stands for one.
public protocol AudioCapture: AnyObject, Sendable {
  /// What the source is called.
  var name: String { get }
  /// How its samples are laid out.
  /// - Throws: why it cannot be opened.
  func format() throws -> RecordingFormat
  /// Begins to give sound; called again after a failure.
  /// - Parameter take: called on a thread of the source's own, which must not be held up.
  /// - Throws: why it cannot be opened.
  func start(_ take: @escaping @Sendable (CapturedSound) -> Void) throws
  /// Ends giving sound; when it returns, `take` is not called any more.
  func stop()
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
