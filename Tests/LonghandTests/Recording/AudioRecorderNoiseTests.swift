import Foundation
import LonghandTesting
import Testing

@testable import Longhand

@Suite struct AudioRecorderNoiseTests {
  /// Seconds of audio at a level in dBFS; nil for digital silence.
  private typealias Room = (seconds: Double, level: Double?)

  /// The reported noise floors of a room that changes, each with the frames before it.
  private static func told(_ rooms: Room...) async throws -> [(frames: Int64, level: Double)] {
    let parent = FileManager.default.temporaryDirectory.appendingPathComponent("noise-\(UUID())")
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: parent) }
    let (microphone, clock) = (SimulatedMicrophone(), ManualClock())
    let recorder = try AudioRecorder(
      RecordingFolder(parent.appendingPathComponent("session")), from: microphone
    ) { clock.now }
    var random = SeededGenerator(seed: 1)
    for room in rooms {
      let most = Int16(pow(10, (room.level ?? -200) / 20) * 3.0.squareRoot() * 32_768)
      for _ in 0..<Int(room.seconds * 10) {
        clock.advance(by: 0.1)
        let samples = (0..<1600).map { _ in Int16.random(in: -most...most, using: &random) }
        microphone.speak(samples.withUnsafeBytes { Data($0) })
        recorder.flush()
      }
    }
    _ = try recorder.stop()
    var frames: Int64 = 0
    var told: [(frames: Int64, level: Double)] = []
    for await event in recorder.events {
      if case .durable(let count) = event { frames = count }
      if case .noiseFloor(let level) = event { told.append((frames, level)) }
    }
    return told
  }

  @Test func noiseFloorIsReportedOnceAfterCalibration() async throws {
    let told = try await Self.told((8, -55))
    let first = try #require(told.first)
    // The noise floor of a chunk is reported before the chunk is durable.
    #expect(told.count == 1)
    #expect(abs(first.level + 55) < 3)
    #expect(first.frames >= 30_400)
    #expect(try await Self.told((1.9, -55)).isEmpty)
  }

  @Test func noiseFloorIsReportedAgainWhenItChanges() async throws {
    let told = try await Self.told((3, -60), (20, -45), (3, nil)).map(\.level)
    #expect(told.count >= 4)
    #expect(zip(told, told.dropFirst()).allSatisfy { abs($0 - $1) >= 6 })
    #expect(abs((told.dropLast().last ?? 0) + 45) < 6)
    #expect(told.last == -72)
  }
}
