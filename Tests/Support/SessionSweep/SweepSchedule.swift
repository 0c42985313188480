import Foundation
import Longhand
import LonghandTesting

/// All that a seed determines: what is said, how it is recorded, and what goes wrong when.
struct SweepSchedule: Sendable {
  /// What becomes of the microphone.
  enum Loss: Sendable, Hashable {
    /// It breaks, and cannot be opened so many times.
    case failure(refusals: Int)
    /// So many frames are lost on the way. Some sound comes after them: of what is lost less than `CaptureMonitor`'s
    /// patience before the end nobody can know.
    case overrun(Int)
  }

  /// What happens at a place of the talk, in frames.
  enum Step: Sendable, Hashable {
    /// This is spoken.
    case speak(Range<Int>)
    case lose(Loss)
    /// What was captured is made durable.
    case flush
    /// Nothing happens for so many seconds.
    case wait(TimeInterval)
  }

  let talk: SweepTalk
  let script: SpeechScript
  let steps: [Step]
  /// Seconds that the speech framework waits for a service.
  static let servicePatience = 1.0
  /// Whether the engine tells what may still change.
  let reportsPartials: Bool
  /// Seconds that a rolling engine waits for a task.
  let patience: TimeInterval
  /// Seconds of sound of a rolling engine's tasks.
  let taskLength: ClosedRange<TimeInterval>

  /// - Parameter fault: a defect that needs something to hide.
  init(seed: UInt64, fault: SweepFault?) {
    var generator = SeededGenerator(seed: seed, part: 1)
    talk = SweepTalk(using: &generator)
    script = Self.script(seed: seed, fault: fault)
    reportsPartials = Bool.random(using: &generator)
    patience = Bool.random(using: &generator) ? 2.5 : 4
    let lengths: [ClosedRange<TimeInterval>] = [45...55, 4...6, 9...10, 2...4]
    taskLength = lengths[Int.random(in: lengths.indices, using: &generator)]
    steps = Self.steps(of: talk.samples.count, using: &generator)
  }

  /// What the services do wrong.
  static func script(seed: UInt64, fault: SweepFault?) -> SpeechScript {
    if fault == .hush { return SpeechScript(faults: [2: [.failed(reason: "r")]], isHopeless: true) }
    var generator = SeededGenerator(seed: seed, part: 2)
    let rates = [0, 0.15, 0.3, 0.5]
    let rate = rates[Int.random(in: rates.indices, using: &generator)]
    guard Int.random(in: 0..<5, using: &generator) == 0 else { return .random(seed: seed, faultRate: rate) }
    // Pieces that nobody can hear; and sometimes everything ends in the middle of that.
    var script = SpeechScript.random(seed: seed, faultRate: 0.2, kinds: [.failed, .deathBeforeAnswer])
    script.isHopeless = true
    script.unavailableConfigurations = [Int.random(in: 1...12, using: &generator)]
    return script
  }

  var losses: [Loss] {
    steps.compactMap { if case .lose(let loss) = $0 { loss } else { nil } }
  }

  private static func steps(of count: Int, using generator: inout some RandomNumberGenerator) -> [Step] {
    var losses: [Int: Loss] = [:]
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      let place = Int.random(in: 0..<count, using: &generator)
      losses[place] =
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: .failure(refusals: 0)
        case 1: .failure(refusals: Int.random(in: 1...4, using: &generator))
        default: .overrun(Int.random(in: 80...48_000, using: &generator))
        }
    }
    // Times as fast as it would be spoken.
    let speed = Double.random(in: 20...80, using: &generator)
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
      var end = min(count, place + Int.random(in: 400...8000, using: &generator))
      for other in losses.keys where place < other { end = min(end, other) }
      steps.append(.speak(place..<end))
      steps.append(.wait(Double(end - place) / Double(SpokenTones.sampleRate) / speed))
      if Int.random(in: 0..<3, using: &generator) == 0 { steps.append(.flush) }
      place = end
    }
    return steps
  }
}
