import Foundation

/// A sound file, open for reading or for writing.
///
/// ```swift
/// let file = try AVAudioFile(forReading: url)
/// if let buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 4096) {
///   repeat { try file.read(into: buffer) } while buffer.frameLength > 0
/// }
/// ```
///
/// On Linux reading accepts what FFmpeg's libraries decode, the sound of a video among it, and writing makes WAV,
/// FLAC, AIFF and CAF. Only regular files of this machine are opened, and never another file that a file names.
/// Every error is an `NSError` whose description names the cause in one line.
///
/// `@unchecked Sendable`: `lock` guards `state`; everything else is immutable.
open class AVAudioFile: NSObject, @unchecked Sendable {
  /// Where the file is.
  open private(set) var url: URL
  /// The format on disk: compressed, or the type of its samples.
  open private(set) var fileFormat: AVAudioFormat
  /// The format of the buffers that are read and written.
  open var processingFormat: AVAudioFormat { basis }

  enum State {
    case reading(ReadingState)
    case writing(AudioWriter)
    case closed(length: AVAudioFramePosition)
  }

  /// What opening a file yields.
  struct Opened {
    let fileFormat: AVAudioFormat
    let processingFormat: AVAudioFormat
    let state: State
  }

  /// What the file was opened for, whatever a subclass says of itself.
  let basis: AVAudioFormat
  private let lock = NSLock()
  private var state: State

  /// A file that is not open, for subclasses.
  public override init() {
    url = URL(fileURLWithPath: "/dev/null")
    fileFormat = AVAudioFormat()
    basis = AVAudioFormat()
    state = .closed(length: 0)
    super.init()
  }

  /// Opens a file to be read as 32-bit floating point, each channel in its own buffer, at the file's rate.
  ///
  /// Throws if the file is missing, of no known format, without sound, or if nothing in it can be decoded.
  public convenience init(forReading fileURL: URL) throws {
    try self.init(forReading: fileURL, commonFormat: .pcmFormatFloat32, interleaved: false)
  }

  /// Opens a file to be read as samples of `format` at the file's rate and number of channels.
  ///
  /// Throws as `init(forReading:)` does, and for `.otherFormat`.
  public init(forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool) throws {
    let opened = try Self.opened(forReading: fileURL, commonFormat: format, interleaved: interleaved)
    (url, fileFormat, basis, state) = (fileURL, opened.fileFormat, opened.processingFormat, opened.state)
    super.init()
  }

  /// Creates or truncates a file to be written from buffers of 32-bit floating point, each channel in its own buffer.
  ///
  /// See `init(forWriting:settings:commonFormat:interleaved:)`.
  public convenience init(forWriting fileURL: URL, settings: [String: Any]) throws {
    try self.init(
      forWriting: fileURL, settings: settings, commonFormat: .pcmFormatFloat32, interleaved: false)
  }

  /// Creates or truncates a file to be written from buffers of `format`.
  ///
  /// The extension of `fileURL` chooses the container: wav, flac, aiff or caf. `settings` give the rate, the number
  /// of channels and the type of samples on disk: 8, 16, 24, 32 bits or floating point. Throws if the settings lack
  /// a rate or channels, if the container cannot hold such samples, or if the file cannot be created.
  public init(
    forWriting fileURL: URL, settings: [String: Any], commonFormat format: AVAudioCommonFormat,
    interleaved: Bool
  ) throws {
    let opened = try Self.opened(
      forWriting: fileURL, settings: settings, commonFormat: format, interleaved: interleaved)
    (url, fileFormat, basis, state) = (fileURL, opened.fileFormat, opened.processingFormat, opened.state)
    super.init()
  }

  /// Reads on, until `buffer` is full or the file ends: at the end `frameLength` is 0.
  ///
  /// `buffer` must be of `processingFormat`. Throws for another format, a closed file, or one that the system fails
  /// to read.
  open func read(into buffer: AVAudioPCMBuffer) throws {
    try fill(buffer, frameCount: buffer.capacity)
  }

  /// Reads on, at most `frames` frames, into the beginning of `buffer`.
  open func read(into buffer: AVAudioPCMBuffer, frameCount frames: AVAudioFrameCount) throws {
    try fill(buffer, frameCount: frames)
  }

  /// Appends the `frameLength` frames of `buffer`, which must be of `processingFormat`.
  ///
  /// Samples beyond full scale are clipped where the file holds integers. Throws for another format, a file that is
  /// not open for writing, or a failing disk; `length` tells how many frames reached the file.
  open func write(from buffer: AVAudioPCMBuffer) throws { try append(buffer) }

  func withState<Value>(_ body: (inout State) throws -> Value) rethrows -> Value {
    try lock.withLock { try body(&state) }
  }

  /// Whether the file can be read or written.
  open var isOpen: Bool {
    withState { state in
      if case .closed = state { false } else { true }
    }
  }

  /// Completes what was written and closes the file; reading and writing fail from then on. Harmless when repeated.
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

  /// How many frames the file has, exactly.
  ///
  /// Where the container does not state it reliably (everything but uncompressed sound), the first use decodes the
  /// file once to count: one or two seconds for an hour of sound. After `close()` it is 0 unless it was known before.
  open var length: AVAudioFramePosition {
    withState { state in
      switch state {
      case .reading(let reading): reading.length
      case .writing(let writer): writer.length
      case .closed(let length): length
      }
    }
  }

  /// The frame that is read next. Setting it seeks, exactly; below 0 it becomes 0, beyond the end nothing is read.
  ///
  /// While writing it is the number of frames written, and setting it is ignored on Linux.
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
