import Foundation

/// When one recognition task ends and the next begins: a pure state machine, one task at a time. Sound is never left
/// out: where one task stopped hearing, the next begins, or a little before.
///
/// Times of the recording are seconds from its start; `now` is a clock that only grows.
struct RollingStateMachine: Sendable {
  /// How long things may take, in seconds.
  struct Limits: Sendable, Hashable {
    /// Quiet after speech that ends a task.
    var pause = 0.5
    /// Sound of a task after which any quiet ends it, and after which it ends anyway: a framework may stop listening
    /// after a minute.
    var length = 45.0...55.0
    /// Sound that is heard twice where a task ended without a pause.
    var overlap = 0.5
    /// By how much sound may last longer than the word that it is.
    var tolerance = 0.15
    /// Without any sign of life while there is speech.
    var stall = 20.0
    /// From the end of a task's sound to its last word.
    var drain = 90.0
    /// After the first failure; twice as long after each further one.
    var backoff = 0.5
    /// How often the same sound is tried.
    var attempts = 3
    /// How many tasks may fail in a row before no more is tried.
    var failures = 9
  }

  /// How a task ended.
  enum End: Sendable, Equatable {
    /// It told all that it heard.
    case finished
    /// It says that there was nothing to hear.
    case nothingSaid
    /// It failed, and another may not.
    case failed(String)
    /// No other would do better.
    case hopeless(String)
  }

  /// What is to be done.
  enum Action: Sendable, Equatable {
    /// A task begins with the sound of this time.
    case begin(at: TimeInterval)
    /// The task gets no more sound.
    case endSound
    /// The task is not wanted any more.
    case cancel
    /// What the task tells from now on will be heard again in part by the next, in this stretch.
    case seam(ClosedRange<TimeInterval>)
    /// Everything before this time was told.
    case processed(TimeInterval)
    /// A task began again, or the next one took its place early.
    case restarted(TimeInterval, String)
    /// This stretch cannot be recognized.
    case failed(ClosedRange<TimeInterval>, String)
    /// All was heard.
    case finish
    /// No more can be heard.
    case giveUp(String)
  }

  private struct Task: Equatable {
    /// Where its sound begins.
    var start: TimeInterval
    /// Where what it told ends.
    var told: TimeInterval
    /// Where the sound ends that it was given.
    var fed: TimeInterval
    /// How often this sound was tried before.
    var attempt: Int
    /// Where the last speech in it ends; nil if there was none.
    var spoken: TimeInterval?
    /// When it was given speech that it has said nothing of; nil if there is none.
    var waitingSince: TimeInterval?
    /// Whether it is quiet at the end of the sound.
    var isQuiet = true

    /// Whether nothing was said after what it told, as far as can be known from without.
    func hasToldAll(but tolerance: TimeInterval) -> Bool {
      isQuiet && (spoken.map { told > max(start, $0 - tolerance) } ?? true)
    }
  }

  private enum State: Equatable {
    case waiting(at: TimeInterval, attempt: Int, until: TimeInterval)
    case listening(Task)
    /// No more sound; `next` is where the next task begins, nil if there is none.
    case draining(Task, next: TimeInterval?, since: TimeInterval)
    case over
  }

  private let limits: Limits
  private var state: State
  /// Tasks that failed since one did not.
  private var failures = 0
  /// The farthest that a task was given sound.
  private var reached: TimeInterval
  /// From where on a task said that there was nothing to hear, and there was sound.
  private var unheard: TimeInterval?

  /// A machine that begins at a time of the recording.
  init(start: TimeInterval, limits: Limits = Limits(), now: TimeInterval) {
    self.limits = limits
    reached = start
    state = .waiting(at: start, attempt: 0, until: now)
  }

  /// Whether the task takes sound.
  var isListening: Bool { if case .listening = state { true } else { false } }

  /// Time went by.
  mutating func tick(now: TimeInterval) -> [Action] {
    switch state {
    case .waiting(let place, let attempt, let until) where now >= until:
      state = .listening(Task(start: place, told: place, fed: place, attempt: attempt))
      return [.begin(at: place)]
    case .listening(let task):
      guard let since = task.waitingSince, now - since > limits.stall else { return [] }
      return [.cancel] + failed(task, "no word of what is said", now: now)
    case .draining(let task, _, let since):
      guard now - since > limits.drain else { return [] }
      return [.cancel] + failed(task, "it did not end", now: now)
    case .waiting, .over: return []
    }
  }

  /// The task was given sound.
  /// - Parameters:
  ///   - end: where it ends.
  ///   - hasSound: whether there is more than the quiet of the room in it.
  ///   - quiet: seconds of quiet at its end.
  mutating func took(
    through end: TimeInterval, hasSound: Bool, quiet: TimeInterval, now: TimeInterval
  ) -> [Action] {
    guard case .listening(var task) = state else { return [] }
    task.fed = end
    reached = max(reached, end)
    task.isQuiet = quiet > 0
    if hasSound {
      task.spoken = end - quiet
      task.waitingSince = task.waitingSince ?? now
    }
    let length = end - task.start
    if task.spoken != nil && quiet >= limits.pause || length >= limits.length.lowerBound && quiet > 0 {
      state = .draining(task, next: end, since: now)
      return [.endSound]
    }
    if length >= limits.length.upperBound {
      state = .draining(task, next: end - limits.overlap, since: now)
      return [.endSound, .seam(end - limits.overlap...end)]
    }
    state = .listening(task)
    return []
  }

  /// There is no more sound.
  mutating func soundEnded(now: TimeInterval) -> [Action] {
    guard case .listening(let task) = state else { return [] }
    state = .draining(task, next: nil, since: now)
    return [.endSound]
  }

  /// The task is alive: it has heard something, or come further.
  mutating func news(now: TimeInterval) {
    switch state {
    case .listening(var task):
      task.waitingSince = nil
      state = .listening(task)
    case .draining(let task, let next, _):
      state = .draining(task, next: next, since: now)
    case .waiting, .over: break
    }
  }

  /// The task told what was said up to a time.
  mutating func told(through end: TimeInterval, now: TimeInterval) {
    failures = 0
    switch state {
    case .listening(var task):
      // A recognizer's times may reach beyond the sound.
      task.told = max(task.told, min(end, task.fed))
      task.waitingSince = nil
      state = .listening(task)
    case .draining(var task, let next, _):
      task.told = max(task.told, min(end, task.fed))
      state = .draining(task, next: next, since: now)
    case .waiting, .over: break
    }
  }

  /// The task has ended.
  mutating func ended(_ end: End, now: TimeInterval) -> [Action] {
    switch (state, end) {
    case (.waiting, _), (.over, _): return []
    case (_, .hopeless(let why)):
      state = .over
      return [.giveUp(why)]
    case (.listening(let task), .nothingSaid), (.draining(let task, _, _), .nothingSaid):
      // Of sound that is believed when it is said twice.
      guard task.spoken != nil, unheard != task.told else { return ended(.finished, now: now) }
      unheard = task.told
      state = .waiting(at: task.told, attempt: task.attempt, until: now)
      return tick(now: now)
    case (.draining(let task, let next, _), .finished):
      failures = 0
      guard let next else {
        state = .over
        return [.processed(task.fed), .finish]
      }
      state = .waiting(at: next, attempt: 0, until: now)
      return [.processed(next)] + tick(now: now)
    case (.listening(let task), .finished):
      // It ended by itself, perhaps before it heard all that it was given. Each further one must come further.
      let why = "it ended by itself"
      if task.hasToldAll(but: limits.tolerance), task.fed > task.start {
        failures = 0
        state = .waiting(at: task.fed, attempt: 0, until: now)
        return [.restarted(task.fed, why), .processed(task.fed)] + tick(now: now)
      }
      let next = task.told - limits.overlap
      guard next > task.start else { return failed(task, why, now: now) }
      state = .waiting(at: next, attempt: 0, until: now)
      return [.restarted(next, why)] + tick(now: now)
    case (.listening(let task), .failed(let why)), (.draining(let task, _, _), .failed(let why)):
      return failed(task, why, now: now)
    }
  }

  /// A task failed: its sound is tried again from where it told the last, and left behind after some attempts.
  private mutating func failed(_ task: Task, _ why: String, now: TimeInterval) -> [Action] {
    failures += 1
    guard failures <= limits.failures else {
      state = .over
      return [.giveUp(why)]
    }
    let attempt = task.told > task.start ? 1 : task.attempt + 1
    let delay = limits.backoff * pow(2, Double(min(failures, 8) - 1))
    guard attempt >= limits.attempts, reached > task.told else {
      state = .waiting(at: task.told, attempt: attempt, until: now + delay)
      return [.restarted(task.told, why)]
    }
    state = .waiting(at: reached, attempt: 0, until: now + delay)
    return [.failed(task.told...reached, why), .processed(reached)]
  }
}
