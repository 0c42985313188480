import Foundation
import LonghandTranscripts

/// Records a source into a folder until `stop()` is called.
///
/// ```swift
/// let folder = RecordingFolder(URL(fileURLWithPath: "talk"))
/// let recorder = try AudioRecorder(folder, from: EngineCapture())
/// for await event in recorder.events { print(event) }   // until `recorder.stop()` is called
/// ```
///
/// Readers never block the recorder, and the disk never blocks a live source: the source's thread only appends to an
/// inbox, and another thread writes. A source that is not live, such as a pipe, is read no faster than the disk writes.
///
/// `@unchecked Sendable`: `queue` guards everything that changes but `inbox`, which has a lock of its own.
package final class AudioRecorder: @unchecked Sendable {
  /// Seconds between two flushes. If the process is killed, at most this much audio is lost.
  private static let flushInterval = 0.3
  /// Seconds of audio after which the noise floor is known.
  private static let calibration = 2.0
  /// The change of the noise floor, in dB, that is reported.
  private static let noticeableChange = 6.0
  /// The free space on the disk, in seconds of audio, below which it is reported.
  private static let lowDiskSpace = 600.0
  /// Seconds without audio after which the loss of the source is reported.
  static let noticeableLoss = 1.0
  /// Seconds of the shortest sleep of the computer that becomes a gap. Shorter ones add up.
  private static let noticeableSleep = 0.5
  /// Seconds of audio that may wait for the disk before a source that is not live has to wait.
  static let maxAhead = 10.0

  /// The loss of the source.
  private struct Loss {
    /// Why the source is lost, if it says that.
    var why: String?
    var start: TimeInterval
    var isReported = false
  }

  /// The events of the recording. The stream ends with the recording.
  package let events: AsyncStream<RecordingEvent>

  private let source: any AudioCapture
  private let disk: any RecordingDisk
  private let writer: RecordingWriter
  private let clock: @Sendable () -> TimeInterval
  private let asleep: SleepTime
  private let continuation: AsyncStream<RecordingEvent>.Continuation
  private let queue = DispatchQueue(label: "longhand.recorder", qos: .userInitiated)
  private let inbox: CaptureInbox
  private var timer: (any DispatchSourceTimer)?
  private var monitor: CaptureMonitor
  /// Frames until the limit.
  private var room: Int64
  private var silence: SilenceDetector
  private var pace = QuietPace()
  /// Whether the timer waits longer, because the room is quiet.
  private var isTimerSlow = false
  /// The greatest level that is not reported yet, in dBFS; nil if nothing was captured since the last report.
  private var level: Double?
  /// The durable frames that were reported.
  private var reportedFrames: Int64 = 0
  private var received = 0.0
  private var reportedNoiseFloor: Double?
  /// What is known while the source is lost; nil while it is not.
  private var loss: Loss?
  /// The frames of the last samples, if they were recorded.
  private var recorded: Int64 = 0
  /// The seconds of the computer's sleep that are recorded, or from before the recording.
  private var slept: TimeInterval
  private var isDiskFailing = false
  private var isDiskSpaceLow = false
  private var isEnded = false

  /// Creates the recording's folder and starts to record.
  /// - Parameters:
  ///   - folder: must not exist yet.
  ///   - id: the ID of the recording.
  ///   - source: the source, such as `EngineCapture()` for the microphone.
  ///   - limit: seconds after which `sourceEnded` is reported and nothing more is recorded; nil for no limit.
  ///   - options: what counts as a pause in the transcription, for the manifest.
  ///   - channels: how the channels are transcribed, for the manifest; nil for the mix, unless the names say otherwise.
  ///   - speakerNames: the names of the speakers of the channels, in order, for the manifest.
  ///   - voices: the number of voices, for the manifest.
  ///   - choice: what a person chose for the transcription, for the manifest.
  ///   - disk: the disk for the recording; tests pass a faulty one.
  ///   - asleep: for how long the computer slept, which is a gap.
  ///   - clock: seconds that never decrease, without those; the default is the system's uptime.
  /// - Throws: `RecordingError`, or the error of the source if it cannot be opened. At most an empty recording is left.
  package init(
    _ folder: RecordingFolder, id: UUID = UUID(), from source: any AudioCapture,
    limit: TimeInterval? = nil, silence options: SilenceOptions? = nil, channels: ChannelMode? = nil,
    speakerNames: [String] = [], voices: VoiceCount? = nil, choice: RecognitionChoice? = nil,
    disk: any RecordingDisk = SystemDisk(), asleep: SleepTime = .system,
    clock: @escaping @Sendable () -> TimeInterval = { ProcessInfo.processInfo.systemUptime }
  ) throws {
    let format = try source.format()
    self.source = source
    room = limit.map { Int64(clamping: ($0 * Double(format.sampleRate)).rounded()) } ?? .max
    self.disk = disk
    (self.clock, self.asleep) = (clock, asleep)
    slept = asleep.seconds()
    var manifest = RecordingManifest(
      id: id.uuidString.lowercased(), source: source.name, format: format)
    manifest.silence = options
    manifest.channelMode = channels ?? ChannelMode(names: speakerNames, channels: format.channels) ?? .mix
    manifest.speakerNames = speakerNames.isEmpty ? nil : speakerNames
    (manifest.voices, manifest.choice) = (voices, choice)
    writer = try RecordingWriter(folder, manifest, disk: disk)
    silence = SilenceDetector(sampleRate: format.sampleRate)
    monitor = CaptureMonitor(sampleRate: format.sampleRate, isLive: source.isLive, now: clock())
    inbox = CaptureInbox(room: source.isLive ? nil : format.bytes(Self.maxAhead))
    (events, continuation) = AsyncStream.makeStream(
      of: RecordingEvent.self, bufferingPolicy: .bufferingNewest(10_000))
    inbox.onFull { [weak self, queue] in
      // The last reference to the recorder may be released on this queue only.
      queue.async { [weak self] in self?.work() }
    }
    inbox.onDue { [weak self, queue] in queue.async { [weak self] in self?.work() } }
    try open()
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + Self.flushInterval, repeating: Self.flushInterval)
    timer.setEventHandler { [weak self] in self?.work() }
    timer.resume()
    self.timer = timer
  }

  deinit {
    timer?.cancel()
    inbox.release()
    source.stop()
    continuation.finish()
  }

  /// Stops recording until `resume()`. A live source is closed meanwhile; what another one delivers is discarded.
  package func pause() {
    queue.sync {
      guard !isEnded, !monitor.isPaused else { return }
      if source.isLive { inbox.release { source.stop() } }
      takeInbox()
      perform(monitor.pause(now: clock()))
      // A closed source is not lost. If its loss was reported, its recovery is reported too.
      if loss?.isReported == false { loss = nil }
    }
  }

  /// Continues to record after `pause()`. The pause is a gap, which is silent and as long as the pause was.
  package func resume() {
    queue.sync {
      guard !isEnded, monitor.isPaused else { return }
      // Discards what came during the pause.
      takeInbox()
      let isOpen = !source.isLive || (try? open()) != nil
      let now = clock()
      perform(monitor.resume(now: now))
      if !isOpen { perform(monitor.failed(now: now, isInterrupted: source.isInterrupted)) }
    }
  }

  /// The manifest of the recording so far. Its gaps may reach beyond the end of the file.
  package var manifest: RecordingManifest { queue.sync { writer.manifest } }

  /// Seconds of audio that were captured, with what waits for the disk.
  package var seconds: TimeInterval {
    queue.sync { writer.manifest.format.seconds(writer.frames) + writer.waitingSeconds }
  }

  /// Seconds of audio that wait for the disk.
  package var waitingSeconds: TimeInterval { queue.sync { writer.waitingSeconds } }

  /// Writes the captured audio now, without waiting for the timer.
  package func flush() { queue.sync { work(isAsked: true) } }

  /// Ends the recording.
  /// - Returns: the final manifest.
  /// - Throws: `RecordingError` if the end cannot be written to the disk. All durable audio is kept, and `stop()` can be
  ///   called again.
  package func stop() throws -> RecordingManifest {
    // Before the queue does, which may be waiting for the source.
    inbox.release()
    source.stop()
    return try queue.sync {
      timer?.cancel()
      if !isEnded {
        takeInbox()
        perform(monitor.ended(now: clock()))
        isEnded = true
        // The queue may have opened it again meanwhile.
        inbox.release()
        source.stop()
      }
      try writer.finish()
      continuation.yield(.durable(writer.frames))
      continuation.finish()
      return writer.manifest
    }
  }

  /// Gives up the end of the recording, which `stop()` could not write: it becomes a gap, and the state `interrupted`.
  /// - Throws: `RecordingError` if the manifest cannot be written either.
  package func abandon() throws { try queue.sync { try writer.abandon() } }

  /// Closes the file of a recording that has ended, so that another process can work on it.
  package func close() { queue.sync { writer.close() } }

  private func open() throws {
    // Does not capture the recorder: a source that waits must not keep it alive.
    try source.start { [inbox, clock, asleep] in
      inbox.put($0, now: clock(), asleep: asleep.seconds())
    }
  }

  /// - Parameter isAsked: whether a caller waits for the audio, so that none may wait although the room is quiet.
  private func work(isAsked: Bool = false) {
    guard !isEnded else { return }
    // The time is read before the inbox, so that audio that comes in between does not count as missing.
    let now = clock()
    takeInbox()
    perform(monitor.tick(now: now, isHeldUp: source.isHeldUp, isInterrupted: source.isInterrupted))
    reportLoss(now: now)
    do {
      try writer.flush(synchronizes: isAsked || isDiskFailing || pace.synchronizes(now: now))
      if isDiskFailing { continuation.yield(.diskRecovered) }
      isDiskFailing = false
    } catch {
      isDiskFailing = true
      let most = source.isLive ? RecordingWriter.maxWaiting : Self.maxAhead
      let left = most - writer.waitingSeconds
      continuation.yield(.diskFailed("\(error)", secondsLeft: max(0, left)))
    }
    if pace.reports(now: now) || isAsked { report() }
    saveEnergy()
    inbox.wait(for: writer.waitingBytes)
    watchSpace()
  }

  /// Reports the new audio and its level.
  private func report() {
    if let level { continuation.yield(.level(level)) }
    level = nil
    if writer.frames > reportedFrames { continuation.yield(.durable(writer.frames)) }
    reportedFrames = writer.frames
  }

  /// Works less often while nothing is said.
  private func saveEnergy() {
    let peak = pace.peak
    guard peak != nil || isTimerSlow else { return }
    inbox.letWait(bytes: writer.manifest.format.bytes(QuietPace.interval), peak: peak)
    source.expectQuiet(upTo: peak)
    guard isTimerSlow == (peak == nil) else { return }
    isTimerSlow.toggle()
    let interval = isTimerSlow ? QuietPace.watchInterval : Self.flushInterval
    timer?.schedule(deadline: .now() + interval, repeating: interval)
    monitor.interval = isTimerSlow ? interval : 0
  }

  private func takeInbox() {
    var taken = Data()
    let end = asleep.seconds()
    for (audio, now, sleep) in inbox.take() {
      switch audio {
      case .samples(let samples, let time):
        skipSleep(until: sleep)
        let format = writer.manifest.format
        recorded = 0
        guard let actions = monitor.received(format.frames(inBytes: samples.count), at: time, now: now) else {
          continue
        }
        perform(actions)
        guard room > 0 else { continue }
        let wanted = samples.prefix(Int(min(room, format.frames(inBytes: samples.count))) * format.frameBytes)
        writer.append(Data(wanted))
        taken += wanted
        // Gaps of channels count from the end, which a limit may have cut off.
        recorded = wanted.count == samples.count ? format.frames(inBytes: wanted.count) : 0
        use(format.frames(inBytes: wanted.count))
        // A source that was opened again may deliver a little although something else still uses it.
        if !source.isInterrupted {
          if loss?.isReported == true { continuation.yield(.sourceRecovered(source.name)) }
          loss = nil
        }
      case .gap(let frames, let reason): if !monitor.isPaused { perform([.skip(frames, reason)]) }
      case .failed(let why):
        lose(why, now: now)
        perform(monitor.failed(now: now, isInterrupted: source.isInterrupted))
      case .ended: continuation.yield(.sourceEnded)
      case .channelGap(let channel, let offset, let frames) where recorded > 0:
        writer.skip(channel: channel, at: offset, frames, .device)
      case .channelGap: break
      case .channelLost(let channel): continuation.yield(.sourceLost(sourceName(channel), why: nil))
      case .channelRecovered(let channel): continuation.yield(.sourceRecovered(sourceName(channel)))
      }
    }
    skipSleep(until: end)
    if !taken.isEmpty { meter(taken) }
    // A source that is not live is read as fast as it comes.
    if source.isLive {
      pace.take(taken, quiet: received >= Self.calibration ? silence.quiet : 0, now: clock())
    }
  }

  /// Records that the computer slept: a gap, or a part of a pause. A source that is not live goes on where it was.
  private func skipSleep(until seconds: TimeInterval) {
    let missing = seconds - slept
    guard missing >= Self.noticeableSleep else { return }
    slept = seconds
    guard source.isLive else { return }
    // Gaps of channels count from the end.
    recorded = 0
    let frames = Int64(clamping: (missing * Double(writer.manifest.format.sampleRate)).rounded())
    perform([.skip(frames, monitor.isPaused ? .paused : .interrupted)])
  }

  private func use(_ frames: Int64) {
    guard room > 0, room < .max else { return }
    room = max(0, room - frames)
    if room == 0 { continuation.yield(.sourceEnded) }
  }

  private func meter(_ samples: Data) {
    let format = writer.manifest.format
    level = max(level ?? -.infinity, LevelMeter.decibels(samples))
    silence.take(format.mono(samples))
    received += format.seconds(format.frames(inBytes: samples.count))
    // Before that, the estimate is not stable.
    guard received >= Self.calibration else { return }
    let floor = silence.noiseFloor
    guard abs(floor - (reportedNoiseFloor ?? .infinity)) >= Self.noticeableChange else { return }
    reportedNoiseFloor = floor
    continuation.yield(.noiseFloor(floor))
  }

  private func perform(_ actions: [CaptureMonitor.Action]) {
    for action in actions {
      switch action {
      case .skip(let frames, let reason):
        // After the limit, no gap is recorded.
        guard room > 0 else { continue }
        // A pause does not count.
        if reason == .paused {
          writer.skip(frames, reason)
          continue
        }
        writer.skip(min(frames, room), reason)
        use(frames)
      case .wait: lose(nil, now: clock() - CaptureMonitor.patience)
      case .reopen:
        lose(nil, now: clock() - CaptureMonitor.patience)
        inbox.release { source.stop() }
        // If the source cannot be opened, the monitor requests another attempt.
        if (try? open()) != nil { monitor.opened(now: clock()) }
      }
    }
  }

  private func lose(_ why: String?, now: TimeInterval) {
    if loss == nil { loss = Loss(why: why, start: now) }
  }

  /// Reports that the source is lost, unless it was lost a moment ago and may be back at once.
  private func reportLoss(now: TimeInterval) {
    guard let loss, !loss.isReported, now - loss.start >= Self.noticeableLoss else { return }
    self.loss?.isReported = true
    continuation.yield(.sourceLost(source.name, why: loss.why))
  }

  private func sourceName(_ channel: Int) -> String {
    source.channelSources.count > channel ? source.channelSources[channel] : source.name
  }

  private func watchSpace() {
    guard let free = disk.freeBytes(writer.folder.url) else { return }
    let format = writer.manifest.format
    let seconds = format.seconds(format.frames(inBytes: free))
    if seconds < Self.lowDiskSpace, !isDiskSpaceLow { continuation.yield(.lowDiskSpace(seconds)) }
    isDiskSpaceLow = seconds < Self.lowDiskSpace
  }
}
