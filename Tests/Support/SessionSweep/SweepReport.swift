import Foundation
import Longhand

/// The result of a seed, as a line of JSON.
struct SweepReport: Sendable, Codable {
  var seed: UInt64
  var engine: String
  /// The duration of the run, in seconds.
  var took = 0.0
  /// The duration of the speech, in seconds.
  var duration: TimeInterval
  var words: Int
  var segments = 0
  var restarts = 0
  var failures = 0
  /// The error that ended the engine before the recording was recovered.
  var gaveUp: String?
  var recoveries = 0
  /// The seconds of each kind of coverage.
  var coverage = Coverage()
  var taskLength: String
  /// The faults of the microphone.
  var losses: [String]
  /// The faults of the services.
  var incidents: [String] = []
  /// The problems found; empty if the seed passed.
  var problems: [String] = []

  init(seed: UInt64, engine: String, _ schedule: SweepSchedule) {
    self.seed = seed
    self.engine = engine
    duration = schedule.talk.duration
    words = schedule.talk.words.count
    taskLength = "\(schedule.taskLength)"
    losses = schedule.losses.map { "\($0)" }
  }

  mutating func take(_ events: SweepEvents) { (restarts, failures) = (events.restarts, events.failures) }

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

/// The events of a session.
struct SweepEvents: Sendable {
  var committed: [Segment] = []
  /// The number of ranges that could not be recognized.
  var failures = 0
  /// The number of restarts of the recognizer.
  var restarts = 0
  /// Writes the text in sentences.
  private var writer = SentenceWriter(locale: "en-US")
  /// The rows of a view that followed the session.
  var shown: [String] = []
  /// The texts in sentences, as they were shown during the recording.
  private(set) var written: [String] = []

  mutating func take(_ event: SessionEvent) {
    switch event {
    case .committed(let segment):
      committed.append(segment)
      written += writer.append(segment).map(\.text)
    case .failed: failures += 1
    case .restarted: restarts += 1
    default: break
    }
  }
}
