import Foundation
import Longhand
// A module of its own, because the scripted service needs it and nothing else of this module.
@_exported import ScriptedSpeech
import Synchronization

/// A microphone into which a test speaks, through the capture path that a real one takes.
///
/// ```swift
/// let microphone = SimulatedMicrophone()
/// let recorder = try AudioRecorder(folder, from: microphone)
/// microphone.speak(samples)
/// microphone.fail("unplugged")
/// ```
public final class SimulatedMicrophone: AudioCapture {
  /// The device was told to refuse.
  public struct Refused: Error, Sendable {}

  private struct State {
    var take: (@Sendable (CapturedAudio) -> Void)?
    var time: Int64 = 0
    var refusals = 0
    var starts = 0
  }

  /// What the microphone is called.
  public let name: String
  /// Whether it counts as lost when it gives nothing.
  public let isLive: Bool
  private let layout: RecordingFormat
  private let state = Mutex(State())

  /// A microphone of one channel at 16 kHz, unless said otherwise.
  public init(
    name: String = "simulated", format: RecordingFormat = .init(sampleRate: 16_000, channels: 1),
    isLive: Bool = true
  ) {
    self.name = name
    self.isLive = isLive
    layout = format
  }

  /// How often it was opened.
  public var starts: Int { state.withLock(\.starts) }

  /// Lets the next attempts to open it fail.
  public func refuse(_ times: Int) { state.withLock { $0.refusals = times } }

  /// Is heard by whoever opened it; by nobody if nobody did.
  /// - Parameter samples: whole frames, the little end of each 16-bit sample first.
  public func speak(_ samples: Data) {
    state.withLock { state in
      state.take?(.samples(samples, at: state.time))
      state.time += Int64(samples.count / layout.frameBytes)
    }
  }

  /// Loses so many frames: its clock goes on, and nobody hears them.
  public func lose(_ frames: Int64) { state.withLock { $0.time += frames } }

  /// Breaks, until it is opened again.
  public func fail(_ why: String = "unplugged") {
    state.withLock { state in
      state.take?(.failed(why))
      state.take = nil
    }
  }

  /// Comes to its end.
  public func end() { state.withLock { $0.take?(.ended) } }

  /// How its samples are laid out.
  public func format() throws -> RecordingFormat { layout }

  /// Begins to be heard; its clock starts at 0.
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

  /// Is not heard any more.
  public func stop() { state.withLock { $0.take = nil } }
}

/// A clock that goes on only when it is told to.
public final class ManualClock: Sendable {
  private let time = Mutex(0.0)

  /// A clock that stands at 0.
  public init() {}

  /// Seconds.
  public var now: TimeInterval { time.withLock { $0 } }

  /// Lets time pass.
  public func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}
