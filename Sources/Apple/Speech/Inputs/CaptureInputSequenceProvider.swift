import AVFoundation
import Synchronization

/// Captures audio from a device, such as a microphone, for an analyzer.
///
/// ```swift
/// import Speech
///
/// guard let microphone = AVCaptureDevice.default(for: .audio) else { exit(1) }
/// let transcriber = DictationTranscriber(
///   locale: Locale(identifier: "en-US"), preset: .progressiveLongDictation)
/// let provider = try await CaptureInputSequenceProvider.providerWithSession(
///   from: microphone, compatibleWith: [transcriber])
/// let analyzer = SpeechAnalyzer(inputSequence: provider.analyzerInputs, modules: [transcriber])
/// provider.captureSession.startRunning()
/// for try await result in transcriber.results { print(String(result.text.characters)) }
/// ```
///
/// Not `Sendable`, as on Apple platforms. If capturing ends by itself, the sequence waits: the session posts
/// `AVCaptureSession.runtimeErrorNotification`, and can be started again.
final public class CaptureInputSequenceProvider {
  private let session: AVCaptureSession
  private let output: AnalyzerDataOutput

  /// Creates a provider with a new session, which has the device as its input. Start and stop capturing with
  /// `captureSession`.
  /// - Parameters:
  ///   - captureDevice: the microphone.
  ///   - modules: the modules that must understand the format of the audio.
  ///   - priority: how urgent converting the audio is.
  /// - Throws: `SFSpeechError.cannotConfigureAudioSystem` if the device cannot be used;
  ///   `incompatibleAudioFormats`, also as long as a model is not installed.
  public static func providerWithSession(
    from captureDevice: AVCaptureDevice, compatibleWith modules: [any SpeechModule],
    priority: TaskPriority? = nil
  ) async throws -> CaptureInputSequenceProvider {
    let session = AVCaptureSession()
    let provider = try await provider(
      from: captureDevice, in: session, compatibleWith: modules, priority: priority)
    do {
      session.addInput(try AVCaptureDeviceInput(device: captureDevice))
    } catch {
      throw SFSpeechError(.cannotConfigureAudioSystem, userInfo: [NSUnderlyingErrorKey: error])
    }
    session.addOutput(provider.output)
    return provider
  }

  /// Creates a provider for a session, which it does not change: add the device as an input, and
  /// `captureAudioDataOutput` as an output.
  /// - Throws: `SFSpeechError.incompatibleAudioFormats`, also as long as a model is not installed.
  public static func provider(
    from captureDevice: AVCaptureDevice, in session: AVCaptureSession,
    compatibleWith modules: [any SpeechModule], priority: TaskPriority? = nil
  ) async throws -> CaptureInputSequenceProvider {
    let format = try await SpeechAnalyzer.format(compatibleWith: modules)
    return try CaptureInputSequenceProvider(session: session, analyzerFormat: format, priority: priority)
  }

  /// Creates a provider for a session, which it does not change: add a device as an input, and
  /// `captureAudioDataOutput` as an output.
  /// - Throws: `SFSpeechError.cannotConfigureAudioSystem` if audio cannot be captured in the format.
  public init(session: AVCaptureSession, analyzerFormat: AVAudioFormat, priority: TaskPriority?) throws {
    guard analyzerFormat.commonFormat != .otherFormat, analyzerFormat.channelCount > 0 else {
      let text = "Audio cannot be captured in the format \(analyzerFormat)."
      throw SFSpeechError(.cannotConfigureAudioSystem, userInfo: [NSLocalizedDescriptionKey: text])
    }
    self.session = session
    output = AnalyzerDataOutput(session: session, format: analyzerFormat, priority: priority)
  }

  /// The session that captures: a new one, or the one that was given.
  final public var captureSession: AVCaptureSession { session }

  /// The output that passes audio to `analyzerInputs`. Leave its delegate and its queue as they are.
  final public var captureAudioDataOutput: AVCaptureAudioDataOutput { output }

  /// A new sequence with the audio that is captured from now on. It does not need the provider any more. It ends when the
  /// output is released: usually with the session and this provider. A start time marks a gap, such as a pause of the
  /// session; without one an input follows the one before.
  ///
  /// On Linux it also ends when the session stops, or is not running, after an analyzer that reads it was asked for
  /// `finalizeAndFinishThroughEndOfInput()`.
  final public var analyzerInputs: some Sendable & AsyncSequence<AnalyzerInput, any Error> {
    output.receiver.makeInputs()
  }
}

/// The audio of a capture session.
private struct CaptureInputs: AsyncSequence, StoppableInputs {
  let stream: AsyncThrowingStream<AnalyzerInput, any Error>
  let id: UUID
  weak let receiver: CaptureReceiver?

  func makeAsyncIterator() -> AsyncThrowingStream<AnalyzerInput, any Error>.Iterator {
    stream.makeAsyncIterator()
  }

  func endWhenStopped() { receiver?.endWhenStopped(id) }
}

/// An output that owns its delegate.
private final class AnalyzerDataOutput: AVCaptureAudioDataOutput {
  let receiver: CaptureReceiver

  init(session: AVCaptureSession, format: AVAudioFormat, priority: TaskPriority?) {
    let queue = DispatchQueue(label: "speech.capture", qos: DispatchQoS(priority))
    receiver = CaptureReceiver(session: session, queue: queue)
    super.init()
    audioSettings = format.settings
    setSampleBufferDelegate(receiver, queue: queue)
  }

  deinit { receiver.finish() }
}

/// Calls a closure whenever a session stops, as long as this object exists.
///
/// `@unchecked Sendable`: nothing changes after `init`.
private final class StopObserver: @unchecked Sendable {
  private let tokens: [any NSObjectProtocol]

  init(_ session: AVCaptureSession, _ body: @escaping @Sendable () -> Void) {
    let names = [AVCaptureSession.didStopRunningNotification, AVCaptureSession.runtimeErrorNotification]
    tokens = names.map {
      NotificationCenter.default.addObserver(forName: $0, object: session, queue: nil) { _ in body() }
    }
  }

  deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }
}

/// Passes captured audio to sequences.
private final class CaptureReceiver: NSObject, AVCaptureAudioDataOutputSampleBufferDelegate, Sendable {
  private struct Reader {
    let continuation: AsyncThrowingStream<AnalyzerInput, any Error>.Continuation
    /// The time stamp of the reader's first buffer, and the end of its last one.
    var origin: CMTime?
    var end = CMTime.zero
    /// The length of the reader's timeline.
    var length = CMTime.zero
    /// Ends the sequence when the session stops.
    var observer: StopObserver?

    /// When a buffer starts on the reader's timeline, from 0; nil if it follows the one before. After a pause a device that
    /// was ahead of the clock may be behind its own audio, which its new audio then follows, too.
    mutating func place(_ start: CMTime, _ duration: CMTime) -> CMTime? {
      let time = start - (origin ?? start)
      let isGap = start != end && time > length
      origin = origin ?? start
      end = start + duration
      length = (isGap ? time : length) + duration
      return isGap ? time : nil
    }
  }

  private weak let session: AVCaptureSession?
  private let queue: DispatchQueue
  private let readers = Mutex<[UUID: Reader]>([:])

  init(session: AVCaptureSession, queue: DispatchQueue) {
    self.session = session
    self.queue = queue
  }

  func makeInputs() -> CaptureInputs {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: AnalyzerInput.self)
    let id = UUID()
    continuation.onTermination = { [weak self] _ in self?.readers.withLock { $0[id] = nil } }
    readers.withLock { $0[id] = Reader(continuation: continuation) }
    return CaptureInputs(stream: stream, id: id, receiver: self)
  }

  /// Ends a sequence with the last audio of the session's run, at once if it does not run.
  func endWhenStopped(_ id: UUID) {
    guard let session else { return end(id) }
    let observer = StopObserver(session) { [weak self] in self?.end(id) }
    readers.withLock { $0[id]?.observer = observer }
    if !session.isRunning { end(id) }
  }

  /// Ends a sequence after what was captured, which is on its way on the queue.
  private func end(_ id: UUID) {
    queue.async { self.readers.withLock { $0[id]?.continuation }?.finish() }
  }

  func finish() {
    let ending = readers.withLock { readers in
      defer { readers = [:] }
      return readers.values.map(\.continuation)
    }
    for continuation in ending { continuation.finish() }
  }

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    guard sampleBuffer.numSamples > 0 else { return }
    // The ready buffer is a copy.
    nonisolated(unsafe) let captured = sampleBuffer
    let samples = CMReadySampleBuffer(unsafeWithDataBuffer: captured)
    readers.withLock { readers in
      for id in readers.keys {
        let start = readers[id]?.place(samples.presentationTimeStamp, samples.duration)
        readers[id]?.continuation.yield(AnalyzerInput(samples, at: start))
      }
    }
  }
}
