import AVFAudio
import Testing

@testable import AVFAudio

@Suite struct CaptureValueTests {
  private let second: UInt64 = 1_000_000_000

  /// Feeds tenths of seconds that arrive `late` seconds late: the sample times.
  private func feed(_ clock: inout CaptureClock, _ tenths: Range<Int>, late: (Int) -> Double) -> [Int64] {
    tenths.map { clock.arrive(1600, at: UInt64((100 + Double($0 + 1) / 10 + late($0)) * 1e9)) }
  }

  private func jumps(_ times: [Int64]) -> [Int64] {
    zip(times, times.dropFirst()).map { $1 - $0 - 1600 }.filter { $0 != 0 }
  }

  @Test func lateArrivalIsNoGap() {
    var clock = CaptureClock(rate: 16_000)
    // Starved for 3 seconds, then everything comes at once.
    let times = feed(&clock, 0..<300) { (100..<130).contains($0) ? Double(130 - $0) / 10 : 0.01 }
    #expect(times.first == 1_600_160)
    #expect(jumps(times).isEmpty)
  }

  @Test func driftMovesHostTimesOnly() {
    var clock = CaptureClock(rate: 16_000)
    let times = feed(&clock, 0..<36_000) { Double($0) / 10 * 0.0002 }
    #expect(jumps(times).isEmpty)
    let time = Double(clock.hostTime(of: clock.sampleTime)) / 1e9
    #expect(abs(time - (100 + 3600 * 1.0002)) < 0.01)
  }

  @Test func missingFramesAreSampleTimeJump() {
    var clock = CaptureClock(rate: 16_000)
    let times = feed(&clock, 0..<200) { $0 < 100 ? 0 : 0.5 }
    #expect(jumps(times).count == 1)
    #expect(abs(jumps(times).reduce(0, +) - 8000) < 100)
  }

  @Test func pauseIsSampleTimeJumpOfItsLength() {
    var clock = CaptureClock(rate: 16_000)
    var times = feed(&clock, 0..<5) { _ in 0 }
    clock.interrupt()
    times += feed(&clock, 25..<30) { _ in 0 }
    #expect(jumps(times) == [32_000])
    clock.skip(800)
    times += feed(&clock, 30..<31) { _ in 0.05 }
    #expect(jumps(times) == [32_000, 800])
  }

  @Test func quietAudioWaitsForTheTapAndLouderAudioDoesNot() {
    var watch = QuietWatch()
    func take(_ sample: Float, _ seconds: Double = 0.05) -> Bool {
      [0, -sample, 0].withUnsafeBufferPointer { watch.take($0, seconds: seconds) }
    }
    #expect(take(0))
    watch.peak = 0.01
    let due = (0..<40).map { _ in take(0.01) }
    #expect(due.count { $0 } == 2)
    #expect(watch.nap == QuietWatch.fragment)
    // A server that sends half a second at once wakes nothing in between.
    #expect(!take(0, 0.45))
    #expect(watch.nap == 0)
    #expect(take(0.02))
    #expect(watch.peak == nil)
    #expect(take(0))
    #expect(watch.nap == 0)
  }

  @Test func ringKeepsOrderGapsAndCount() {
    let ring = CaptureRing(channels: 2, slotFrames: 4, slotCount: 3)
    let samples = (0..<20).map(Float.init)
    func write(_ frames: Int, at time: Int64) -> Int {
      ring.write(samples, frames: frames, sampleTime: time) { UInt64($0) * 10 }
    }
    #expect(write(6, at: 100) == 0)
    #expect(write(3, at: 110) == 0)
    ring.publish()
    #expect(write(2, at: 200) == 2)
    let slots = (0..<3).compactMap { _ in ring.take { ($0, Array(UnsafeBufferPointer(start: $1, count: 2))) }
    }
    #expect(slots.map(\.0.sampleTime) == [100, 104, 110])
    #expect(slots.map(\.0.frames) == [4, 2, 3])
    #expect(slots.map(\.0.hostTime) == [1000, 1040, 1100])
    #expect(slots.map(\.1) == [[0, 1], [8, 9], [0, 1]])
    #expect(!ring.isReadable)
    #expect(ring.take { _, _ in } == nil)
    #expect(write(1, at: 300) == 0)
  }

  @Test func eachEndIsReportedOnce() {
    var state = CaptureState()
    #expect(state.serverLost().isEmpty)
    #expect(state.sourceFound().isEmpty)
    #expect(state.started().isEmpty)
    #expect(state.serverLost() == [.configurationChange, .interruptionBegan(.default)])
    #expect(state.serverLost().isEmpty)
    #expect(state.sourceLost().isEmpty)
    #expect(state.sourceFound() == [.interruptionEnded])
    #expect(state.sourceFound().isEmpty)
    #expect(state.started().isEmpty)
    #expect(state.suspended(true) == [.interruptionBegan(.default)])
    #expect(state.suspended(true).isEmpty)
    #expect(state.sourceLost() == [.configurationChange, .routeChange(.oldDeviceUnavailable)])
    #expect(state.started() == [.interruptionEnded])
    #expect(state.suspended(true) == [.interruptionBegan(.default)])
    #expect(state.stopped() == [.interruptionEnded])
    #expect(state.stopped().isEmpty)
  }
}
