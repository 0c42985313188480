import Foundation
import Testing

@testable import LonghandTranscription

/// Tasks that report no speech.
@Suite struct RollingSilenceTests {
  private static func machine(hasSound: Bool) -> RollingStateMachine {
    var machine = RollingStateMachine(start: 0, now: 0)
    _ = machine.tick(now: 0)
    _ = machine.took(through: 2, hasSound: hasSound, quiet: 0, now: 1)
    _ = machine.took(through: 2.5, hasSound: false, quiet: 0.5, now: 1)
    _ = machine.audioEnded(now: 1)
    return machine
  }

  @Test func noSpeechIsAcceptedForQuietAudio() {
    var machine = Self.machine(hasSound: false)
    #expect(machine.ended(.noSpeech, now: 2) == [.processed(2.5), .finish])
  }

  @Test func noSpeechIsAcceptedForSoundAtTheSecondTime() {
    var machine = Self.machine(hasSound: true)
    #expect(machine.ended(.noSpeech, now: 2) == [.begin(at: 0)])
    _ = machine.took(through: 2, hasSound: true, quiet: 0, now: 3)
    _ = machine.took(through: 2.5, hasSound: false, quiet: 0.5, now: 3)
    #expect(machine.ended(.noSpeech, now: 4) == [.processed(2.5), .begin(at: 2.5)])
  }

  @Test func noSpeechAfterWordsIsCheckedForTheRest() {
    var machine = Self.machine(hasSound: true)
    machine.reported(through: 1, now: 2)
    #expect(machine.ended(.noSpeech, now: 2) == [.begin(at: 1)])
  }
}
