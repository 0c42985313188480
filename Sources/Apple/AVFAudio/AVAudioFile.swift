import AudioDecoding
import Foundation
import Synchronization

/// An audio file, open for reading or for writing.
///
/// ```swift
/// import AVFAudio
///
/// let file = try AVAudioFile(forReading: URL(fileURLWithPath: "talk.mp3"))
/// let copy = try AVAudioFile(
///   forWriting: URL(fileURLWithPath: "talk.wav"), settings: file.processingFormat.settings)
/// if let buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 4096) {
///   repeat {
///     try file.read(into: buffer)
///     try copy.write(from: buffer)
///   } while buffer.frameLength > 0
/// }
/// copy.close()
/// ```
///
/// On Linux this reads every format that FFmpeg's libraries decode, also the audio of a video, and writes WAV, FLAC,
/// AIFF and CAF. It opens only regular files of this machine, and never another file that a file refers to. Files are
/// decoded in a sandboxed process of the program `audio-decoder`; without that program, in this process. Every error is
/// an `NSError` whose description names the cause in one line.
///
/// `@unchecked Sendable`: a `Mutex` guards the state; everything else is immutable.
open class AVAudioFile: NSObject, @unchecked Sendable {
  /// Where the file is.
  open private(set) var url: URL
  /// The format on disk: a compressed format, or the sample type.
  open private(set) var fileFormat: AVAudioFormat
  /// The format of the buffers for reading and writing.
  open var processingFormat: AVAudioFormat { basis }

  /// `@unchecked Sendable`: its objects are used only inside `withState`.
  enum State: @unchecked Sendable {
    case reading(ReadingState)
    case writing(AudioWriter)
    case closed(length: AVAudioFramePosition)
  }

  /// The result of opening a file.
  struct Opened {
    let fileFormat: AVAudioFormat
    let processingFormat: AVAudioFormat
    let state: State
  }

  /// The processing format from `init`. A subclass may override `processingFormat`.
  let basis: AVAudioFormat
  private let state: Mutex<State>

  /// Creates a file that is not open, for subclasses.
  public override init() {
    url = URL(fileURLWithPath: "/dev/null")
    fileFormat = AVAudioFormat()
    basis = AVAudioFormat()
    state = Mutex(.closed(length: 0))
    super.init()
  }

  /// Opens a file for reading as 32-bit floating point, each channel in its own buffer, at the file's sample rate.
  ///
  /// Throws if the file is missing, has an unknown format, holds no audio, or if its audio cannot be decoded.
  public convenience init(forReading fileURL: URL) throws {
    try self.init(forReading: fileURL, commonFormat: .pcmFormatFloat32, interleaved: false)
  }

  /// Opens a file for reading as samples of `format`, at the file's sample rate and number of channels.
  ///
  /// Throws the errors of `init(forReading:)`, and an error for `.otherFormat`.
  public init(forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool) throws {
    let opened = try Self.opened(
      forReading: fileURL, commonFormat: format, interleaved: interleaved, isolation: .preferred)
    (url, fileFormat, basis) = (fileURL, opened.fileFormat, opened.processingFormat)
    state = Mutex(opened.state)
    super.init()
  }

  /// Opens a file for reading as `init(forReading:)` does, but never decodes in this process: without `audio-decoder`
  /// this throws an error that `isDecoderMissing` knows.
  /// - Parameter track: the index among the audio tracks; nil for the preferred one.
  package init(forReadingInService fileURL: URL, track: Int? = nil) throws {
    let opened = try Self.opened(
      forReading: fileURL, track: track, commonFormat: .pcmFormatFloat32, interleaved: false,
      isolation: .required)
    (url, fileFormat, basis) = (fileURL, opened.fileFormat, opened.processingFormat)
    state = Mutex(opened.state)
    super.init()
  }

  /// Creates or truncates a file for writing from buffers of 32-bit floating point, each channel in its own buffer.
  ///
  /// See `init(forWriting:settings:commonFormat:interleaved:)`.
  public convenience init(forWriting fileURL: URL, settings: [String: Any]) throws {
    try self.init(
      forWriting: fileURL, settings: settings, commonFormat: .pcmFormatFloat32, interleaved: false)
  }

  /// Creates or truncates a file for writing from buffers of `format`.
  ///
  /// The extension of `fileURL` chooses the container: wav, flac, aiff or caf. `settings` has the sample rate, the
  /// number of channels and the sample type on disk: 8, 16, 24 or 32 bits, or floating point. Throws if the settings
  /// lack a rate or channels, if the container cannot hold such samples, or if the file cannot be created.
  public init(
    forWriting fileURL: URL, settings: [String: Any], commonFormat format: AVAudioCommonFormat,
    interleaved: Bool
  ) throws {
    let opened = try Self.opened(
      forWriting: fileURL, settings: settings, commonFormat: format, interleaved: interleaved)
    (url, fileFormat, basis) = (fileURL, opened.fileFormat, opened.processingFormat)
    state = Mutex(opened.state)
    super.init()
  }

  /// Reads the next frames, until `buffer` is full or the file ends. At the end `frameLength` is 0.
  ///
  /// `buffer` must have the `processingFormat`. Throws if it has another format, if the file is closed, or if the
  /// system cannot read it.
  open func read(into buffer: AVAudioPCMBuffer) throws {
    try fill(buffer, frameCount: buffer.capacity)
  }

  /// Reads the next frames, at most `frames` of them, into the beginning of `buffer`.
  open func read(into buffer: AVAudioPCMBuffer, frameCount frames: AVAudioFrameCount) throws {
    try fill(buffer, frameCount: frames)
  }

  /// Appends the `frameLength` frames of `buffer`, which must have the `processingFormat`.
  ///
  /// If the file holds integers, samples beyond full scale are clipped. Throws if the buffer has another format, if the
  /// file is not open for writing, or if the disk fails; then `length` is how many frames reached the file.
  open func write(from buffer: AVAudioPCMBuffer) throws { try append(buffer) }

  func withState<Value: Sendable, Failure>(
    _ body: (inout State) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try state.withLock { state throws(Failure) in try body(&state) }
  }

  /// Whether the file can be read or written.
  open var isOpen: Bool {
    withState { state in
      if case .closed = state { false } else { true }
    }
  }

  /// Completes the file and closes it. After that, reading and writing throw. Further calls have no effect.
  ///
  /// Deallocating the object does the same.
  open func close() {
    withState { state in
      switch state {
      case .reading(let reading): state = .closed(length: reading.knownLength ?? 0)
      case .writing(let writer):
        writer.close()
        state = .closed(length: writer.length)
      case .closed: break
      }
    }
  }

  /// The exact number of frames in the file.
  ///
  /// Only containers of uncompressed audio state it reliably. For others, the first use decodes the whole file: one or
  /// two seconds for an hour of audio. After `close()` it is 0 unless it was known before.
  open var length: AVAudioFramePosition {
    withState { state in
      switch state {
      case .reading(let reading): reading.length
      case .writing(let writer): writer.length
      case .closed(let length): length
      }
    }
  }

  /// The next frame to read. Setting it seeks to exactly that frame. A negative number becomes 0; after the end nothing
  /// is read.
  ///
  /// In a file for writing it is the number of frames written; on Linux, setting it then has no effect.
  open var framePosition: AVAudioFramePosition {
    get {
      withState { state in
        switch state {
        case .reading(let reading): reading.position
        case .writing(let writer): writer.length
        case .closed: 0
        }
      }
    }
    set {
      withState { state in
        if case .reading(let reading) = state { reading.position = max(0, newValue) }
      }
    }
  }
}
