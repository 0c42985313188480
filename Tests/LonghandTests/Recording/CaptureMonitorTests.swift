import Testing

@testable import LonghandRecording

@Suite struct CaptureMonitorTests {
  private var monitor = CaptureMonitor(sampleRate: 1000, now: 0)

  @Test mutating func consecutiveAudioHasNoGap() {
    for second in 1...100 {
      #expect(monitor.received(1000, at: Int64(second - 1) * 1000, now: Double(second)) == [])
      #expect(monitor.tick(now: Double(second) + 0.5) == [])
    }
    #expect(monitor.ended(now: 100.5) == [])
  }

  /// The device's clock and the system's clock always differ a little. Only a jump of the device's clock is a gap.
  @Test mutating func clockDriftIsNoGap() {
    for tenth in 1...600 {
      #expect(monitor.received(100, at: Int64(tenth - 1) * 100, now: Double(tenth) * 0.1003) == [])
    }
  }

  @Test mutating func jumpOfTheSampleTimeIsAnOverrun() {
    _ = monitor.received(1000, at: 0, now: 1)
    #expect(monitor.received(1000, at: 1300, now: 2.3) == [.skip(300, .overrun)])
    #expect(monitor.received(1000, at: 2300, now: 3.3) == [])
    #expect(monitor.received(1000, at: nil, now: 4.3) == [])
    #expect(monitor.received(1000, at: 9000, now: 5.3) == [], "the time before is unknown")
  }

  /// Ticks as the recorder does.
  private mutating func tick(_ times: ClosedRange<Int>, isHeldUp: Bool = false) -> [CaptureMonitor.Action] {
    times.flatMap { monitor.tick(now: Double($0) / 10, isHeldUp: isHeldUp) }
  }

  @Test mutating func silentSourceIsReopened() {
    _ = monitor.received(100, at: 0, now: 0.1)
    #expect(tick(2...20) == [])
    #expect(monitor.tick(now: 2.1) == [.reopen])
    #expect(monitor.tick(now: 2.2) == [], "not at once again")
    #expect(monitor.tick(now: 2.35) == [.reopen])
    #expect(monitor.tick(now: 2.6) == [])
    #expect(monitor.tick(now: 2.85) == [.reopen])
    // The audio that came at 4.0 is 0.1 seconds long, so 3.8 seconds are missing.
    #expect(monitor.received(100, at: 0, now: 4) == [.skip(3800, .device)])
    #expect(tick(41...59) == [])
  }

  /// The audio of this time waits in the source, and opening it again would lose it.
  @Test mutating func standstillOfTheProcessIsNoLoss() {
    _ = monitor.received(100, at: 0, now: 0.1)
    #expect(tick(2...10) == [])
    #expect(tick(70...73) == [], "the process did not run for six seconds")
    #expect(monitor.received(7300, at: 100, now: 7.4) == [])
    #expect(tick(75...93) == [])
  }

  /// A sound server that does not answer keeps the audio: it is not opened again, and what it delivers later continues.
  @Test mutating func sourceThatIsHeldUpIsNotReopened() {
    _ = monitor.received(100, at: 0, now: 0.1)
    #expect(tick(2...80, isHeldUp: true) == [.wait], "the loss is reported once")
    #expect(tick(81...95) == [], "it has time to deliver what waits")
    #expect(monitor.received(9300, at: 100, now: 9.6) == [])
    #expect(tick(97...100) == [])
    // What it has lost is a gap.
    _ = tick(101...180, isHeldUp: true)
    #expect(monitor.received(100, at: 16_400, now: 18.1) == [.skip(7000, .device)])
    // If it delivers nothing although it answers, it is opened again.
    _ = tick(182...220, isHeldUp: true)
    #expect(tick(221...243) == [.reopen])
  }

  /// Audio of some tenths of a second, each when it was captured.
  private mutating func speak(_ tenths: ClosedRange<Int>, from frame: Int64) -> [CaptureMonitor.Action] {
    tenths.flatMap { tenth in
      monitor.received(100, at: frame + Int64(tenth - tenths.lowerBound) * 100, now: Double(tenth) / 10) ?? []
    }
  }

  /// A sound server stands still for five seconds. Its clock shows what is missing only when it has delivered audio for some
  /// seconds, which continues until then.
  @Test mutating func gapThatIsKnownLateHasTheReasonOfItsBeginning() {
    #expect(speak(1...10, from: 0) == [])
    #expect(tick(11...59, isHeldUp: true) == [.wait])
    #expect(speak(60...110, from: 1000) == [])
    #expect(speak(111...120, from: 11_000) == [.skip(4900, .device)])
    #expect(speak(121...130, from: 12_100) == [.skip(100, .overrun)], "nothing is unexplained any more")
  }

  /// Shorter than the patience with a source.
  @Test mutating func shortAbsenceIsNoOverrun() {
    #expect(speak(1...10, from: 0) == [])
    #expect(tick(11...24) == [])
    #expect(speak(25...30, from: 2400) == [.skip(1400, .device)])
  }

  /// While the room is quiet, the recorder looks every three seconds only.
  @Test mutating func absenceBetweenRareLooksIsNoOverrun() {
    monitor.interval = 3
    #expect(speak(1...10, from: 0) == [])
    #expect(monitor.tick(now: 3) == [])
    #expect(monitor.tick(now: 6) == [])
    #expect(speak(61...70, from: 6000) == [.skip(5000, .device)])
    // Without a look at all, the process did not run.
    monitor.interval = 0
    #expect(speak(120...130, from: 11_900) == [.skip(4900, .overrun)])
  }

  /// A source that is opened again during a call delivers a little, and then nothing until the call ends.
  @Test mutating func gapAfterALittleAudioOfAnInterruptedSourceIsTheInterruption() {
    #expect(speak(1...10, from: 0) == [])
    for tenth in 11...30 {
      let actions = monitor.tick(now: Double(tenth) / 10, isInterrupted: true)
      #expect(actions == (tenth == 30 ? [.reopen] : []))
    }
    monitor.opened(now: 3)
    #expect(monitor.received(100, at: 50_000, now: 3.1) == [.skip(2000, .interrupted)])
    for tenth in 32...48 { #expect(monitor.tick(now: Double(tenth) / 10, isInterrupted: true) == []) }
    #expect(speak(49...60, from: 51_700) == [.skip(1600, .interrupted)])
    #expect(speak(61...70, from: 53_000) == [.skip(100, .overrun)])
  }

  /// What is missing long after a loss, or is more than the loss, was not read.
  @Test mutating func lossExplainsNoOtherGap() {
    #expect(speak(1...10, from: 0) == [])
    _ = tick(11...59, isHeldUp: true)
    #expect(speak(60...165, from: 1000) == [])
    #expect(speak(166...170, from: 12_600) == [.skip(1000, .overrun)])
    #expect(tick(171...184) == [])
    #expect(speak(185...190, from: 17_000) == [.skip(3900, .overrun)])
  }

  @Test mutating func delayBetweenAttemptsIsBounded() {
    var attempts: [Double] = []
    for tenth in 0..<6000 where monitor.tick(now: Double(tenth) / 10) == [.reopen] {
      attempts.append(Double(tenth) / 10)
    }
    #expect(abs((attempts.first ?? 0) - CaptureMonitor.patience) < 0.11)
    let longest = zip(attempts, attempts.dropFirst()).map { $1 - $0 }.max() ?? 0
    #expect(longest <= CaptureMonitor.maxDelay + 0.11)
    #expect(attempts.count > 100)
    #expect(monitor.ended(now: 600) == [.skip(600_000, .device)])
  }

  @Test mutating func reopenedSourceGetsTimeToDeliver() {
    _ = monitor.failed(now: 1)
    monitor.opened(now: 1.01)
    #expect(monitor.tick(now: 3) == [])
    #expect(monitor.tick(now: 3.1) == [.reopen])
    monitor.opened(now: 3.1)
    #expect(monitor.received(100, at: 0, now: 4) == [.skip(3900, .device)])
  }

  @Test mutating func failedSourceIsReopenedAtOnce() {
    _ = monitor.received(100, at: 0, now: 0.1)
    #expect(monitor.failed(now: 0.2) == [.reopen])
    #expect(monitor.failed(now: 0.21) == [], "it says so only once")
    #expect(monitor.received(100, at: 0, now: 0.5) == [.skip(300, .device)])
  }

  @Test mutating func pauseIsAGapOfItsLength() {
    _ = monitor.received(100, at: 0, now: 0.1)
    #expect(monitor.pause(now: 0.2) == [])
    #expect(monitor.pause(now: 0.3) == [])
    #expect(monitor.isPaused)
    #expect(monitor.received(100, at: 100, now: 0.4) == nil, "paused audio is not recorded")
    #expect(monitor.tick(now: 100) == [], "nothing is missed in a pause")
    #expect(monitor.ended(now: 50.2) == [.skip(50_000, .paused)], "the recording may end in a pause")
    #expect(monitor.resume(now: 100) == [.skip(99_800, .paused)])
    #expect(monitor.resume(now: 100) == [])
    #expect(monitor.received(100, at: 99_000, now: 100.1) == [])
    #expect(monitor.ended(now: 101) == [])
  }

  @Test mutating func pauseDuringALossKeepsTheGapBeforeIt() {
    _ = monitor.received(100, at: 0, now: 1)
    _ = monitor.failed(now: 1.5)
    #expect(monitor.pause(now: 3) == [.skip(2000, .device)])
    #expect(monitor.resume(now: 4) == [.skip(1000, .paused)])
  }

  @Test mutating func pipeHasNoGaps() {
    monitor = CaptureMonitor(sampleRate: 1000, isLive: false, now: 0)
    #expect(monitor.tick(now: 100) == [])
    #expect(monitor.received(100, at: nil, now: 200) == [])
    #expect(monitor.tick(now: 300) == [])
    // It is opened again only after a failure, and the missing audio is unknown.
    #expect(monitor.failed(now: 400) == [.reopen])
    #expect(monitor.received(100, at: nil, now: 500) == [])
    #expect(monitor.ended(now: 600) == [])
    // What it delivers in a pause is discarded, and is the length of the pause.
    #expect(monitor.pause(now: 700) == [])
    #expect(monitor.received(100, at: nil, now: 710) == nil)
    #expect(monitor.received(200, at: nil, now: 720) == nil)
    #expect(monitor.resume(now: 800) == [.skip(300, .paused)])
  }
}
