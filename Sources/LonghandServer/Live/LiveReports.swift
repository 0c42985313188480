import Foundation
import Longhand

/// What the followers of a recording hear of what happens to it, beside what is in the store.
struct LiveReports {
  /// An event, ready to be sent.
  enum News: Equatable {
    case partial(Data)
    case level(Data)
    case notice(Data)
  }

  /// How grave a notice is.
  enum Gravity: String { case warning, error }

  /// Seconds between two levels.
  private static let pace = 0.1

  private let duration: @Sendable () -> TimeInterval
  private var heard = 0.0
  private var lastLevel = -Double.infinity
  private var isDiskFailing = false

  init(_ session: LiveSession) { self.init { session.duration } }

  /// - Parameter duration: seconds that are on the disk.
  init(duration: @escaping @Sendable () -> TimeInterval) { self.duration = duration }

  /// What is to be told of an event.
  /// - Parameter now: seconds that only grow.
  mutating func take(_ event: SessionEvent, now: TimeInterval) -> [News] {
    switch event {
    case .recording(let event): return take(event, now)
    case .partial(let partial):
      let members: [(key: String, value: JSONValue)] =
        partial.map {
          [("start", .seconds($0.start)), ("text", .string($0.text))]
        } ?? [("text", .string(""))]
      return [.partial(ServerSentEvent.data("partial", .object(members)))]
    case .committed, .restarted: return []
    case .progress(let seconds):
      heard = max(heard, seconds)
      // Paused, or after the end, nobody tells how loud it is.
      return now - lastLevel >= 3 * Self.pace ? level(-.infinity, now) : []
    case .failed(let stretch, let why):
      let (start, end) = (Int(stretch.lowerBound), Int(stretch.upperBound.rounded(.up)))
      return tell(.error, "the recognizer failed from second \(start) to \(end): \(why)")
    case .storeFailed(let why):
      return tell(.error, "\(why); what was said waits in memory, and the recording goes on")
    case .storeBack: return tell(.warning, "the library takes everything again")
    case .transcriptionFailed(let why):
      return tell(.error, "\(why); the recording goes on, and 'longhand recover' writes it down later")
    }
  }

  private mutating func take(_ event: RecordingEvent, _ now: TimeInterval) -> [News] {
    switch event {
    case .level(let level):
      return now - lastLevel >= Self.pace ? self.level(level, now) : []
    case .noiseFloor(let level) where level > -40:
      return tell(
        .warning, "the room is loud (\(Int(level)) dBFS): words may be missed; move the microphone closer")
    case .sourceLost(let why):
      return tell(.error, "\(why); it is tried again, and what is missed is noted as a gap")
    case .sourceBack: return tell(.warning, "there is sound again")
    case .diskFailed(let why, let seconds):
      guard !isDiskFailing else { return [] }
      isDiskFailing = true
      return tell(.error, "\(why); memory holds the next \(Int(seconds)) seconds: make room")
    case .diskBack:
      isDiskFailing = false
      return tell(.warning, "the disk took everything")
    case .littleSpace(let seconds):
      return tell(.warning, "the disk has room for \(Int(seconds / 60)) more minutes")
    case .durable, .noiseFloor, .sourceEnded: return []
    }
  }

  private mutating func level(_ decibels: Double, _ now: TimeInterval) -> [News] {
    lastLevel = now
    let value = JSONValue.object([
      ("dBFS", .decibels(decibels)), ("recorded", .seconds(duration())), ("transcribed", .seconds(heard)),
    ])
    return [.level(ServerSentEvent.data("level", value))]
  }

  private func tell(_ gravity: Gravity, _ text: String) -> [News] { [.notice(Self.notice(gravity, text))] }

  /// A notice.
  static func notice(_ gravity: Gravity, _ text: String) -> Data {
    ServerSentEvent.data(
      "notice", .object([("kind", .string(gravity.rawValue)), ("text", .string(text))]))
  }
}
