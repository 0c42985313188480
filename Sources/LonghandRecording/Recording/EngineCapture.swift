import AVFAudio
import Foundation
import LonghandTranscripts

/// The microphone, or another input of an audio engine, as a source of audio.
///
/// ```swift
/// let recorder = try AudioRecorder(folder, from: EngineCapture())
/// ```
///
/// The format is fixed by the first call of `format()`. If the input comes back with another format, its audio is
/// converted. Each start creates a new engine, because an engine may keep properties of a device that has changed.
///
/// `@unchecked Sendable`: `lock` guards everything that changes, including the engines.
public final class EngineCapture: AudioCapture, @unchecked Sendable {
  /// The length of a buffer in seconds: the minimum of a tap.
  private static let bufferLength = 0.1

  /// An engine that records.
  private struct Run {
    let engine: AVAudioEngine
    let handover: TapHandover
    let observer: any NSObjectProtocol
  }

  /// The name of the source, as shown to users.
  public let name: String
  private let makeEngine: @Sendable () -> AVAudioEngine
  private let session: RecordingAudioSession
  private let lock = NSLock()
  private var fixedFormat: RecordingFormat?
  private var run: Run?

  /// Creates a source for the input of an audio engine; by default the microphone.
  /// - Parameters:
  ///   - name: the name of the source, as shown to users.
  ///   - makeEngine: creates an engine. Nothing else may start it or install a tap on it.
  public convenience init(
    name: String = "microphone",
    engine makeEngine: @escaping @Sendable () -> AVAudioEngine = { AVAudioEngine() }
  ) {
    self.init(name: name, session: RecordingAudioSession(), engine: makeEngine)
  }

  /// A source with an audio session of its own.
  init(
    name: String = "microphone", session: RecordingAudioSession,
    engine makeEngine: @escaping @Sendable () -> AVAudioEngine
  ) {
    self.name = name
    self.session = session
    self.makeEngine = makeEngine
  }

  deinit { stop() }

  /// Whether something else interrupts the recording, such as a phone call.
  public var isInterrupted: Bool { session.isInterrupted }

  /// Whether the sound server does not answer; false on Apple platforms.
  public var isHeldUp: Bool {
    #if os(Linux)
      lock.withLock { run.map { !$0.engine.inputNode.isAnswering } ?? false }
    #else
      false
    #endif
  }

  /// Asks for the permission to record, unless that was decided before.
  /// - Throws: `CaptureError.notPermitted`.
  public func requestPermission() async throws {
    guard await AVAudioApplication.requestRecordPermission() else { throw CaptureError.notPermitted }
  }

  /// The format of the samples: the input's format at the first call.
  /// - Throws: `CaptureError.noInput`.
  public func format() throws -> RecordingFormat {
    try lock.withLock { try fixedFormat ?? format(makeEngine()) }
  }

  /// Starts to deliver audio.
  /// - Parameter take: receives the audio, on a thread of the engine.
  /// - Throws: `CaptureError`.
  public func start(_ take: @escaping @Sendable (CapturedAudio) -> Void) throws {
    try lock.withLock {
      close()
      let engine = makeEngine()
      let handover = TapHandover(as: try format(engine), to: take)
      let node = engine.inputNode
      let frames = Self.bufferLength * node.outputFormat(forBus: 0).sampleRate
      guard frames > 0 else { throw noInput(engine) }
      node.installTap(onBus: 0, bufferSize: AVAudioFrameCount(frames), format: nil) { buffer, time in
        handover.give(buffer, at: time)
      }
      let observer = NotificationCenter.default.addObserver(
        forName: .AVAudioEngineConfigurationChange, object: engine, queue: nil
      ) { _ in handover.fail("the device was removed or replaced") }
      run = Run(engine: engine, handover: handover, observer: observer)
      do {
        // An engine may be asked from any thread whether it runs.
        nonisolated(unsafe) let running = engine
        try session.activate(isRunning: { running.isRunning }, lost: { handover.fail($0) })
        try engine.start()
      } catch {
        close()
        throw CaptureError.noInput(error.localizedDescription)
      }
    }
  }

  /// Stops delivering audio, after the audio that is captured already.
  public func stop() { lock.withLock { close() } }

  /// Lets the sound server wake this process less often; does nothing on Apple platforms.
  public func expectQuiet(upTo peak: Float?) {
    #if os(Linux)
      lock.withLock { run?.engine.inputNode.quietPeak = peak }
    #endif
  }

  private func close() {
    guard let run else { return }
    self.run = nil
    NotificationCenter.default.removeObserver(run.observer)
    run.engine.stop()
    run.handover.close()
    run.engine.inputNode.removeTap(onBus: 0)
    session.deactivate()
  }

  private func format(_ engine: AVAudioEngine) throws -> RecordingFormat {
    if let fixedFormat { return fixedFormat }
    let format = engine.inputNode.outputFormat(forBus: 0)
    guard format.sampleRate > 0, format.channelCount > 0 else { throw noInput(engine) }
    let found = RecordingFormat(
      sampleRate: Int(clamping: format.sampleRate.rounded()), channels: Int(format.channelCount))
    fixedFormat = found
    return found
  }

  private func noInput(_ engine: AVAudioEngine) -> CaptureError {
    #if os(Linux)
      // Starting the engine shows whether the sound server or the source is missing. On other platforms, starting an
      // engine without an input may end the program.
      do { try engine.start() } catch { return .noInput(error.localizedDescription) }
      engine.stop()
    #endif
    return .noInput("no microphone found; connect one, or choose another source")
  }
}

#if os(Linux)
  extension EngineCapture {
    /// Creates a source for a device of the sound server: a microphone, or the monitor of an output.
    public convenience init(source: CaptureDevice) {
      self.init(name: source.description) {
        let engine = AVAudioEngine()
        engine.inputNode.source = source
        return engine
      }
    }
  }

  extension CaptureDevice {
    /// A default device by its usual name: `microphone`, or `monitor` for what the computer plays; nil for other names, and
    /// where there is none. Waits for the sound server for at most 3 seconds.
    package static func usual(_ name: String) -> CaptureDevice? {
      switch name.lowercased() {
      case "microphone": CaptureDevice.default
      case "monitor": CaptureDevice.defaultMonitor
      default: nil
      }
    }
  }
#endif
