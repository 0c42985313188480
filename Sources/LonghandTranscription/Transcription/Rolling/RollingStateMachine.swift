import Foundation
import LonghandTranscripts

/// Decides when one recognition task ends and the next begins: a pure state machine, one task at a time. No audio is
/// skipped: the next task begins at the end of the one before, or a little earlier.
///
/// Times of the audio are seconds from its start; `now` is a clock that only grows.
struct RollingStateMachine: Sendable {
  /// How long things may take, in seconds.
  struct Limits: Sendable, Hashable {
    /// Quiet after speech that ends a task.
    var pause = 0.5
    /// Length of a task's audio after which any quiet ends it, and after which it ends anyway: a framework may end a task
    /// after a minute.
    var length = 45.0...55.0
    /// Audio that two tasks get where the first one ended without a pause.
    var overlap = 0.5
    /// By how much speech may last longer than the word recognized from it.
    var tolerance = 0.15
    /// The longest time without any result while there is speech.
    var stall = 20.0
    /// The longest time from the end of a task's audio to its last word.
    var drain = 90.0
    /// The delay after the first failure; twice as long after each further one.
    var backoff = 0.5
    /// How often the same audio is tried.
    var attempts = 3
    /// How many tasks may fail in a row before the work ends.
    var failures = 9
  }

  /// How a task ended.
  enum End: Sendable, Equatable {
    /// It reported everything.
    case finished
    /// It reported that there was no speech.
    case noSpeech
    /// It failed; another one may succeed.
    case failed(String, RecognizerFailure.Reaction = .backOff, isOnDevice: Bool = true)
    /// It reported everything but these ranges of the audio.
    case incomplete([ClosedRange<TimeInterval>], String)
    /// It failed, and every other one would.
    case failedForGood(TranscriptionError)
  }

  /// What the session has to do.
  enum Action: Sendable, Equatable {
    /// Start a task with the audio from this time on.
    case begin(at: TimeInterval)
    /// Give the task no more audio.
    case endAudio
    /// Cancel the task.
    case cancel
    /// The next task recognizes this range again.
    case seam(ClosedRange<TimeInterval>)
    /// Everything before this time was reported.
    case processed(TimeInterval)
    /// A task was started again, or the next one took over early.
    case restarted(TimeInterval, String)
    /// This range cannot be recognized.
    case failed(ClosedRange<TimeInterval>, String)
    /// Everything is done.
    case finish
    /// The work cannot continue.
    case giveUp(TranscriptionError)
  }

  private struct Task: Equatable {
    /// Where its audio begins.
    var start: TimeInterval
    /// Where its last final ends.
    var reported: TimeInterval
    /// Where the audio ends that it was given.
    var fed: TimeInterval
    /// How often this audio was tried before.
    var attempt: Int
    /// Where the last speech in it ends; nil if there was none.
    var spoken: TimeInterval?
    /// Since when it has speech that it has not reported anything of; nil if there is none.
    var waitingSince: TimeInterval?
    /// Whether it is quiet at the end of the audio.
    var isQuiet = true

    /// Whether it got audio, and no sound in it.
    var isSilent: Bool { spoken == nil && fed > start }

    /// Whether nothing was said after its last final, judged by the level alone.
    func hasReportedAll(but tolerance: TimeInterval) -> Bool {
      isQuiet && (spoken.map { reported > max(start, $0 - tolerance) } ?? true)
    }
  }

  private enum State: Equatable {
    case waiting(at: TimeInterval, attempt: Int, until: TimeInterval)
    case feeding(Task)
    /// The task gets no more audio; `next` is where the next task begins, nil if there is none.
    case draining(Task, next: TimeInterval?, since: TimeInterval)
    case over
  }

  private let limits: Limits
  private var state: State
  /// Tasks that failed since one did not.
  private var failures = 0
  /// The end of the audio that any task was given.
  private var reached: TimeInterval
  /// The start of audio with sound for which a task reported no speech.
  private var doubted: TimeInterval?

  /// A machine that begins at a time of the audio.
  init(start: TimeInterval, limits: Limits = Limits(), now: TimeInterval) {
    self.limits = limits
    reached = start
    state = .waiting(at: start, attempt: 0, until: now)
  }

  /// Whether the task takes audio.
  var takesAudio: Bool { if case .feeding = state { true } else { false } }

  /// Time has passed.
  mutating func tick(now: TimeInterval) -> [Action] {
    switch state {
    case .waiting(let start, let attempt, let until) where now >= until:
      state = .feeding(Task(start: start, reported: start, fed: start, attempt: attempt))
      return [.begin(at: start)]
    case .feeding(let task):
      guard let since = task.waitingSince, now - since > limits.stall else { return [] }
      return [.cancel] + failed(task, "no result although there is speech", now: now)
    case .draining(let task, _, let since):
      guard now - since > limits.drain else { return [] }
      return [.cancel] + failed(task, "it did not end", now: now)
    case .waiting, .over: return []
    }
  }

  /// The task was given audio.
  /// - Parameters:
  ///   - end: where it ends.
  ///   - hasSound: whether any of it is louder than the room.
  ///   - quiet: seconds of quiet at its end.
  mutating func took(
    through end: TimeInterval, hasSound: Bool, quiet: TimeInterval, now: TimeInterval
  ) -> [Action] {
    guard case .feeding(var task) = state else { return [] }
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
      return [.endAudio]
    }
    if length >= limits.length.upperBound {
      state = .draining(task, next: end - limits.overlap, since: now)
      return [.endAudio, .seam(end - limits.overlap...end)]
    }
    state = .feeding(task)
    return []
  }

  /// There is no more audio.
  mutating func audioEnded(now: TimeInterval) -> [Action] {
    guard case .feeding(let task) = state else { return [] }
    state = .draining(task, next: nil, since: now)
    return [.endAudio]
  }

  /// The task is alive: it has recognized something, or come further.
  mutating func progressed(now: TimeInterval) {
    switch state {
    case .feeding(var task):
      task.waitingSince = nil
      state = .feeding(task)
    case .draining(let task, let next, _):
      state = .draining(task, next: next, since: now)
    case .waiting, .over: break
    }
  }

  /// The task reported what was said up to a time.
  mutating func reported(through end: TimeInterval, now: TimeInterval) {
    failures = 0
    switch state {
    case .feeding(var task):
      // A recognizer's times may reach beyond the audio.
      task.reported = max(task.reported, min(end, task.fed))
      task.waitingSince = nil
      state = .feeding(task)
    case .draining(var task, let next, _):
      task.reported = max(task.reported, min(end, task.fed))
      state = .draining(task, next: next, since: now)
    case .waiting, .over: break
    }
  }

  /// The task has ended.
  mutating func ended(_ end: End, now: TimeInterval) -> [Action] {
    switch (state, end) {
    case (.waiting, _), (.over, _): return []
    case (_, .failedForGood(let error)):
      state = .over
      return [.giveUp(error)]
    case (.feeding(let task), .noSpeech), (.draining(let task, _, _), .noSpeech):
      // If there was sound, two tasks in a row must report that there was no speech.
      guard task.spoken != nil, doubted != task.reported else { return ended(.finished, now: now) }
      doubted = task.reported
      state = .waiting(at: task.reported, attempt: task.attempt, until: now)
      return tick(now: now)
    case (.draining(let task, let next, _), .finished):
      failures = 0
      guard let next else {
        state = .over
        return [.processed(task.fed), .finish]
      }
      state = .waiting(at: next, attempt: 0, until: now)
      return [.processed(next)] + tick(now: now)
    case (.feeding(let task), .finished):
      // It ended by itself, perhaps before it processed all its audio. Each further one must come further.
      let why = "it ended by itself"
      if task.hasReportedAll(but: limits.tolerance), task.fed > task.start {
        failures = 0
        state = .waiting(at: task.fed, attempt: 0, until: now)
        return [.restarted(task.fed, why), .processed(task.fed)] + tick(now: now)
      }
      let next = task.reported - limits.overlap
      guard next > task.start else { return failed(task, why, now: now) }
      state = .waiting(at: next, attempt: 0, until: now)
      return [.restarted(next, why)] + tick(now: now)
    case (.feeding(let task), .incomplete(let ranges, let why)),
      (.draining(let task, _, _), .incomplete(let ranges, let why)):
      // Words behind a range were reported already, so that words in it would come too late.
      let late = ranges.filter { $0.upperBound <= task.reported }
      if late.count < ranges.count, attempt(after: task) < limits.attempts {
        return late.map { .failed($0, why) } + failed(task, why, now: now)
      }
      return ranges.map { .failed($0, why) } + ended(.finished, now: now)
    case (.feeding(let task), .failed(_, .checkInput, _)) where task.isSilent,
      (.draining(let task, _, _), .failed(_, .checkInput, _)) where task.isSilent:
      return ended(.noSpeech, now: now)
    case (.feeding(let task), .failed(let why, let reaction, let isOnDevice)),
      (.draining(let task, _, _), .failed(let why, let reaction, let isOnDevice)):
      let others = reaction == .cancelAll ? [Action.cancel] : []
      return others + failed(task, why, reaction, isOnDevice: isOnDevice, now: now)
    }
  }

  /// A task failed: its audio is tried again from its last final on, and given up after some attempts.
  private mutating func failed(
    _ task: Task, _ why: String, _ reaction: RecognizerFailure.Reaction = .backOff, isOnDevice: Bool = true,
    now: TimeInterval
  ) -> [Action] {
    failures += 1
    guard failures <= limits.failures else {
      state = .over
      return [.giveUp(.recognizerFailed(why))]
    }
    let isFault = reaction != .useDevice
    let attempt = attempt(after: task) - (isFault ? 0 : 1)
    let delay = reaction.delay(after: failures, backoff: limits.backoff, isOnDevice: isOnDevice)
    guard attempt >= limits.attempts, reached > task.reported else {
      state = .waiting(at: task.reported, attempt: attempt, until: now + delay)
      return [.restarted(task.reported, why)]
    }
    state = .waiting(at: reached, attempt: 0, until: now + delay)
    return [.failed(task.reported...reached, why), .processed(reached)]
  }

  /// How often the audio after the last final of a task was tried, with this task.
  private func attempt(after task: Task) -> Int { (task.reported > task.start ? 0 : task.attempt) + 1 }
}
