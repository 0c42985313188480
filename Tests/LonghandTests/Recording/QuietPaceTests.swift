import Foundation
import LonghandTesting
import Synchronization
import Testing

@testable import LonghandRecording

@Suite struct QuietPaceTests {
  private func samples(_ value: Int16, seconds: Double = 0.1) -> Data {
    (0..<Int(16_000 * seconds)).map { $0.isMultiple(of: 2) ? value : -value }.withUnsafeBytes { Data($0) }
  }

  @Test func quietAudioIsReportedLessAndLessOften() {
    var pace = QuietPace()
    var (reports, syncs): ([Double], [Double]) = ([], [])
    for tenth in 0..<600 {
      let now = Double(tenth) / 10
      pace.take(samples(10), quiet: max(0.02, now), now: now)
      if pace.synchronizes(now: now) { syncs.append(now) }
      if pace.reports(now: now) { reports.append(now) }
    }
    #expect(reports.count { $0 < 2 } == 20)
    #expect((6...14).contains(reports.count { $0 >= 2 && $0 < 20 }))
    #expect((7...9).contains(reports.count { $0 >= 20 }))
    #expect(zip(syncs, syncs.dropFirst()).allSatisfy { $1 - $0 < 2.2 })
    #expect(syncs.count < 60)
  }

  @Test func quietIsUpToTwiceTheNoiseOfTheRoom() throws {
    var pace = QuietPace()
    pace.take(samples(20_000), quiet: 0, now: 0)
    #expect(pace.peak == nil)
    pace.take(samples(-300), quiet: 1.9, now: 0.1)
    #expect(pace.peak == nil)
    pace.take(samples(200), quiet: 2, now: 0.2)
    #expect(abs(try #require(pace.peak) - 600 / 32_768) < 1e-6)
    pace.take(samples(20_000), quiet: 0, now: 0.3)
    #expect(pace.peak == nil)
  }

  @Test func sourceThatDeliversNothingIsNotQuiet() {
    var pace = QuietPace()
    pace.take(samples(0), quiet: 10, now: 10)
    pace.take(Data(), quiet: 10, now: 11)
    #expect(pace.peak != nil)
    pace.take(Data(), quiet: 10, now: 13.1)
    #expect(pace.peak == nil)
  }

  /// A recorder of a quiet room sleeps for seconds, and what comes wakes it.
  @Test func inboxWakesTheRecorderForSoundAndForMuchQuiet() {
    let inbox = CaptureInbox(room: nil)
    let wakes = Mutex(0)
    inbox.onDue { wakes.withLock { $0 += 1 } }
    func put(_ value: Int16) -> Int {
      inbox.put(.samples(samples(value), at: nil), now: 0)
      return wakes.withLock(\.self)
    }
    #expect(put(8000) == 0)
    _ = inbox.take()
    inbox.letWait(bytes: 9600, peak: 0.01)
    #expect(put(300) == 0)
    #expect(put(8000) == 1)
    #expect(put(8000) == 1)
    _ = inbox.take()
    inbox.letWait(bytes: 9600, peak: 0.01)
    #expect(put(0) == 1)
    #expect(put(0) == 1)
    #expect(put(0) == 2)
    inbox.letWait(bytes: 96_000, peak: 0.01)
    inbox.put(.failed("unplugged"), now: 0)
    #expect(wakes.withLock(\.self) == 3)
  }

  @Test func quietAudioIsInTheFileAndSoundIsReported() async throws {
    let parent = FileManager.default.temporaryDirectory.appendingPathComponent("quiet-\(UUID())")
    defer { try? FileManager.default.removeItem(at: parent) }
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    let folder = RecordingFolder(parent.appendingPathComponent("session"))
    let (microphone, clock) = (SimulatedMicrophone(), ManualClock())
    let recorder = try AudioRecorder(folder, from: microphone) { clock.now }
    func speak(_ value: Int16) {
      clock.advance(by: 0.1)
      microphone.speak(samples(value))
    }
    // The estimate of the noise needs two seconds, and the silence two more.
    for _ in 0..<50 { speak(3) }
    recorder.flush()
    for _ in 0..<9 { speak(3) }
    // A kill would lose nothing of it: the file has it although it is not reported.
    let deadline = ContinuousClock.now + .seconds(20)
    func length() -> Int { (try? Data(contentsOf: folder.audio).count) ?? 0 }
    while length() < 80 + 58 * 3200, ContinuousClock.now < deadline {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(length() >= 80 + 58 * 3200)
    for _ in 0..<3 { speak(8000) }
    var durable: [Int64] = []
    for await event in recorder.events {
      if case .durable(let frames) = event { durable.append(frames) }
      if (durable.last ?? 0) >= 59 * 1600 + 1600 { break }
    }
    #expect(durable.contains(80_000))
    #expect(durable.first { $0 > 80_000 } ?? 0 >= 59 * 1600)
    _ = try recorder.stop()
  }
}
