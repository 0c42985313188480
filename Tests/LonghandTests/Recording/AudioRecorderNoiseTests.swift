import Foundation
import LonghandTesting
import ScriptedSpeech
import Testing

@testable import Longhand

@Suite struct AudioRecorderNoiseTests {
  /// Seconds of audio at a level in dBFS; nil for digital silence.
  private typealias Room = (seconds: Double, level: Double?)

  /// The reported noise floors of a room that changes, each with the frames before it.
  private static func reported(_ rooms: Room...) async throws -> [(frames: Int64, level: Double)] {
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
    var reported: [(frames: Int64, level: Double)] = []
    for await event in recorder.events {
      if case .durable(let count) = event { frames = count }
      if case .noiseFloor(let level) = event { reported.append((frames, level)) }
    }
    return reported
  }

  @Test func noiseFloorIsReportedOnceAfterCalibration() async throws {
    let reported = try await Self.reported((8, -55))
    let first = try #require(reported.first)
    // The noise floor of a chunk is reported before the chunk is durable.
    #expect(reported.count == 1)
    #expect(abs(first.level + 55) < 3)
    #expect(first.frames >= 30_400)
    #expect(try await Self.reported((1.9, -55)).isEmpty)
  }

  @Test func noiseFloorIsReportedAgainWhenItChanges() async throws {
    let reported = try await Self.reported((3, -60), (20, -45), (3, nil)).map(\.level)
    #expect(reported.count >= 4)
    #expect(zip(reported, reported.dropFirst()).allSatisfy { abs($0 - $1) >= 6 })
    #expect(abs((reported.dropLast().last ?? 0) + 45) < 6)
    #expect(reported.last == -72)
  }
}
