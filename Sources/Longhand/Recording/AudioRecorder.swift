import Foundation

/// Records a source into a folder until it is told to stop. It waits for nobody who reads, and no live source waits for
/// it: sound is taken from the source's thread under a lock that is held for a moment only, and written by a thread of
/// its own. A source that is not live, such as a pipe, is read no faster than the disk takes it.
///
/// `@unchecked Sendable`: `queue` guards everything that changes but `inbox`, which has a lock of its own.
public final class AudioRecorder: @unchecked Sendable {
  /// Seconds from one flush to the next: no more than this is lost when the process is killed.
  private static let flushInterval = 0.3
  /// Seconds of sound after which the noise of the room is known.
  private static let calibration = 2.0
  /// dB by which the noise of the room changes before it is told again.
  private static let noticeableChange = 6.0
  /// Seconds of room on the disk below which it is told.
  private static let littleSpace = 600.0
  /// Seconds of sound that may wait for the disk before a source that is not live is held up.
  static let mostAhead = 10.0

  /// What happens, until the recording has ended.
  public let events: AsyncStream<RecordingEvent>

  private let source: any AudioCapture
  private let disk: any RecordingDisk
  private let writer: RecordingWriter
  private let clock: @Sendable () -> TimeInterval
  private let continuation: AsyncStream<RecordingEvent>.Continuation
  private let queue = DispatchQueue(label: "longhand.recorder", qos: .userInitiated)
  private let inbox: CaptureInbox
  private var timer: (any DispatchSourceTimer)?
  private var monitor: CaptureMonitor
  /// Frames that are still wanted.
  private var room: Int64
  private var silence: SilenceDetector
  private var heard = 0.0
  private var toldNoiseFloor: Double?
  private var isSourceLost = false
  private var isDiskFailing = false
  private var isSpaceLittle = false
  private var isEnded = false

  /// Makes the recording's folder and begins to record.
  /// - Parameters:
  ///   - folder: must not be there yet.
  ///   - id: what the recording is called everywhere.
  ///   - limit: seconds after which the source counts as ended; nil for no end.
  ///   - clock: seconds that only grow; the default is the system's.
  /// - Throws: `RecordingError`, and why the source cannot be opened; then nothing was made, or an empty recording.
  public init(
    _ folder: RecordingFolder, id: UUID = UUID(), from source: any AudioCapture,
    limit: TimeInterval? = nil, disk: any RecordingDisk = SystemDisk(),
    clock: @escaping @Sendable () -> TimeInterval = { ProcessInfo.processInfo.systemUptime }
  ) throws {
    let format = try source.format()
    self.source = source
    room = limit.map { Int64(($0 * Double(format.sampleRate)).rounded()) } ?? .max
    self.disk = disk
    self.clock = clock
    let manifest = RecordingManifest(
      id: id.uuidString.lowercased(), source: source.name, format: format)
    writer = try RecordingWriter(folder, manifest, disk: disk)
    silence = SilenceDetector(sampleRate: format.sampleRate)
    monitor = CaptureMonitor(sampleRate: format.sampleRate, isLive: source.isLive, now: clock())
    let ahead = Int(Self.mostAhead * Double(format.sampleRate)) * format.frameBytes
    inbox = CaptureInbox(room: source.isLive ? nil : ahead)
    (events, continuation) = AsyncStream.makeStream(
      of: RecordingEvent.self, bufferingPolicy: .bufferingNewest(10_000))
    inbox.onFull { [weak self, queue] in
      // Only there may the last reference to the recorder go.
      queue.async { [weak self] in self?.work() }
    }
    try open()
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + Self.flushInterval, repeating: Self.flushInterval)
    timer.setEventHandler { [weak self] in self?.work() }
    timer.resume()
    self.timer = timer
  }

  deinit {
    timer?.cancel()
    inbox.letGo()
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

  /// What the recording is so far. Its gaps may reach beyond what is in the file.
  public var manifest: RecordingManifest { queue.sync { writer.manifest } }

  /// Writes what was captured, at once: what the timer does by itself.
  public func flush() { queue.sync { work() } }

  /// Ends the recording.
  /// - Returns: what became of it.
  /// - Throws: `RecordingError` if the disk does not take its end; it can be tried again, and everything that was
  ///   durable is there.
  public func stop() throws -> RecordingManifest {
    inbox.letGo()
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
    // Without the recorder itself: a source that is held up must not keep it.
    try source.start { [inbox, clock] in inbox.put($0, now: clock()) }
  }

  private func work() {
    guard !isEnded else { return }
    // Before what came is taken: what comes after that has not been missed.
    let now = clock()
    takeInbox()
    perform(monitor.tick(now: now))
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
    inbox.wait(for: writer.waitingBytes)
    watchSpace()
  }

  private func takeInbox() {
    var taken = Data()
    for (sound, now) in inbox.take() {
      switch sound {
      case .samples(let samples, let time):
        let format = writer.manifest.format
        guard let actions = monitor.heard(format.frames(inBytes: samples.count), at: time, now: now) else {
          continue
        }
        perform(actions)
        guard room > 0 else { continue }
        let wanted = samples.prefix(Int(min(room, format.frames(inBytes: samples.count))) * format.frameBytes)
        writer.append(Data(wanted))
        taken += wanted
        use(format.frames(inBytes: wanted.count))
        if isSourceLost { continuation.yield(.sourceBack) }
        isSourceLost = false
      case .failed(let why):
        lose(why)
        perform(monitor.failed(now: now))
      case .ended: continuation.yield(.sourceEnded)
      }
    }
    if !taken.isEmpty { meter(taken) }
  }

  private func use(_ frames: Int64) {
    guard room > 0, room < .max else { return }
    room = max(0, room - frames)
    if room == 0 { continuation.yield(.sourceEnded) }
  }

  private func meter(_ samples: Data) {
    let format = writer.manifest.format
    continuation.yield(.level(LevelMeter.decibels(samples)))
    silence.take(format.mono(samples))
    heard += format.seconds(format.frames(inBytes: samples.count))
    // By then it has settled.
    guard heard >= Self.calibration else { return }
    let floor = silence.noiseFloor
    guard abs(floor - (toldNoiseFloor ?? .infinity)) >= Self.noticeableChange else { return }
    toldNoiseFloor = floor
    continuation.yield(.noiseFloor(floor))
  }

  private func perform(_ actions: [CaptureMonitor.Action]) {
    for action in actions {
      switch action {
      case .skip(let frames, let reason):
        // After the end nothing is missing.
        guard room > 0 else { continue }
        writer.skip(min(frames, room), reason)
        use(frames)
      case .reopen:
        lose("\(source.name) gives no sound")
        inbox.letGo { source.stop() }
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
    let seconds = format.seconds(format.frames(inBytes: free))
    if seconds < Self.littleSpace, !isSpaceLittle { continuation.yield(.littleSpace(seconds)) }
    isSpaceLittle = seconds < Self.littleSpace
  }
}

/// What happens while a recording is made.
public enum RecordingEvent: Sendable, Hashable {
  /// So many frames are in the file and would outlive a loss of power: they can be read.
  case durable(Int64)
  /// How loud the last tenth of a second or more was, in dBFS; minus infinity for digital silence.
  case level(Double)
  /// How loud the room is when nobody speaks, in dBFS from -72 to -38; told again when it changes.
  case noiseFloor(Double)
  /// The source gives nothing; it is tried again. The text says why.
  case sourceLost(String)
  /// The source gives sound again.
  case sourceBack
  /// The disk took nothing; what was captured waits in memory for so many seconds more. The text says why.
  case diskFailed(String, secondsLeft: TimeInterval)
  /// The disk took everything again.
  case diskBack
  /// Only so many seconds more fit on the disk.
  case littleSpace(TimeInterval)
  /// The source came to its end, or as much was recorded as was wanted.
  case sourceEnded
}
