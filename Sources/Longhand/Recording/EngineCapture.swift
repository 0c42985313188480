import AVFAudio
import Foundation

/// The sound of a microphone, or of whatever an audio engine's input is.
///
/// ```swift
/// let recorder = try AudioRecorder(folder, from: EngineCapture())
/// ```
///
/// Its format is the one that the input had when it was asked for first, and stays: where the input comes back with
/// another one, its sound is converted. Each start has an engine of its own, because one whose device has changed may
/// remember what the old device was like.
///
/// `@unchecked Sendable`: `lock` guards everything that changes, the engines among it.
public final class EngineCapture: AudioCapture, @unchecked Sendable {
  /// Seconds of a buffer: what a tap gives at least.
  private static let bufferLength = 0.1

  /// An engine that records.
  private struct Run {
    let engine: AVAudioEngine
    let handover: TapHandover
    let observer: any NSObjectProtocol
  }

  /// What the source is called.
  public let name: String
  private let makeEngine: @Sendable () -> AVAudioEngine
  private let lock = NSLock()
  private var fixedFormat: RecordingFormat?
  private var run: Run?

  /// - Parameters:
  ///   - name: what the source is called.
  ///   - makeEngine: makes an engine, whose input is recorded and which nobody else starts or taps.
  public init(
    name: String = "microphone",
    engine makeEngine: @escaping @Sendable () -> AVAudioEngine = { AVAudioEngine() }
  ) {
    self.name = name
    self.makeEngine = makeEngine
  }

  deinit { stop() }

  /// How its samples are laid out: as the input's were when this was called first.
  /// - Throws: `CaptureError.noInput`.
  public func format() throws -> RecordingFormat {
    try lock.withLock { try fixedFormat ?? format(makeEngine()) }
  }

  /// Begins to give sound.
  /// - Throws: `CaptureError`.
  public func start(_ take: @escaping @Sendable (CapturedSound) -> Void) throws {
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
      ) { _ in handover.fail("the device is gone, or is another one now") }
      run = Run(engine: engine, handover: handover, observer: observer)
      do {
        try engine.start()
      } catch {
        close()
        throw CaptureError.noInput(error.localizedDescription)
      }
    }
  }

  /// Ends giving sound, after what was captured until now.
  public func stop() { lock.withLock { close() } }

  private func close() {
    guard let run else { return }
    self.run = nil
    NotificationCenter.default.removeObserver(run.observer)
    run.engine.stop()
    run.handover.close()
    run.engine.inputNode.removeTap(onBus: 0)
  }

  private func format(_ engine: AVAudioEngine) throws -> RecordingFormat {
    if let fixedFormat { return fixedFormat }
    let format = engine.inputNode.outputFormat(forBus: 0)
    guard format.sampleRate > 0, format.channelCount > 0 else { throw noInput(engine) }
    let found = RecordingFormat(
      sampleRate: Int(format.sampleRate.rounded()), channels: Int(format.channelCount))
    fixedFormat = found
    return found
  }

  private func noInput(_ engine: AVAudioEngine) -> CaptureError {
    #if os(Linux)
      // The engine knows whether it is the sound server or the source that is missing. Elsewhere one without an input
      // may end the program.
      do { try engine.start() } catch { return .noInput(error.localizedDescription) }
      engine.stop()
    #endif
    return .noInput("there is no microphone; plug one in, or choose another source")
  }
}

#if os(Linux)
  extension EngineCapture {
    /// A source of the sound server: a microphone, or the monitor of what an output plays.
    public convenience init(source: CaptureDevice) {
      self.init(name: source.description) {
        let engine = AVAudioEngine()
        engine.inputNode.source = source
        return engine
      }
    }
  }
#endif
