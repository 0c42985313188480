import Foundation

/// Records from the microphone to a file.
///
/// ```swift
/// import AVFAudio
///
/// let recorder = try AVAudioRecorder(
///   url: URL(fileURLWithPath: "note.wav"),
///   settings: [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 16_000, AVNumberOfChannelsKey: 1])
/// recorder.record(forDuration: 10)
/// ```
///
/// On Linux it records from the source of `AVAudioEngine` and writes the formats of `AVAudioFile`: WAV, FLAC, AIFF and CAF,
/// by the extension of the file's name. Settings that need a lossy encoder, such as AAC, are an error of `init`. The delegate
/// is called on the main queue. Not `Sendable`, as on Apple platforms.
open class AVAudioRecorder: NSObject {
  private enum Phase {
    case idle, prepared, recording, paused
  }

  /// Carries the recorder to the main queue.
  ///
  /// `@unchecked Sendable`: it is set once, and used on the main queue and by the recorder's own thread-safe parts.
  private final class Reference: @unchecked Sendable {
    weak let recorder: AVAudioRecorder?

    init(_ recorder: AVAudioRecorder) { self.recorder = recorder }
  }

  /// The file.
  open private(set) var url: URL
  /// The settings, with what was left out.
  open private(set) var settings: [String: Any]
  /// The format of the file.
  open private(set) var format: AVAudioFormat
  /// Is notified of the end and of errors.
  open weak var delegate: (any AVAudioRecorderDelegate)?
  /// Whether levels are measured; see `updateMeters()`.
  open var isMeteringEnabled = false

  private let engine: AVAudioEngine
  private var file: RecordedFile?
  private var phase = Phase.idle
  private var levels: [AudioMeter.Level] = []
  private var observer: (any NSObjectProtocol)?

  /// Creates a recorder for a file that `settings` describe. What they leave out is 44100 Hz, one channel, 16 bits.
  ///
  /// The file is created, or truncated if it exists, by `prepareToRecord()` or `record()`. Throws if such a file cannot be
  /// written.
  public convenience init(url: URL, settings: [String: Any]) throws {
    try self.init(url: url, settings: settings, server: nil)
  }

  /// Creates a recorder for a file of `format`; see `init(url:settings:)`.
  public convenience init(url: URL, format: AVAudioFormat) throws {
    try self.init(url: url, settings: format.settings)
  }

  package init(url: URL, settings: [String: Any], server: String?) throws {
    let settings = [AVSampleRateKey: 44_100.0, AVNumberOfChannelsKey: 1].merging(settings) { $1 }
    self.url = url
    self.settings = settings
    format = try AVAudioFile.plan(
      forWriting: url, settings: settings, commonFormat: .pcmFormatFloat32, interleaved: false
    ).fileFormat
    engine = AVAudioEngine(server: server)
    super.init()
    let reference = Reference(self)
    observer = NotificationCenter.default.addObserver(
      forName: .AVAudioEngineConfigurationChange, object: engine, queue: nil
    ) { _ in
      DispatchQueue.main.async { reference.recorder?.engineChanged() }
    }
  }

  deinit {
    if let observer { NotificationCenter.default.removeObserver(observer) }
    engine.stopPatiently()
    try? file?.close()
  }

  /// Whether audio is recorded now.
  open var isRecording: Bool { phase == .recording }
  /// Seconds that were recorded; 0 if the recorder is stopped.
  open var currentTime: TimeInterval { file?.duration ?? 0 }
  /// The time of the device in seconds, for `record(atTime:)`; on Linux the machine's clock.
  open var deviceCurrentTime: TimeInterval { AVAudioTime.seconds(forHostTime: AVAudioTime.now) }

  /// Creates the file, or truncates it if it exists. Returns false if that fails.
  @discardableResult
  open func prepareToRecord() -> Bool {
    guard phase == .idle else { return true }
    do {
      file = try RecordedFile(url: url, settings: settings)
      phase = .prepared
      return true
    } catch {
      delegate?.audioRecorderEncodeErrorDidOccur(self, error: error)
      return false
    }
  }

  /// Starts or resumes recording. Returns false, and reports the error to the delegate, if there is no source, or if the file
  /// cannot be written.
  @discardableResult
  open func record() -> Bool { record(from: 0, seconds: nil) }

  /// Starts recording at a time of `deviceCurrentTime`.
  @discardableResult
  open func record(atTime time: TimeInterval) -> Bool {
    record(from: AVAudioTime.hostTime(forSeconds: time), seconds: nil)
  }

  /// Records so many seconds.
  @discardableResult
  open func record(forDuration duration: TimeInterval) -> Bool { record(from: 0, seconds: duration) }

  /// Records so many seconds from a time of `deviceCurrentTime` on.
  @discardableResult
  open func record(atTime time: TimeInterval, forDuration duration: TimeInterval) -> Bool {
    record(from: AVAudioTime.hostTime(forSeconds: time), seconds: duration)
  }

  private func record(from start: UInt64, seconds: TimeInterval?) -> Bool {
    guard phase != .recording else { return true }
    guard prepareToRecord(), let file else { return false }
    file.begin(at: start, seconds: seconds)
    let reference = Reference(self)
    engine.inputNode.removeTap(onBus: 0)
    engine.inputNode.installTap(onBus: 0, bufferSize: 1024, format: nil) { buffer, time in
      switch file.append(buffer, at: time) {
      case .written: break
      case .complete: DispatchQueue.main.async { reference.recorder?.end(file) }
      case .failed(let error): DispatchQueue.main.async { reference.recorder?.end(file, error) }
      }
    }
    do {
      try engine.start()
      phase = .recording
      return true
    } catch {
      delegate?.audioRecorderEncodeErrorDidOccur(self, error: error)
      return false
    }
  }

  /// Pauses until `record()`, which continues the file.
  open func pause() {
    guard phase == .recording else { return }
    engine.stopPatiently()
    phase = .paused
  }

  /// Stops recording and completes the file. The delegate is notified on the main queue.
  open func stop() {
    guard let successfully = complete() else { return }
    let reference = Reference(self)
    DispatchQueue.main.async {
      guard let recorder = reference.recorder else { return }
      recorder.delegate?.audioRecorderDidFinishRecording(recorder, successfully: successfully)
    }
  }

  /// Deletes the file. Returns false while the recorder is not stopped, and if there is no file.
  @discardableResult
  open func deleteRecording() -> Bool {
    guard phase == .idle || phase == .prepared else { return false }
    _ = complete()
    return (try? FileManager.default.removeItem(at: url)) != nil
  }

  /// Measures the levels since the last call.
  open func updateMeters() { if isMeteringEnabled, let file { levels = file.takeLevels() } }

  /// The average power of a channel between the last two calls of `updateMeters()`, in dBFS: 0 for full scale, -160 for
  /// silence.
  open func averagePower(forChannel channelNumber: Int) -> Float { level(channelNumber).average }

  /// The highest sample of a channel between the last two calls of `updateMeters()`, in dBFS.
  open func peakPower(forChannel channelNumber: Int) -> Float { level(channelNumber).peak }

  private func level(_ channel: Int) -> AudioMeter.Level {
    levels.indices.contains(channel) ? levels[channel] : AudioMeter.Level()
  }

  /// Ends the recording. Returns whether the file is complete; nil if there was nothing to end.
  private func complete() -> Bool? {
    guard phase != .idle, let file else { return nil }
    // What a slow disk has not taken yet belongs to the file.
    engine.stopPatiently()
    engine.inputNode.removeTap(onBus: 0)
    phase = .idle
    self.file = nil
    return (try? file.close()) != nil
  }

  /// A file has all its frames, or cannot be written. Meanwhile the program may have begun another recording.
  private func end(_ ended: RecordedFile, _ error: (any Error)? = nil) {
    guard file === ended, error != nil || ended.isOver, let isComplete = complete() else { return }
    if let error { delegate?.audioRecorderEncodeErrorDidOccur(self, error: error) }
    delegate?.audioRecorderDidFinishRecording(self, successfully: error == nil && isComplete)
  }

  /// The engine has stopped by itself. Meanwhile the program may have begun another recording.
  private func engineChanged() {
    guard phase == .recording, !engine.isRunning, complete() != nil else { return }
    delegate?.audioRecorderDidFinishRecording(self, successfully: false)
  }
}

/// Is notified by a recorder, on the main queue. On Linux, as requirements cannot be optional, defaults do nothing.
public protocol AVAudioRecorderDelegate: NSObjectProtocol {
  /// Recording has ended: `stop()` was called, the duration is over, or `flag` is false and it ended by itself.
  func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool)
  /// There is no source, or the file could not be written.
  func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?)
}

extension AVAudioRecorderDelegate {
  /// Does nothing.
  public func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {}
  /// Does nothing.
  public func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {}
}
