import Foundation
import Longhand
import ScriptedSpeech

/// Everything that a seed determines: the speech, the recording, and the faults with their times.
struct SweepSchedule: Sendable {
  /// A fault of the microphone.
  enum Loss: Sendable, Hashable {
    /// It fails, and this many attempts to open it fail too.
    case failure(refusals: Int)
    /// This many frames are lost. Some audio follows them, because a loss at the very end cannot be detected.
    case overrun(Int)
  }

  /// An event at a position of the talk, in frames.
  enum Step: Sendable, Hashable {
    /// Speak these samples.
    case speak(Range<Int>)
    case lose(Loss)
    /// Make the captured audio durable.
    case flush
    /// Wait for this many seconds.
    case wait(TimeInterval)
  }

  let talk: SweepTalk
  let script: SpeechScript
  let steps: [Step]
  /// The time that the speech framework waits for a service, in seconds.
  static let servicePatience = 1.0
  /// Whether the engine reports partial text.
  let reportsPartials: Bool
  /// The time that a rolling engine waits for a task, in seconds.
  let patience: TimeInterval
  /// The seconds of audio of a rolling engine's tasks.
  let taskLength: ClosedRange<TimeInterval>

  /// - Parameter fault: a defect, for which the schedule may need a certain fault.
  init(seed: UInt64, fault: SweepFault?) {
    var generator = SeededGenerator(seed: seed, part: 1)
    talk = SweepTalk(using: &generator)
    script = Self.script(seed: seed, fault: fault)
    reportsPartials = Bool.random(using: &generator)
    patience = Bool.random(using: &generator) ? 2.5 : 4
    let lengths: [ClosedRange<TimeInterval>] = [45...55, 4...6, 9...10, 2...4]
    taskLength = lengths[Int.random(in: lengths.indices, using: &generator)]
    let losses = Int.random(in: 0...3, using: &generator)
    steps = Self.steps(
      of: talk.samples.count, losses: losses, blocks: 400...8000, speed: 20...80, using: &generator)
  }

  /// A long talk, recorded hundreds of times as fast as it is spoken. About every five minutes audio is lost, and one
  /// utterance in twenty makes the recognizer fail.
  init(length: TimeInterval, seed: UInt64) {
    var generator = SeededGenerator(seed: seed, part: 1)
    talk = SweepTalk(length: length, using: &generator)
    script = Self.longScript(seed: seed)
    (reportsPartials, patience, taskLength) = (false, 60, 45...55)
    steps = Self.steps(
      of: talk.samples.count, losses: Int(length / 300), blocks: 8000...80_000, speed: 300...300,
      using: &generator)
  }

  /// The script of the services for a long talk.
  static func longScript(seed: UInt64) -> SpeechScript {
    // A configuration that is unavailable would end the session, which then continues only when it is recovered.
    .random(seed: seed, faultRate: 0.05, kinds: SpeechScript.Kind.allCases.filter { $0 != .unavailable })
  }

  /// The script of the services.
  static func script(seed: UInt64, fault: SweepFault?) -> SpeechScript {
    if fault == .hush { return SpeechScript(faults: [2: [.failed(reason: "r")]], isHopeless: true) }
    var generator = SeededGenerator(seed: seed, part: 2)
    let rates = [0, 0.15, 0.3, 0.5]
    let rate = rates[Int.random(in: rates.indices, using: &generator)]
    guard Int.random(in: 0..<5, using: &generator) == 0 else { return .random(seed: seed, faultRate: rate) }
    // Utterances during a loss; sometimes the talk ends in the middle of one.
    var script = SpeechScript.random(seed: seed, faultRate: 0.2, kinds: [.failed, .deathBeforeAnswer])
    script.isHopeless = true
    script.unavailableConfigurations = [Int.random(in: 1...12, using: &generator)]
    return script
  }

  var losses: [Loss] {
    steps.compactMap { if case .lose(let loss) = $0 { loss } else { nil } }
  }

  /// - Parameters:
  ///   - count: the frames of the talk.
  ///   - lossCount: how often audio is lost.
  ///   - blocks: the frames that are spoken at a time.
  ///   - speed: times as fast as it would be spoken.
  private static func steps(
    of count: Int, losses lossCount: Int, blocks: ClosedRange<Int>, speed: ClosedRange<Double>,
    using generator: inout some RandomNumberGenerator
  ) -> [Step] {
    var losses: [Int: Loss] = [:]
    for _ in 0..<lossCount {
      let place = Int.random(in: 0..<count, using: &generator)
      losses[place] =
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: .failure(refusals: 0)
        case 1: .failure(refusals: Int.random(in: 1...4, using: &generator))
        default: .overrun(Int.random(in: 80...48_000, using: &generator))
        }
    }
    let speed = Double.random(in: speed, using: &generator)
    var steps: [Step] = []
    var place = 0
    while place < count {
      if let loss = losses.removeValue(forKey: place) {
        guard case .overrun(let frames) = loss else {
          steps.append(.lose(loss))
          continue
        }
        let most = min(frames, count - place - 1)
        if most > 0 { steps.append(.lose(.overrun(most))) }
        place += most
        continue
      }
      var end = min(count, place + Int.random(in: blocks, using: &generator))
      for other in losses.keys where place < other { end = min(end, other) }
      steps.append(.speak(place..<end))
      steps.append(.wait(Double(end - place) / Double(SpokenTones.sampleRate) / speed))
      if Int.random(in: 0..<3, using: &generator) == 0 { steps.append(.flush) }
      place = end
    }
    return steps
  }
}
