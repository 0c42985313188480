import AVFAudio
import Foundation
import SoundServer
import TestSupport
import Testing

@testable import AVFAudio

extension EngineTests {
  @Test func slowTapLosesNoFrames() async throws {
    let server = try await PulseServer()
    let (file, noise) = try server.noise(seconds: 5)
    let (engine, record) = Self.tapped(server)
    record.onBuffer { if $0 == 15 { sleep(3) } }
    try engine.start()
    #expect(await eventually { record.frames > 0 })
    let player = try server.play(file)
    #expect(await eventually { !player.isRunning })
    let end = record.frames + 16_000
    #expect(await eventually { record.frames > end })
    engine.stop()
    #expect(record.jumps.isEmpty)
    #expect(engine.inputNode.lostFrames == 0)
    let comparison = SignalComparison(of: noise, in: record.samples, rate: 16_000, reach: 1600)
    #expect(comparison.missing == 0)
    #expect(comparison.spread <= 320)
  }

  @Test func verySlowTapReportsLostFrames() async throws {
    let server = try await PulseServer()
    let (engine, record) = Self.tapped(server, backlog: 1)
    record.onBuffer { if $0 == 5 { sleep(3) } }
    try engine.start()
    #expect(await eventually { record.pieces.count > 30 })
    engine.stop()
    let jumps = record.jumps
    #expect(jumps.count == 1)
    #expect(jumps.reduce(0, +) == Int64(engine.inputNode.lostFrames))
    #expect((16_000...48_000).contains(engine.inputNode.lostFrames))
  }

  @Test func theEndIsDeliveredBeforeStopReturns() async throws {
    let server = try await PulseServer()
    let (engine, record) = Self.tapped(server, bufferSize: 6400)
    try engine.start()
    #expect(await eventually { record.frames > 6400 })
    try await Task.sleep(for: .milliseconds(150))
    engine.stop()
    let frames = record.frames
    #expect(frames % 6400 != 0)
    try await Task.sleep(for: .milliseconds(500))
    #expect(record.frames == frames)
  }

  /// A recorder closes its file afterwards. With a slow disk the tap is slow.
  @Test func patientStopWaitsUntilASlowTapHasEverything() async throws {
    let server = try await PulseServer()
    let (engine, record) = Self.tapped(server)
    let mayGoOn = DispatchSemaphore(value: 0)
    record.onBuffer { if $0 == 3 { mayGoOn.wait() } }
    try engine.start()
    #expect(await eventually { record.pieces.count >= 3 })
    // Meanwhile more is captured.
    try await Task.sleep(for: .milliseconds(500))
    // The tap is held for longer than an impatient stop waits.
    let reference = UncheckedReference(engine)
    let stopping = Task.detached {
      reference.engine.stopPatiently()
      return record.pieces.count
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + 2) { mayGoOn.signal() }
    let delivered = await stopping.value
    #expect(delivered > 3)
    #expect(record.pieces.count == delivered)
  }

  @Test func tapCanRemoveItselfAndStopEngine() async throws {
    let server = try await PulseServer()
    let engine = AVAudioEngine(server: server.address)
    let reference = UncheckedReference(engine)
    let record = TapRecord()
    engine.inputNode.installTap(onBus: 0, bufferSize: 1600, format: nil) { buffer, time in
      record.add(buffer, time)
      reference.engine.inputNode.removeTap(onBus: 0)
      reference.engine.stop()
    }
    try engine.start()
    #expect(await eventually { !engine.isRunning })
    #expect(record.pieces.count <= 2)
  }
}

/// `@unchecked Sendable`: the engine's own lock guards what the tests of it do at once.
final class UncheckedReference: @unchecked Sendable {
  let engine: AVAudioEngine
  init(_ engine: AVAudioEngine) { self.engine = engine }
}
