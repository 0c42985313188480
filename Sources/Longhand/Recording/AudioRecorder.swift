import Foundation
import Synchronization

/// Records a source into a folder until it is told to stop. It waits for nobody who reads, and nobody who captures waits
/// for it: sound is taken from the source's thread under a lock that is held for a moment only, and written by a thread
/// of its own.
///
/// `@unchecked Sendable`: `queue` guards everything that changes but `inbox`, which has a lock of its own.
public final class AudioRecorder: @unchecked Sendable {
  /// Seconds from one flush to the next: no more than this is lost when the process is killed.
  private static let flushInterval = 0.5
  /// Seconds of room on the disk below which it is told.
  private static let littleSpace = 600.0

  /// What happens, until the recording has ended.
  public let events: AsyncStream<RecordingEvent>

  private let source: any AudioCapture
  private let disk: any RecordingDisk
  private let writer: RecordingWriter
  private let clock: @Sendable () -> TimeInterval
  private let continuation: AsyncStream<RecordingEvent>.Continuation
  private let queue = DispatchQueue(label: "longhand.recorder", qos: .userInitiated)
  private let inbox = Mutex<[(sound: CapturedSound, now: TimeInterval)]>([])
  private var timer: (any DispatchSourceTimer)?
  private var monitor: CaptureMonitor
  private var isSourceLost = false
  private var isDiskFailing = false
  private var isSpaceLittle = false
  private var isEnded = false

  /// Makes the recording's folder and begins to record.
  /// - Parameters:
  ///   - folder: must not be there yet.
  ///   - clock: seconds that only grow; the default is the system's.
  /// - Throws: `RecordingError`, and why the source cannot be opened; then nothing was made, or an empty recording.
  public init(
    _ folder: RecordingFolder, from source: any AudioCapture, disk: any RecordingDisk = SystemDisk(),
    clock: @escaping @Sendable () -> TimeInterval = { ProcessInfo.processInfo.systemUptime }
  ) throws {
    let format = try source.format()
    self.source = source
    self.disk = disk
    self.clock = clock
    writer = try RecordingWriter(folder, RecordingManifest(source: source.name, format: format), disk: disk)
    monitor = CaptureMonitor(sampleRate: format.sampleRate, now: clock())
    (events, continuation) = AsyncStream.makeStream(
      of: RecordingEvent.self, bufferingPolicy: .bufferingNewest(10_000))
    try open()
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + Self.flushInterval, repeating: Self.flushInterval)
    timer.setEventHandler { [weak self] in self?.work() }
    timer.resume()
    self.timer = timer
  }

  deinit {
    timer?.cancel()
    source.stop()
    continuation.finish()
  }

  /// Records nothing until `resume()`; what is not recorded takes no time in the file.
  public func pause() {
    queue.sync {
      takeInbox()
      perform(monitor.pause(now: clock()))
    }
  }

  /// Goes on recording.
  public func resume() {
    queue.sync {
      // What came meanwhile is not to be recorded.
      takeInbox()
      monitor.resume(now: clock())
    }
  }

  /// Writes what was captured, at once: what the timer does by itself.
  public func flush() { queue.sync { work() } }

  /// Ends the recording.
  /// - Returns: what became of it.
  /// - Throws: `RecordingError` if the disk does not take its end; it can be tried again, and everything that was
  ///   durable is there.
  public func stop() throws -> RecordingManifest {
    source.stop()
    return try queue.sync {
      timer?.cancel()
      if !isEnded {
        takeInbox()
        perform(monitor.ended(now: clock()))
        isEnded = true
      }
      try writer.finish()
      continuation.yield(.durable(writer.frames))
      continuation.finish()
      return writer.manifest
    }
  }

  private func open() throws {
    try source.start { [weak self] sound in
      guard let self else { return }
      let now = clock()
      inbox.withLock { $0.append((sound, now)) }
    }
  }

  private func work() {
    guard !isEnded else { return }
    takeInbox()
    perform(monitor.tick(now: clock()))
    do {
      let before = writer.frames
      try writer.flush()
      if writer.frames > before { continuation.yield(.durable(writer.frames)) }
      if isDiskFailing { continuation.yield(.diskBack) }
      isDiskFailing = false
    } catch {
      isDiskFailing = true
      let left = RecordingWriter.mostWaiting - writer.waitingSeconds
      continuation.yield(.diskFailed("\(error)", secondsLeft: max(0, left)))
    }
    watchSpace()
  }

  private func takeInbox() {
    let sounds = inbox.withLock { inbox in
      defer { inbox = [] }
      return inbox
    }
    var taken = Data()
    for (sound, now) in sounds {
      switch sound {
      case .samples(let samples, let time):
        let frames = Int64(samples.count / writer.manifest.format.frameBytes)
        guard let actions = monitor.heard(frames, at: time, now: now) else { continue }
        perform(actions)
        writer.append(samples)
        taken += samples
        if isSourceLost { continuation.yield(.sourceBack) }
        isSourceLost = false
      case .failed(let why):
        lose(why)
        perform(monitor.failed(now: now))
      case .ended: continuation.yield(.sourceEnded)
      }
    }
    if !taken.isEmpty { continuation.yield(.level(LevelMeter.decibels(taken))) }
  }

  private func perform(_ actions: [CaptureMonitor.Action]) {
    for action in actions {
      switch action {
      case .skip(let frames, let reason): writer.skip(frames, reason)
      case .reopen:
        lose("\(source.name) gives no sound")
        source.stop()
        // If it cannot be opened, the monitor asks again.
        if (try? open()) != nil { monitor.opened(now: clock()) }
      }
    }
  }

  private func lose(_ why: String) {
    guard !isSourceLost else { return }
    isSourceLost = true
    continuation.yield(.sourceLost(why))
  }

  private func watchSpace() {
    guard let free = disk.freeBytes(writer.folder.url) else { return }
    let format = writer.manifest.format
    let seconds = format.seconds(free / Int64(format.frameBytes))
    if seconds < Self.littleSpace, !isSpaceLittle { continuation.yield(.littleSpace(seconds)) }
    isSpaceLittle = seconds < Self.littleSpace
  }
}
