import Foundation

/// A source of audio for a recording, such as a microphone.
///
/// `EngineCapture` is the microphone. Other types can conform, for example to record audio from a network.
public protocol AudioCapture: AnyObject, Sendable {
  /// The name of the source, as shown to users.
  var name: String { get }
  /// Whether the source delivers audio all the time while it works, as a microphone does. The default is true.
  ///
  /// A live source that delivers nothing for 2 seconds is opened again, and the missing time becomes a gap. A source
  /// that is not live, such as a pipe, may deliver nothing for any time without a gap.
  var isLive: Bool { get }
  /// Whether something else interrupts the source now, such as a phone call: the reason of a gap. The default is false.
  var isInterrupted: Bool { get }
  /// Whether the source waits for something that does not answer, such as a sound server that hangs. It is not opened
  /// again meanwhile, because that would lose the audio that waits there. The default is false.
  var isHeldUp: Bool { get }
  /// How the channels are transcribed; nil if the source does not say. The default is nil.
  var channelMode: ChannelMode? { get }
  /// The names of what is on the channels, in order. The default is none.
  var channelNames: [String] { get }
  /// The name of the source of each channel, in order, if they have different ones. The default is none.
  var channelSources: [String] { get }
  /// Asks the user for the permission to record, unless that was decided before. The default needs none.
  /// - Throws: the reason why the source may not be recorded, and the remedy.
  func requestPermission() async throws
  /// The format of the samples.
  /// - Throws: the reason why the source cannot be opened.
  func format() throws -> RecordingFormat
  /// Starts to deliver audio; called again after a failure.
  /// - Parameter take: receives the audio, on the source's own thread. For a live source it returns at once. For a source
  ///   that is not live it blocks while more than 10 seconds of audio wait for the disk.
  /// - Throws: the reason why the source cannot be opened.
  func start(_ take: @escaping @Sendable (CapturedAudio) -> Void) throws
  /// Stops delivering audio. `take` is not called after this returns.
  func stop()
  /// Nothing is said at the moment. Until a sample is greater than `peak` (from 0 to 1), the source may save energy, and deliver
  /// audio up to 0.9 seconds late. Called again and again while it is quiet, and with nil when it is not quiet any more. The
  /// default does nothing.
  func expectQuiet(upTo peak: Float?)
}

extension AudioCapture {
  /// True: by default a source is live.
  public var isLive: Bool { true }
  /// False: by default nothing interrupts a source.
  public var isInterrupted: Bool { false }
  /// False: by default a source does not know.
  public var isHeldUp: Bool { false }
  /// Nil: by default a source does not say.
  public var channelMode: ChannelMode? { nil }
  /// None: by default the channels have no names.
  public var channelNames: [String] { [] }
  /// None: by default all channels have one source.
  public var channelSources: [String] { [] }
  /// Does nothing.
  public func requestPermission() async throws {}
  /// Does nothing.
  public func expectQuiet(upTo peak: Float?) {}
}

/// What a source delivers.
public enum CapturedAudio: Sendable, Hashable {
  /// Whole frames of 16-bit samples, little-endian.
  /// - `at`: the position of the first frame on the source's clock, in frames; nil if the source has no clock. A jump
  ///   forward means that audio is missing.
  case samples(Data, at: Int64?)
  /// Audio is missing before the next samples, as the source knows: so many frames, and why.
  case gap(Int64, RecordingGap.Reason)
  /// The source failed and delivers nothing until it is started again; the text is the reason.
  case failed(String)
  /// The source ended, as a pipe does.
  case ended
  /// A part of the last samples is missing on one channel, from 0, and silent there.
  /// - `at`: the offset of the first missing frame from the end of the last samples, so not greater than 0.
  case channelGap(Int, at: Int64, frames: Int64)
  /// The source of one channel, from 0, has delivered nothing for a second. The others continue.
  case channelLost(Int)
  /// The source of one channel delivers again.
  case channelRecovered(Int)
}

/// An error of an audio source.
public enum CaptureError: Error, Hashable, Sendable {
  /// No input is available; the text has the reason and the remedy.
  case noInput(String)
  /// The user or the system does not allow the program to record.
  case notPermitted
  /// The input's audio cannot be converted to the recording's format.
  case unconvertible(to: RecordingFormat)
}

extension CaptureError: CustomStringConvertible {
  /// The problem and its remedy.
  public var description: String {
    switch self {
    case .noInput(let why): return why
    case .notPermitted:
      return
        "recording is not allowed. Allow the microphone in Settings > Privacy & Security > Microphone, and try again"
    case .unconvertible(let format):
      return
        "the input's audio cannot be converted to \(format.channels) channels at \(format.sampleRate) Hz; "
        + "choose another source"
    }
  }
}
