import Foundation
import Longhand
import LonghandTesting
import Testing

@Suite struct AudioRecorderLimitTests {
  private let parent: URL
  private let folder: RecordingFolder
  private let microphone = SimulatedMicrophone()
  private let clock = ManualClock()

  init() throws {
    parent = FileManager.default.temporaryDirectory.appendingPathComponent("limit-\(UUID())")
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    folder = RecordingFolder(parent.appendingPathComponent("session"))
  }

  private func clean() { try? FileManager.default.removeItem(at: parent) }

  private func recorder(limit: TimeInterval?) throws -> AudioRecorder {
    let clock = clock
    return try AudioRecorder(folder, from: microphone, limit: limit) { clock.now }
  }

  private func speak(_ places: Range<Int>) { microphone.speak(NumberedRecording.samples(places)) }

  private func ends(_ recorder: AudioRecorder) async -> Int {
    await recorder.events.reduce(into: 0) { $0 += $1 == .sourceEnded ? 1 : 0 }
  }

  @Test func recordingEndsAtTheLimitAndReportsItOnce() async throws {
    defer { clean() }
    let recorder = try recorder(limit: 1.5)
    speak(0..<23_999)
    recorder.flush()
    #expect(recorder.manifest.gaps.isEmpty)
    speak(23_999..<30_000)
    recorder.flush()
    speak(30_000..<40_000)
    let manifest = try recorder.stop()
    #expect(manifest.frames == 24_000)
    #expect(manifest.gaps.isEmpty)
    #expect(try NumberedRecording.problem(folder, leastFrames: 24_000) == nil)
    #expect(await ends(recorder) == 1)
  }

  @Test func recordingContinuesBeforeTheLimit() async throws {
    defer { clean() }
    let recorder = try recorder(limit: 1.5)
    speak(0..<23_999)
    #expect(try recorder.stop().frames == 23_999)
    #expect(await ends(recorder) == 0)
  }

  @Test func recordingWithoutLimitContinues() async throws {
    defer { clean() }
    let recorder = try recorder(limit: nil)
    speak(0..<100_000)
    #expect(try recorder.stop().frames == 100_000)
    #expect(await ends(recorder) == 0)
  }

  @Test func gapsCountTowardsTheLimitAndNoneFollowsIt() async throws {
    defer { clean() }
    let recorder = try recorder(limit: 1.5)
    speak(0..<16_000)
    microphone.lose(20_000)
    speak(36_000..<40_000)
    microphone.lose(20_000)
    speak(60_000..<64_000)
    recorder.pause()
    recorder.resume()
    let manifest = try recorder.stop()
    #expect(manifest.frames == 24_000)
    #expect(manifest.gaps == [.init(start: 16_000, frames: 8000, reason: .overrun)])
    #expect(try NumberedRecording.problem(folder, leastFrames: 24_000) == nil)
    #expect(await ends(recorder) == 1)
  }

  @Test func pauseDoesNotCountTowardsTheLimit() async throws {
    defer { clean() }
    let recorder = try recorder(limit: 1.5)
    speak(0..<16_000)
    recorder.pause()
    clock.advance(by: 10)
    recorder.resume()
    speak(176_000..<192_000)
    #expect(try recorder.stop().frames == 184_000)
    #expect(try NumberedRecording.problem(folder, leastFrames: 184_000) == nil)
    #expect(await ends(recorder) == 1)
  }
}
