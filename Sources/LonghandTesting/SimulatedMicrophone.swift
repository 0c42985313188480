import Foundation
import Longhand
import Synchronization

/// A microphone for tests: a test passes in the samples, and the recorder captures them as from a real one.
///
/// ```swift
/// let microphone = SimulatedMicrophone()
/// let recorder = try AudioRecorder(folder, from: microphone)
/// microphone.speak(samples)
/// microphone.fail("unplugged")
/// ```
public final class SimulatedMicrophone: AudioCapture {
  /// The error of `start` after `refuse(_:)`.
  public struct Refused: Error, Sendable {}

  private struct State {
    var take: (@Sendable (CapturedAudio) -> Void)?
    var time: Int64 = 0
    var refusals = 0
    var starts = 0
  }

  /// The name of the microphone.
  public let name: String
  /// Whether it counts as lost when it delivers nothing.
  public let isLive: Bool
  private let layout: RecordingFormat
  private let state = Mutex(State())

  /// Creates a microphone; by default with one channel at 16 kHz.
  public init(
    name: String = "simulated", format: RecordingFormat = .init(sampleRate: 16_000, channels: 1),
    isLive: Bool = true
  ) {
    self.name = name
    self.isLive = isLive
    layout = format
  }

  /// How often it was opened successfully.
  public var starts: Int { state.withLock(\.starts) }

  /// Whether it is open, so that samples are delivered.
  public var isOpen: Bool { state.withLock { $0.take != nil } }

  /// Makes the next attempts to open it fail.
  /// - Parameter times: the number of attempts.
  public func refuse(_ times: Int) { state.withLock { $0.refusals = times } }

  /// Delivers samples, if it is open. Its clock continues in any case.
  /// - Parameter samples: whole frames of 16-bit samples, little-endian.
  public func speak(_ samples: Data) {
    state.withLock { state in
      state.take?(.samples(samples, at: state.time))
      state.time += Int64(samples.count / layout.frameBytes)
    }
  }

  /// Loses frames: its clock continues, and nothing is delivered.
  public func lose(_ frames: Int64) { state.withLock { $0.time += frames } }

  /// Reports a failure. It delivers nothing until it is opened again.
  public func fail(_ why: String = "unplugged") {
    state.withLock { state in
      state.take?(.failed(why))
      state.take = nil
    }
  }

  /// Reports its end.
  public func end() { state.withLock { $0.take?(.ended) } }

  /// The format of its samples.
  public func format() throws -> RecordingFormat { layout }

  /// Opens the microphone; its clock starts at 0.
  /// - Throws: `Refused`.
  public func start(_ take: @escaping @Sendable (CapturedAudio) -> Void) throws {
    try state.withLock { state in
      if state.refusals > 0 {
        state.refusals -= 1
        throw Refused()
      }
      state.starts += 1
      state.time = 0
      state.take = take
    }
  }

  /// Closes the microphone.
  public func stop() { state.withLock { $0.take = nil } }
}

/// A clock that only `advance(by:)` moves, for tests.
public final class ManualClock: Sendable {
  private let time = Mutex(0.0)

  /// Creates a clock at 0.
  public init() {}

  /// The time in seconds.
  public var now: TimeInterval { time.withLock { $0 } }

  /// Moves the clock forward.
  public func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}
