import Foundation

@testable import LonghandTranscription

/// Drives a `RollingStateMachine` through random speech with a recognizer that pauses, fails, stalls and ends at random, and
/// collects problems.
struct RollingRehearsal {
  private struct Running {
    /// Tenths of a second: the first one, and the ones after the last that it was given and that it has recognized.
    let first: Int
    var fed: Int
    var recognized: Int
    var isEnded = false
    var isStalled = false
  }

  /// The problems found.
  private(set) var problems: Set<String> = []

  private var random: SeededGenerator
  /// The words as ranges of tenths of a second, in order.
  private var words: [Range<Int>] = []
  private let length: Int
  private var machine: RollingStateMachine
  private var task: Running?
  private var reportedWords: Set<Range<Int>> = []
  private var given: Set<Int> = []
  private var failed: [ClosedRange<TimeInterval>] = []
  private var processed = 0.0
  private var now = 0.0
  private var isOver = false
  private var hasGivenUp = false
  /// The probability of each fault in a step of a tenth of a second.
  private let trouble: Double

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    length = Int.random(in: 300...2500, using: &random)
    trouble = [0, 0.002, 0.02, 0.2][Int(seed % 4)]
    var place = Int.random(in: 0...100, using: &random)
    // Some speakers make no pauses, some speak rarely.
    let talks = [0.02, 0.1, 0.001].randomElement(using: &random) ?? 0.1
    while place < length - 5 {
      let end = place + Int.random(in: 2...4, using: &random)
      words.append(place..<end)
      place =
        end + (Double.random(in: 0..<1, using: &random) < 0.3 ? Int.random(in: 1...3, using: &random) : 0)
      if Double.random(in: 0..<1, using: &random) < talks {
        place += Int.random(in: 5...600, using: &random)
      }
    }
    machine = RollingStateMachine(start: 0, now: 0)
  }

  mutating func run() {
    for _ in 0..<400_000 where !isOver {
      now += 0.1
      perform(machine.tick(now: now))
      feed()
      recognize()
    }
    if !isOver { problems.insert("it did not end") }
    check(through: hasGivenUp ? processed : Double(length) / 10)
  }

  private mutating func perform(_ actions: [RollingStateMachine.Action]) {
    for action in actions {
      if isOver { problems.insert("after the end: \(action)") }
      switch action {
      case .begin(let time):
        if task != nil { problems.insert("two tasks at once") }
        let tenth = Int((time * 10).rounded())
        task = Running(first: tenth, fed: tenth, recognized: tenth)
      case .endAudio: task?.isEnded = true
      case .cancel:
        if task == nil { problems.insert("nothing to cancel") }
        task = nil
      case .processed(let time):
        if time < processed { problems.insert("processed went back to \(time)") }
        processed = time
        check(through: time)
      case .failed(let stretch, _): failed.append(stretch)
      case .finish, .giveUp:
        isOver = true
        if case .giveUp = action { hasGivenUp = true }
      case .restarted, .seam: break
      }
    }
  }

  /// Gives the task audio, faster than real time.
  private mutating func feed() {
    for _ in 0..<Int.random(in: 0...30, using: &random) where machine.takesAudio {
      guard let tenth = task?.fed else {
        problems.insert("there is no task for the audio")
        return
      }
      guard tenth < length else { return perform(machine.audioEnded(now: now)) }
      task?.fed += 1
      given.insert(tenth)
      let last = words.last { $0.lowerBound <= tenth }
      let quiet = last.map { max(0, tenth + 1 - $0.upperBound) } ?? tenth + 1
      perform(
        machine.took(
          through: Double(tenth + 1) / 10, hasSound: last?.contains(tenth) ?? false,
          quiet: Double(quiet) / 10, now: now))
    }
  }

  private mutating func recognize() {
    guard var running = task, !running.isStalled else { return }
    if Double.random(in: 0..<1, using: &random) < trouble {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        task = nil
        perform(machine.ended(.failed("it broke"), now: now))
      case 1: task?.isStalled = true
      case 2 where !running.isEnded:
        // Audio that it has not recognized yet is lost.
        task = nil
        perform(machine.ended(.finished, now: now))
      default: machine.progressed(now: now)
      }
      return
    }
    let next = min(running.fed, running.recognized + Int.random(in: 0...40, using: &random))
    for word in words where word.lowerBound >= running.first && word.upperBound <= next {
      guard word.upperBound > running.recognized else { continue }
      reportedWords.insert(word)
      machine.reported(through: Double(word.upperBound) / 10, now: now)
    }
    running.recognized = next
    task = running
    guard running.isEnded, running.recognized == running.fed else { return }
    task = nil
    perform(machine.ended(.finished, now: now))
  }

  /// Checks that all audio before a time was given to a task or failed, and that every word was reported.
  private mutating func check(through time: TimeInterval) {
    let end = Int((time * 10).rounded())
    let isFailed = { [failed] (tenth: Int) in
      failed.contains { $0.contains(Double(tenth) / 10 + 0.05) }
    }
    if let tenth = (0..<end).first(where: { !given.contains($0) && !isFailed($0) }) {
      problems.insert("no task was given \(Double(tenth) / 10)")
    }
    let lost = words.first { word in
      word.upperBound <= end && !reportedWords.contains(word) && !word.contains(where: isFailed)
    }
    if let lost { problems.insert("no final has the word at \(Double(lost.lowerBound) / 10)") }
  }
}
