import Foundation
import LonghandTesting
import ScriptedSpeech
import Synchronization
import Testing

@testable import LonghandRecording

@Suite struct AudioRecorderTests {
  private let parent: URL
  private let folder: RecordingFolder
  private let microphone = SimulatedMicrophone()
  private let clock = ManualClock()
  private let disk = FaultyDisk()

  init() throws {
    parent = FileManager.default.temporaryDirectory.appendingPathComponent("recorder-\(UUID())")
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    folder = RecordingFolder(parent.appendingPathComponent("session"))
  }

  private func clean() { try? FileManager.default.removeItem(at: parent) }

  private func recorder() throws -> AudioRecorder {
    let clock = clock
    return try AudioRecorder(folder, from: microphone, disk: disk) { clock.now }
  }

  /// Delivers samples, a tenth of a second at a time, and moves the clock.
  private func speak(_ places: Range<Int>) {
    for start in stride(from: places.lowerBound, to: places.upperBound, by: 1600) {
      clock.advance(by: 0.1)
      microphone.speak(NumberedRecording.samples(start..<min(start + 1600, places.upperBound)))
    }
  }

  private func events(_ recorder: AudioRecorder) async -> [RecordingEvent] {
    await recorder.events.reduce(into: []) { $0.append($1) }
  }

  @Test func recordingHasTheCapturedSamples() async throws {
    defer { clean() }
    let recorder = try recorder()
    speak(0..<80_000)
    recorder.flush()
    speak(80_000..<160_000)
    let manifest = try recorder.stop()
    #expect(manifest.state == .complete)
    #expect(manifest.frames == 160_000)
    #expect(manifest.gaps.isEmpty)
    #expect(try NumberedRecording.problem(folder, leastFrames: 160_000) == nil)
    let events = await events(recorder)
    #expect(events.contains(.durable(80_000)))
    #expect(events.last == .durable(160_000))
    let levels = events.compactMap { if case .level(let level) = $0 { level } else { nil } }
    #expect(!levels.isEmpty)
    #expect(levels.allSatisfy { (-10 ... -3).contains($0) })
  }

  /// A source that delivers a little whenever it is opened, also while something else interrupts it.
  private final class InterruptedSource: AudioCapture {
    let microphone: SimulatedMicrophone
    private let interrupted = Mutex(false)
    init(_ microphone: SimulatedMicrophone) { self.microphone = microphone }

    var name: String { microphone.name }
    var isInterrupted: Bool { interrupted.withLock(\.self) }
    func interrupt(_ flag: Bool) { interrupted.withLock { $0 = flag } }
    func format() throws -> RecordingFormat { try microphone.format() }
    func stop() { microphone.stop() }
    func start(_ take: @escaping @Sendable (CapturedAudio) -> Void) throws {
      try microphone.start(take)
      if isInterrupted { microphone.speak(NumberedRecording.samples(0..<16)) }
    }
  }

  /// The notification may come after the end of the audio, and its end before the audio is back; in tenths of seconds.
  @Test(arguments: [0..<50, 0..<30, 25..<50, 25..<40])
  func theWholeGapOfAnInterruptionSaysSo(notified: Range<Int>) async throws {
    defer { clean() }
    let source = InterruptedSource(microphone)
    let recorder = try AudioRecorder(folder, from: source, disk: disk) { [clock] in clock.now }
    speak(0..<16_000)
    recorder.flush()
    for tenth in 0..<50 {
      source.interrupt(notified.contains(tenth))
      clock.advance(by: 0.1)
      recorder.flush()
    }
    source.interrupt(false)
    speak(16_000..<32_000)
    let gaps = try recorder.stop().gaps
    #expect(Set(gaps.map(\.reason)) == [.interrupted])
    // The source has no clock: a silence after the little that it delivered counts only after two seconds.
    #expect((60_000...81_600).contains(gaps.reduce(0) { $0 + $1.frames }))
  }

  @Test func lostDeviceLeavesAGapAndLaterAudioKeepsItsTime() async throws {
    defer { clean() }
    let recorder = try recorder()
    speak(0..<16_000)
    microphone.refuse(2)
    microphone.fail("the cable was pulled")
    for _ in 0..<10 {
      clock.advance(by: 0.5)
      recorder.flush()
    }
    // Six seconds have passed, and one of them is recorded.
    speak(96_000..<112_000)
    let manifest = try recorder.stop()
    #expect(manifest.gaps == [.init(start: 16_000, frames: 80_000, reason: .device)])
    #expect(try NumberedRecording.problem(folder, leastFrames: 112_000) == nil)
    #expect(microphone.starts >= 2)
    let events = await events(recorder)
    #expect(events.count { $0 == .sourceLost("simulated", why: "the cable was pulled") } == 1)
    #expect(events.count { $0 == .sourceRecovered("simulated") } == 1)
  }

  @Test func sourceThatDeliversNothingIsReopened() async throws {
    defer { clean() }
    let recorder = try recorder()
    speak(0..<16_000)
    recorder.flush()
    func wait(_ tenths: Int) {
      for _ in 0..<tenths {
        clock.advance(by: 0.1)
        recorder.flush()
      }
    }
    wait(19)
    #expect(microphone.starts == 1, "a source may take its time")
    wait(2)
    #expect(microphone.starts == 2)
    _ = try recorder.stop()
    #expect(await events(recorder).contains(.sourceLost("simulated", why: nil)))
  }

  /// While the lid is closed, neither the system's uptime nor the microphone goes on.
  @Test func sleepOfTheComputerIsAGap() throws {
    defer { clean() }
    let asleep = ManualClock()
    let recorder = try AudioRecorder(
      folder, from: microphone, disk: disk, asleep: SleepTime { asleep.now }, clock: { [clock] in clock.now })
    speak(0..<16_000)
    asleep.advance(by: 10)
    // What came before it is still to be taken.
    speak(176_000..<192_000)
    recorder.flush()
    asleep.advance(by: 0.3)
    speak(192_000..<208_000)
    recorder.flush()
    asleep.advance(by: 20)
    let manifest = try recorder.stop()
    #expect(
      manifest.gaps == [
        .init(start: 16_000, frames: 160_000, reason: .interrupted),
        .init(start: 208_000, frames: 324_800, reason: .interrupted),
      ])
    #expect(try NumberedRecording.problem(folder, leastFrames: 208_000) == nil)
  }

  @Test func sleepDuringAPauseBelongsToThePause() throws {
    defer { clean() }
    let asleep = ManualClock()
    let recorder = try AudioRecorder(
      folder, from: microphone, disk: disk, asleep: SleepTime { asleep.now }, clock: { [clock] in clock.now })
    speak(0..<16_000)
    recorder.pause()
    clock.advance(by: 1)
    asleep.advance(by: 10)
    recorder.resume()
    speak(192_000..<208_000)
    let manifest = try recorder.stop()
    #expect(manifest.gaps == [.init(start: 16_000, frames: 176_000, reason: .paused)])
    #expect(try NumberedRecording.problem(folder, leastFrames: 208_000) == nil)
  }

  /// A pipe goes on where it was.
  @Test func sleepIsNoGapOfAPipe() throws {
    defer { clean() }
    let asleep = ManualClock()
    let pipe = SimulatedMicrophone(isLive: false)
    let recorder = try AudioRecorder(
      folder, from: pipe, disk: disk, asleep: SleepTime { asleep.now }, clock: { [clock] in clock.now })
    pipe.speak(NumberedRecording.samples(0..<16_000))
    asleep.advance(by: 10)
    pipe.speak(NumberedRecording.samples(16_000..<32_000))
    let manifest = try recorder.stop()
    #expect(manifest.gaps.isEmpty)
    #expect(manifest.frames == 32_000)
  }

  /// A gap of less than a second is stored in the recording, and is not reported during the recording.
  @Test func shortLossIsNotReported() async throws {
    defer { clean() }
    let recorder = try recorder()
    speak(0..<16_000)
    microphone.fail("unplugged")
    for _ in 0..<8 {
      clock.advance(by: 0.1)
      recorder.flush()
    }
    speak(28_800..<44_800)
    let manifest = try recorder.stop()
    #expect(manifest.gaps.map(\.reason) == [.device])
    let events = await events(recorder)
    #expect(!events.contains { if case .sourceLost = $0 { true } else { false } })
    #expect(!events.contains { if case .sourceRecovered = $0 { true } else { false } })
  }

  /// While the recorder is blocked for seconds, the source still delivers audio.
  @Test func blockedRecorderDoesNotReportSourceAsLost() async throws {
    defer { clean() }
    let (clock, microphone) = (clock, microphone)
    let isHeldUp = Mutex(false)
    let recorder = try AudioRecorder(folder, from: microphone, disk: disk) {
      let wasHeldUp = isHeldUp.withLock { isHeldUp in
        defer { isHeldUp = false }
        return isHeldUp
      }
      if wasHeldUp {
        for start in stride(from: 1600, to: 49_600, by: 1600) {
          clock.advance(by: 0.1)
          microphone.speak(NumberedRecording.samples(start..<start + 1600))
        }
      }
      return clock.now
    }
    speak(0..<1600)
    isHeldUp.withLock { $0 = true }
    recorder.flush()
    #expect(microphone.starts == 1)
    let manifest = try recorder.stop()
    #expect(manifest.gaps.isEmpty)
    #expect(manifest.frames == 49_600)
    #expect(await !events(recorder).contains { if case .sourceLost = $0 { true } else { false } })
  }

  @Test func framesLostByTheDeviceAreAGap() throws {
    defer { clean() }
    let recorder = try recorder()
    speak(0..<16_000)
    microphone.lose(4000)
    speak(20_000..<36_000)
    let manifest = try recorder.stop()
    #expect(manifest.gaps == [.init(start: 16_000, frames: 4000, reason: .overrun)])
    #expect(try NumberedRecording.problem(folder, leastFrames: 36_000) == nil)
  }

  @Test func pausedAudioIsAGapAndTheMicrophoneIsClosed() throws {
    defer { clean() }
    let recorder = try recorder()
    speak(0..<16_000)
    recorder.pause()
    speak(16_000..<48_000)
    recorder.flush()
    #expect(recorder.manifest.gaps.isEmpty)
    #expect(!microphone.isOpen)
    // Something else may use it when the user continues.
    microphone.refuse(2)
    recorder.resume()
    clock.advance(by: 0.3)
    recorder.flush()
    #expect(microphone.isOpen)
    speak(52_800..<64_000)
    recorder.pause()
    clock.advance(by: 1)
    let manifest = try recorder.stop()
    #expect(
      manifest.gaps == [
        .init(start: 16_000, frames: 32_000, reason: .paused),
        .init(start: 48_000, frames: 4800, reason: .device),
        .init(start: 64_000, frames: 16_000, reason: .paused),
      ])
    #expect(try NumberedRecording.problem(folder, leastFrames: 80_000) == nil)
  }

  @Test func fullDiskIsReportedAndNoAudioIsLostAfterSpaceIsFreed() async throws {
    defer { clean() }
    let recorder = try recorder()
    speak(0..<16_000)
    recorder.flush()
    disk.fault = .full(afterBytes: 0)
    speak(16_000..<32_000)
    recorder.flush()
    #expect(throws: RecordingError.self) { try recorder.stop() }
    // The durable audio is there, and can be recovered as after a crash.
    disk.fault = .none
    let manifest = try recorder.stop()
    #expect(manifest.frames == 32_000)
    #expect(try NumberedRecording.problem(folder, leastFrames: 32_000) == nil)
  }

  @Test func fullDiskAndLowSpaceAreReported() async throws {
    defer { clean() }
    let recorder = try recorder()
    disk.fault = .full(afterBytes: 0)
    speak(0..<16_000)
    recorder.flush()
    disk.fault = .none
    recorder.flush()
    _ = try recorder.stop()
    let events = await events(recorder)
    #expect(
      events.contains {
        if case .diskFailed(let why, 119) = $0 { why.contains("free some space") } else { false }
      })
    #expect(events.contains(.diskRecovered))
    #expect(events.contains { if case .lowDiskSpace = $0 { true } else { false } })
  }

  @Test func unopenableSourceThrows() {
    defer { clean() }
    microphone.refuse(1)
    #expect(throws: SimulatedMicrophone.Refused.self) { try self.recorder() }
  }

  @Test func secondStopReturnsTheSameManifest() throws {
    defer { clean() }
    let recorder = try recorder()
    speak(0..<16_000)
    #expect(try recorder.stop() == recorder.stop())
    speak(16_000..<32_000)
    recorder.flush()
    #expect(try NumberedRecording.problem(folder, leastFrames: 16_000) == nil)
  }

  @Test func silentPipeIsNotLost() async throws {
    defer { clean() }
    let clock = clock
    let pipe = SimulatedMicrophone(isLive: false)
    let recorder = try AudioRecorder(folder, from: pipe, disk: disk) { clock.now }
    pipe.speak(NumberedRecording.samples(0..<16_000))
    for _ in 0..<10 {
      clock.advance(by: 60)
      recorder.flush()
    }
    pipe.speak(NumberedRecording.samples(16_000..<32_000))
    clock.advance(by: 60)
    let manifest = try recorder.stop()
    #expect(manifest.gaps.isEmpty)
    #expect(pipe.starts == 1)
    #expect(manifest.frames == 32_000)
    #expect(try NumberedRecording.problem(folder, leastFrames: 32_000) == nil)
    #expect(await !events(recorder).contains { if case .sourceLost = $0 { true } else { false } })
  }

  /// Audio beyond the memory limit waits in the source.
  @Test func pipeWaitsForTheDisk() async throws {
    defer { clean() }
    let clock = clock
    let pipe = SimulatedMicrophone(isLive: false)
    let recorder = try AudioRecorder(folder, from: pipe, disk: disk) { clock.now }
    disk.fault = .full(afterBytes: 0)
    let spoken = Mutex(0)
    Thread.detachNewThread {
      for second in 0..<40 {
        pipe.speak(NumberedRecording.samples(second * 16_000..<(second + 1) * 16_000))
        spoken.withLock { $0 += 1 }
      }
    }
    func waits(for seconds: Int) async throws {
      for _ in 0..<3000 where spoken.withLock({ $0 }) < seconds {
        try await Task.sleep(for: .milliseconds(10))
      }
    }
    try await waits(for: 11)
    try await Task.sleep(for: .seconds(1))
    #expect(spoken.withLock { $0 } == 11)
    disk.fault = .none
    try await waits(for: 40)
    let manifest = try recorder.stop()
    #expect(manifest.gaps.isEmpty)
    #expect(manifest.frames == Int64(40 * 16_000))
    #expect(try NumberedRecording.problem(folder, leastFrames: 40 * 16_000) == nil)
    // It says how much is kept in memory before it waits.
    let kept = await events(recorder).compactMap { event -> Double? in
      if case .diskFailed(_, let left) = event { left } else { nil }
    }
    #expect(try #require(kept.first) <= AudioRecorder.maxAhead)
    #expect(kept.last == 0)
  }

  @Test func waitingPipeCanBeStopped() async throws {
    defer { clean() }
    let clock = clock
    let pipe = SimulatedMicrophone(isLive: false)
    let recorder = try AudioRecorder(folder, from: pipe, disk: disk) { clock.now }
    disk.fault = .full(afterBytes: 0)
    let hasEnded = Mutex(false)
    Thread.detachNewThread {
      for second in 0..<20 {
        pipe.speak(NumberedRecording.samples(second * 16_000..<(second + 1) * 16_000))
      }
      hasEnded.withLock { $0 = true }
    }
    try await Task.sleep(for: .milliseconds(500))
    #expect(throws: RecordingError.self) { try recorder.stop() }
    for _ in 0..<3000 where !hasEnded.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(10)) }
    #expect(hasEnded.withLock { $0 })
    disk.fault = .none
    #expect(try recorder.stop().gaps.isEmpty)
    #expect(try NumberedRecording.problem(folder, leastFrames: 1) == nil)
  }

  /// Losses, jumps, pauses and disk errors in random order: recorded audio has its right time, and gaps have the rest.
  @Test(arguments: 0..<40) func randomFaultsLoseOnlyAudioThatIsReportedAsGap(_ seed: UInt64) throws {
    defer { clean() }
    var generator = SeededGenerator(seed: seed)
    let recorder = try recorder()
    // The position on the recording's clock, and the sample there.
    var place = 0
    // After a reopening or a pause, the device's clock has no relation to the time before.
    var isClockKnown = false
    for _ in 0..<60 {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0:
        let lost = Int.random(in: 1..<5000, using: &generator)
        guard isClockKnown else { break }
        microphone.lose(Int64(lost))
        place += lost
        speak(place..<place + 1600)
        place += 1600
      case 1:
        disk.fault =
          [.none, .full(afterBytes: 5000), .shortWrite, .failingSynchronization].randomElement(
            using: &generator) ?? .none
      case 2: recorder.flush()
      case 3:
        recorder.pause()
        clock.advance(by: 0.1)
        recorder.resume()
        place += 1600
        isClockKnown = false
      default:
        let length = 1600 * Int.random(in: 1...5, using: &generator)
        speak(place..<place + length)
        place += length
        isClockKnown = true
      }
    }
    disk.fault = .none
    speak(place..<place + 1600)
    _ = try recorder.stop()
    #expect(try NumberedRecording.problem(folder, leastFrames: 1) == nil)
  }
}
