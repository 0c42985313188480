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
public final class AVAudioFile: NSObject, @unchecked Sendable {
  /// Where the file is.
  public let url: URL
  /// The format on disk: compressed, or the type of its samples.
  public let fileFormat: AVAudioFormat
  /// The format of the buffers that are read and written.
  public let processingFormat: AVAudioFormat

  enum State {
    case reading(ReadingState)
    case writing(AudioWriter)
    case closed(length: AVAudioFramePosition)
  }

  private let lock = NSLock()
  private var state: State

  init(url: URL, fileFormat: AVAudioFormat, processingFormat: AVAudioFormat, state: State) {
    self.url = url
    self.fileFormat = fileFormat
    self.processingFormat = processingFormat
    self.state = state
  }

  func withState<Value>(_ body: (inout State) throws -> Value) rethrows -> Value {
    try lock.withLock { try body(&state) }
  }

  /// Whether the file can be read or written.
  public var isOpen: Bool {
    withState { state in
      if case .closed = state { false } else { true }
    }
  }

  /// Completes what was written and closes the file; reading and writing fail from then on. Harmless when repeated.
  ///
  /// Deallocating the object does the same.
  public func close() {
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
  public var length: AVAudioFramePosition {
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
  public var framePosition: AVAudioFramePosition {
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
