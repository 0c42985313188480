import Foundation
import Longhand
import Testing

@testable import LonghandTranscription

@Suite struct RollingStateMachineTests {
  private typealias Machine = RollingStateMachine
  private typealias Action = RollingStateMachine.Action

  /// A machine with a task that began at 0.
  private static func listening(from start: TimeInterval = 0) -> Machine {
    var machine = Machine(start: start, now: 0)
    #expect(machine.tick(now: 0) == [.begin(at: start)])
    #expect(machine.takesAudio)
    return machine
  }

  /// A machine with a task that was given speech up to 10 s and a pause after it.
  private static func draining() -> Machine {
    var machine = listening()
    #expect(machine.took(through: 10, hasSound: true, quiet: 0, now: 1) == [])
    #expect(machine.took(through: 10.5, hasSound: false, quiet: 0.5, now: 1.5) == [.endAudio])
    #expect(!machine.takesAudio)
    return machine
  }

  // MARK: When a task ends

  @Test func pauseAfterSpeechEndsATaskAndTheNextBeginsThere() {
    var machine = Self.listening()
    #expect(machine.took(through: 10, hasSound: true, quiet: 0.1, now: 1) == [])
    #expect(machine.took(through: 10.3, hasSound: false, quiet: 0.49, now: 1) == [])
    #expect(machine.took(through: 10.5, hasSound: false, quiet: 0.5, now: 1) == [.endAudio])
    #expect(machine.took(through: 10.6, hasSound: false, quiet: 0.6, now: 1) == [])
    machine.reported(through: 9.9, now: 2)
    #expect(machine.ended(.finished, now: 3) == [.processed(10.5), .begin(at: 10.5)])
    #expect(machine.takesAudio)
  }

  @Test func silenceAloneEndsNoTaskBefore45Seconds() {
    var machine = Self.listening(from: 100)
    #expect(machine.took(through: 144.9, hasSound: false, quiet: 44.9, now: 1) == [])
    #expect(machine.took(through: 145, hasSound: false, quiet: 45, now: 1) == [.endAudio])
    #expect(machine.ended(.finished, now: 2) == [.processed(145), .begin(at: 145)])
  }

  @Test func anyQuietEndsATaskAfter45Seconds() {
    var machine = Self.listening()
    #expect(machine.took(through: 44.9, hasSound: true, quiet: 0.02, now: 1) == [])
    #expect(machine.took(through: 45, hasSound: true, quiet: 0, now: 1) == [])
    #expect(machine.took(through: 47, hasSound: true, quiet: 0.02, now: 1) == [.endAudio])
    #expect(machine.ended(.finished, now: 2) == [.processed(47), .begin(at: 47)])
  }

  @Test func taskEndsInSpeechAt55SecondsAndTheNextOneOverlaps() {
    var machine = Self.listening()
    #expect(machine.took(through: 54.9, hasSound: true, quiet: 0, now: 1) == [])
    #expect(machine.took(through: 55, hasSound: true, quiet: 0, now: 1) == [.endAudio, .seam(54.5...55)])
    #expect(machine.ended(.finished, now: 2) == [.processed(54.5), .begin(at: 54.5)])
  }

  @Test func lastTaskProcessesTheAudioToItsEnd() {
    var machine = Self.listening()
    #expect(machine.took(through: 3, hasSound: true, quiet: 0, now: 1) == [])
    #expect(machine.audioEnded(now: 1) == [.endAudio])
    #expect(machine.audioEnded(now: 1) == [])
    #expect(machine.ended(.finished, now: 2) == [.processed(3), .finish])
    Self.expectNothing(of: machine)
  }

  // MARK: After the end of a task

  @Test func taskThatEndsByItselfInAPauseIsComplete() {
    var machine = Self.listening()
    _ = machine.took(through: 10, hasSound: true, quiet: 0.1, now: 1)
    machine.reported(through: 9.8, now: 1)
    #expect(
      machine.ended(.finished, now: 2)
        == [.restarted(10, "it ended by itself"), .processed(10), .begin(at: 10)])
  }

  @Test func taskThatEndsByItselfInSilenceIsComplete() {
    var machine = Self.listening()
    _ = machine.took(through: 30, hasSound: false, quiet: 30, now: 1)
    #expect(
      machine.ended(.finished, now: 2)
        == [.restarted(30, "it ended by itself"), .processed(30), .begin(at: 30)])
  }

  @Test func nextTaskStartsAfterTheLastFinalOfATaskThatEndedInSpeech() {
    var machine = Self.listening()
    _ = machine.took(through: 10, hasSound: true, quiet: 0, now: 1)
    machine.reported(through: 8, now: 1)
    #expect(machine.ended(.finished, now: 2) == [.restarted(7.5, "it ended by itself"), .begin(at: 7.5)])
  }

  /// The pause may already be after the next sentence, which the task has not reported.
  @Test func unreportedAudioOfAnEndedTaskIsRetried() {
    var machine = Self.listening()
    _ = machine.took(through: 4, hasSound: true, quiet: 0.1, now: 1)
    _ = machine.took(through: 5, hasSound: true, quiet: 0.1, now: 1)
    machine.reported(through: 3.9, now: 1)
    #expect(machine.ended(.finished, now: 2) == [.restarted(3.4, "it ended by itself"), .begin(at: 3.4)])
    // Also speech without any final.
    var silent = Self.listening()
    _ = silent.took(through: 4, hasSound: true, quiet: 0.1, now: 1)
    #expect(silent.ended(.finished, now: 2) == [.restarted(0, "it ended by itself")])
    #expect(silent.tick(now: 2.4) == [])
    #expect(silent.tick(now: 2.5) == [.begin(at: 0)])
  }

  /// Attempts are unlimited while each one gets further, and limited otherwise.
  @Test func tasksThatEndAtOnceAreBounded() {
    var machine = Machine(start: 0, now: 0)
    var now = 0.0
    var begun = 0
    var last: [Action] = []
    while begun < 100 {
      now += 100
      last = machine.tick(now: now)
      guard last == [.begin(at: 0)] else { break }
      begun += 1
      last = machine.ended(.finished, now: now)
      if last == [.giveUp(.recognizerFailed("it ended by itself"))] { break }
    }
    #expect(begun == 10)
    #expect(last == [.giveUp(.recognizerFailed("it ended by itself"))])
    // A word that ends before the overlap is reported once more and not again.
    machine = Self.listening()
    _ = machine.took(through: 5, hasSound: true, quiet: 0, now: 1)
    machine.reported(through: 0.4, now: 1)
    #expect(machine.ended(.finished, now: 1) == [.restarted(0.4, "it ended by itself")])
    #expect(machine.tick(now: 1.5) == [.begin(at: 0.4)])
  }

  @Test func failedTaskIsRetriedFromItsLastFinalAfterADelay() {
    var machine = Self.listening()
    _ = machine.took(through: 10, hasSound: true, quiet: 0, now: 1)
    machine.reported(through: 4, now: 1)
    #expect(machine.ended(.failed("it broke"), now: 2) == [.restarted(4, "it broke")])
    #expect(!machine.takesAudio)
    #expect(machine.tick(now: 2.49) == [])
    #expect(machine.tick(now: 2.5) == [.begin(at: 4)])
  }

  @Test func delayDoublesAndARangeIsSkippedAfterThreeFailures() {
    var machine = Self.listening()
    var now = 0.0
    var waits: [TimeInterval] = []
    var actions: [Action] = []
    for _ in 0..<3 {
      _ = machine.took(through: 10, hasSound: true, quiet: 0, now: now)
      actions += machine.ended(.failed("it broke"), now: now)
      let failed = now
      while true {
        now += 0.25
        let begun = machine.tick(now: now)
        if !begun.isEmpty {
          actions += begun
          break
        }
      }
      waits.append(now - failed)
    }
    #expect(waits == [0.5, 1, 2])
    #expect(
      actions == [
        .restarted(0, "it broke"), .begin(at: 0), .restarted(0, "it broke"), .begin(at: 0),
        .failed(0...10, "it broke"), .processed(10), .begin(at: 10),
      ])
    // The following audio has its own three attempts.
    _ = machine.took(through: 12, hasSound: true, quiet: 0, now: now)
    #expect(machine.ended(.failed("it broke"), now: now) == [.restarted(10, "it broke")])
  }

  /// A recognizer that does not answer for an utterance ends its task without words for it.
  @Test func rangeWithoutAnAnswerIsTriedThreeTimes() {
    var machine = Self.draining()
    var now = 3.0
    for start in [6.0, 6] {
      if now == 3 { machine.reported(through: 6, now: now) }
      #expect(machine.ended(.incomplete([7...10], "it broke"), now: now) == [.restarted(start, "it broke")])
      now += 10
      #expect(machine.tick(now: now) == [.begin(at: start)])
      #expect(machine.took(through: 10.5, hasSound: true, quiet: 0.5, now: now) == [.endAudio])
    }
    // Only what is missing is reported as such, and the next audio has its own attempts.
    let given: [Action] = [.failed(7...10, "it broke"), .processed(10.5), .begin(at: 10.5)]
    #expect(machine.ended(.incomplete([7...10], "it broke"), now: now) == given)
    _ = machine.took(through: 12, hasSound: true, quiet: 0.5, now: now)
    #expect(machine.ended(.incomplete([11...12], "it broke"), now: now) == [.restarted(10.5, "it broke")])
  }

  /// Words are reported in their order, so that those of an earlier range cannot follow.
  @Test func rangeBeforeReportedWordsIsReportedAtOnce() {
    var machine = Self.draining()
    machine.reported(through: 9, now: 2)
    #expect(
      machine.ended(.incomplete([1...2, 9.5...10], "it broke"), now: 3)
        == [.failed(1...2, "it broke"), .restarted(9, "it broke")])
    machine = Self.draining()
    machine.reported(through: 9, now: 2)
    #expect(
      machine.ended(.incomplete([1...2], "it broke"), now: 3)
        == [.failed(1...2, "it broke"), .processed(10.5), .begin(at: 10.5)])
  }

  @Test func taskWithAFinalUsesNoAttempt() {
    var machine = Self.listening()
    var now = 0.0
    for reported in [2.0, 3, 4, 5] {
      _ = machine.took(through: 10, hasSound: true, quiet: 0, now: now)
      machine.reported(through: reported, now: now)
      #expect(machine.ended(.failed("it broke"), now: now) == [.restarted(reported, "it broke")])
      // The delay does not grow.
      now += 0.5
      #expect(machine.tick(now: now) == [.begin(at: reported)])
    }
  }

  @Test func drainingTaskThatFailsIsRetried() {
    var machine = Self.draining()
    machine.reported(through: 6, now: 2)
    #expect(machine.ended(.failed("it broke"), now: 3) == [.restarted(6, "it broke")])
    #expect(machine.tick(now: 3.5) == [.begin(at: 6)])
  }

  @Test func consecutiveFailuresEndTheWork() {
    var machine = Self.listening()
    var now = 0.0
    var end = 1.0
    for failure in 1...10 {
      _ = machine.took(through: end, hasSound: true, quiet: 0, now: now)
      end += 1
      let actions = machine.ended(.failed("it broke"), now: now)
      #expect(actions.contains(.giveUp(.recognizerFailed("it broke"))) == (failure == 10))
      now += 1000
      if failure < 10 { #expect(machine.tick(now: now).count == 1) }
    }
    Self.expectNothing(of: machine)
  }

  @Test func finalResetsTheFailureCount() {
    var machine = Self.listening()
    var now = 0.0
    for attempt in 1...30 {
      _ = machine.took(through: 10, hasSound: true, quiet: 0, now: now)
      if attempt % 5 == 0 { machine.reported(through: Double(attempt) / 10, now: now) }
      let actions = machine.ended(.failed("it broke"), now: now)
      #expect(!actions.contains(.giveUp(.recognizerFailed("it broke"))))
      now += 1000
      _ = machine.tick(now: now)
    }
  }

  @Test func permanentFailureEndsTheWork() {
    for machine in [Self.listening(), Self.draining()] {
      var machine = machine
      #expect(
        machine.ended(.failedForGood(.recognizerFailed("not allowed")), now: 2) == [
          .giveUp(.recognizerFailed("not allowed"))
        ])
      Self.expectNothing(of: machine)
    }
  }

  /// A recognizer's times may reach beyond its audio.
  @Test func finalBeyondTheAudioCountsToItsEndOnly() {
    var machine = Self.listening()
    _ = machine.took(through: 10, hasSound: true, quiet: 0, now: 1)
    machine.reported(through: 10.2, now: 1)
    #expect(machine.ended(.failed("it broke"), now: 2) == [.restarted(10, "it broke")])
  }

  // MARK: Timeouts

  @Test func taskWithoutResultInSpeechIsReplacedAfter20Seconds() {
    var machine = Self.listening()
    _ = machine.took(through: 30, hasSound: false, quiet: 30, now: 30)
    _ = machine.took(through: 31, hasSound: true, quiet: 0, now: 31)
    _ = machine.took(through: 40, hasSound: true, quiet: 0, now: 40)
    #expect(machine.tick(now: 51) == [])
    #expect(machine.tick(now: 51.1) == [.cancel, .restarted(0, "no result although there is speech")])
    #expect(machine.tick(now: 51.6) == [.begin(at: 0)])
  }

  @Test func anyProgressPostponesTheTimeout() {
    var machine = Self.listening()
    _ = machine.took(through: 1, hasSound: true, quiet: 0, now: 1)
    machine.progressed(now: 20)
    #expect(machine.tick(now: 39) == [])
    _ = machine.took(through: 20, hasSound: true, quiet: 0, now: 39)
    #expect(machine.tick(now: 59) == [])
    machine.reported(through: 10, now: 59)
    #expect(machine.tick(now: 500) == [])
  }

  @Test func silenceHasNoTimeout() {
    var machine = Self.listening()
    _ = machine.took(through: 10, hasSound: false, quiet: 10, now: 10)
    #expect(machine.tick(now: 100_000) == [])
    #expect(machine.takesAudio)
  }

  @Test func taskThatDoesNotEndIsReplacedAfter90Seconds() {
    var machine = Self.draining()
    #expect(machine.tick(now: 91.5) == [])
    machine.progressed(now: 50)
    #expect(machine.tick(now: 140) == [])
    machine.reported(through: 5, now: 60)
    #expect(machine.tick(now: 150) == [])
    #expect(machine.tick(now: 150.1) == [.cancel, .restarted(5, "it did not end")])
    #expect(machine.tick(now: 150.6) == [.begin(at: 5)])
  }

  private static func expectNothing(of machine: Machine, at line: SourceLocation = #_sourceLocation) {
    var machine = machine
    let actions =
      machine.tick(now: 1e6) + machine.took(through: 1e6, hasSound: true, quiet: 1, now: 1e6)
      + machine.audioEnded(now: 1e6) + machine.ended(.finished, now: 1e6)
      + machine.ended(.failed("late"), now: 1e6)
      + machine.ended(.failedForGood(.recognizerFailed("late")), now: 1e6)
    machine.progressed(now: 1e6)
    machine.reported(through: 1e6, now: 1e6)
    #expect(actions + machine.tick(now: 2e6) == [], sourceLocation: line)
    #expect(!machine.takesAudio, sourceLocation: line)
  }

  // MARK: Random failures

  @Test(arguments: 0..<120) func randomFailuresSkipNoAudio(_ seed: UInt64) {
    var rehearsal = RollingRehearsal(seed: seed)
    rehearsal.run()
    #expect(rehearsal.problems == [])
  }
}
