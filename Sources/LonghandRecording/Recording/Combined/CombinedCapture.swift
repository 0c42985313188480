import AVFAudio
import Foundation

/// Several sources as one, each its own channel: for example the microphone, and what the computer plays in a call.
///
/// ```swift
/// let call = CombinedCapture([EngineCapture(), EngineCapture(source: monitor)])
/// let session = try await library.record(from: call)
/// ```
///
/// The channels are aligned within 20 ms, however long the recording is: the sources' clocks are compared, and the difference
/// is compensated. A source can vanish and come back: its channel has a gap meanwhile, and the others have none.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
public final class CombinedCapture: AudioCapture, @unchecked Sendable {
  /// Seconds between two attempts to open a source that vanished.
  private static let retryInterval = 1.0
  /// Seconds without audio after which a source is opened again. Only time in which the process ran counts.
  private static let patience = 2.0
  private static let tick = 0.1

  private struct Run {
    var mixer: ChannelMixer
    let take: @Sendable (CapturedAudio) -> Void
    /// For each source, when it is opened again unless audio comes, in seconds in which the process ran.
    var deadlines: [TimeInterval]
    var running: RunningTime
  }

  /// The names of the sources, as shown to users.
  public var name: String { sources.map(\.name).joined(separator: " + ") }
  /// Each source is transcribed by itself.
  public var channelMode: ChannelMode? { .separate }
  /// The names of the sources' speakers.
  public let channelNames: [String]
  /// The names of the sources.
  public var channelSources: [String] { sources.map(\.name) }

  private let sources: [any AudioCapture]
  private let clock: @Sendable () -> TimeInterval
  private let lock = NSLock()
  private let queue = DispatchQueue(label: "longhand.combined-capture", qos: .userInitiated)
  private var formats: [RecordingFormat] = []
  private var run: Run?
  private var timer: (any DispatchSourceTimer)?
  private var hasStarted = false

  /// - Parameters:
  ///   - sources: live sources, at least two.
  ///   - names: the names of their speakers, in order; without them the speakers are named after their channels.
  ///   - clock: seconds that never decrease; the default is the system's uptime.
  public init(
    _ sources: [any AudioCapture], names: [String] = [],
    clock: @escaping @Sendable () -> TimeInterval = { ProcessInfo.processInfo.systemUptime }
  ) {
    self.sources = sources
    channelNames = names
    self.clock = clock
  }

  deinit { stop() }

  /// Whether something else interrupts all sources.
  public var isInterrupted: Bool { sources.allSatisfy(\.isInterrupted) }

  /// Whether all sources wait for something that does not answer.
  public var isHeldUp: Bool { sources.allSatisfy(\.isHeldUp) }

  /// Asks for the permission to record each source.
  public func requestPermission() async throws {
    for source in sources { try await source.requestPermission() }
  }

  /// A channel for each source, with the greatest of their sample rates.
  /// - Throws: the error of the source that cannot be opened.
  public func format() throws -> RecordingFormat {
    let known = lock.withLock { self.formats }
    let formats = known.isEmpty ? try sources.map { try $0.format() } : known
    lock.withLock { self.formats = formats }
    return RecordingFormat(
      sampleRate: formats.map(\.sampleRate).max() ?? 0, channels: formats.count)
  }

  /// Opens all sources. Later, after a failure, it is enough if one of them can be opened.
  /// - Throws: the error of a source that cannot be opened.
  public func start(_ take: @escaping @Sendable (CapturedAudio) -> Void) throws {
    stop()
    let format = try self.format()
    let begin = clock()
    lock.withLock {
      let mixer = ChannelMixer(rates: formats.map(\.sampleRate), targetRate: format.sampleRate, now: begin)
      run = Run(
        mixer: mixer, take: take, deadlines: Array(repeating: Self.patience, count: sources.count),
        running: RunningTime(maxStep: 2 * Self.tick, now: begin))
    }
    var failure: (any Error)?
    var opened = 0
    for channel in sources.indices {
      do {
        try open(channel)
        opened += 1
      } catch {
        failure = failure ?? error
      }
    }
    let isFirst = lock.withLock { !hasStarted }
    if let failure, isFirst || opened == 0 {
      stop()
      throw failure
    }
    let now = clock()
    lock.withLock { run?.mixer.opened(now: now) }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + Self.tick, repeating: Self.tick)
    timer.setEventHandler { [weak self] in self?.watch() }
    timer.resume()
    lock.withLock {
      self.timer = timer
      hasStarted = true
    }
  }

  /// Closes all sources.
  public func stop() {
    let timer = lock.withLock {
      defer { (run, self.timer) = (nil, nil) }
      return self.timer
    }
    timer?.cancel()
    // Without the lock, which a source that is stopped may wait for.
    for source in sources { source.stop() }
  }

  private func open(_ channel: Int) throws {
    try sources[channel].start { [weak self] in self?.receive($0, of: channel) }
  }

  private func receive(_ audio: CapturedAudio, of channel: Int) {
    let now = clock()
    lock.withLock {
      run?.running.advance(to: now)
      switch audio {
      case .samples(let samples, let time):
        postpone(channel, by: Self.patience)
        run?.mixer.receive(formats[channel].mono(samples), at: time, of: channel, now: now)
      case .failed, .ended:
        postpone(channel, by: 0)
        run?.mixer.fail(channel)
      case .gap, .channelGap, .channelLost, .channelRecovered: break
      }
      deliver(now)
    }
  }

  private func deliver(_ now: TimeInterval) {
    guard let audio = run?.mixer.take(now: now) else { return }
    for part in audio { run?.take(part) }
  }

  private func postpone(_ channel: Int, by seconds: TimeInterval) {
    guard let now = run?.running.seconds else { return }
    run?.deadlines[channel] = now + seconds
  }

  /// Gives what the sources that work have, and opens the others again.
  private func watch() {
    // Without the lock, which a source that is asked may wait for.
    let heldUp = sources.map(\.isHeldUp)
    let now = clock()
    let due = lock.withLock {
      deliver(now)
      run?.running.advance(to: now)
      guard let ran = run?.running.seconds else { return [Int]() }
      // When it answers again, it gets some time to deliver what waits in it.
      for channel in sources.indices where heldUp[channel] { postpone(channel, by: Self.patience) }
      let due = (run?.deadlines ?? []).enumerated().filter { $0.element <= ran }.map(\.offset)
      for channel in due { postpone(channel, by: Self.retryInterval) }
      return due
    }
    for channel in due {
      sources[channel].stop()
      lock.withLock { run?.mixer.fail(channel) }
      try? open(channel)
      // It may have been stopped meanwhile.
      if lock.withLock({ run == nil }) { sources[channel].stop() }
    }
  }
}

#if os(Linux)
  extension CombinedCapture {
    /// Creates a source for several devices of the sound server. A microphone and what the computer plays are named
    /// "Microphone" and "Call"; others are named after their channels.
    /// - Parameter devices: at least two different ones.
    public convenience init(devices: [CaptureDevice]) {
      let isCall = devices.count == 2 && devices[0].isMonitor != devices[1].isMonitor
      self.init(
        devices.map { EngineCapture(source: $0) },
        names: isCall ? devices.map { $0.isMonitor ? "Call" : "Microphone" } : [])
    }
  }
#endif
