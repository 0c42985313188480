import Foundation
import Longhand

/// What came of a seed: a line of JSON.
struct SweepReport: Sendable, Codable {
  var seed: UInt64
  var engine: String
  /// Seconds that it took.
  var took = 0.0
  /// Seconds that were spoken.
  var duration: TimeInterval
  var words: Int
  var segments = 0
  var restarts = 0
  var failures = 0
  /// What the engine gave up of, before the recording was taken up again.
  var gaveUp: String?
  var recoveries = 0
  /// Seconds of each kind.
  var coverage = Coverage()
  var taskLength: String
  /// What was done to the microphone.
  var losses: [String]
  /// What the services did wrong.
  var incidents: [String] = []
  /// What is wrong; nothing if all is well.
  var problems: [String] = []

  init(seed: UInt64, engine: String, _ schedule: SweepSchedule) {
    self.seed = seed
    self.engine = engine
    duration = schedule.talk.duration
    words = schedule.talk.words.count
    taskLength = "\(schedule.taskLength)"
    losses = schedule.losses.map { "\($0)" }
  }

  mutating func take(_ told: SweepTold) { (restarts, failures) = (told.restarts, told.failures) }

  mutating func take(_ stored: SweepStored, _ check: SweepCheck) {
    segments = stored.segments.count
    coverage = Coverage(stored.spans)
    problems += check.problems
  }

  var line: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "\(self)"
  }
}

/// What a session told.
struct SweepTold: Sendable {
  var committed: [Segment] = []
  /// Stretches that were given up.
  var failures = 0
  /// How often the recognizer began again.
  var restarts = 0

  mutating func take(_ event: SessionEvent) {
    switch event {
    case .committed(let segment): committed.append(segment)
    case .failed: failures += 1
    case .restarted: restarts += 1
    default: break
    }
  }
}
