import Foundation
import Longhand
import LonghandTesting
import Testing

@testable import LonghandServer

@Suite struct PieceReceiverTests {
  private var receiver = PieceReceiver(stream: "a", now: 0)

  @Test mutating func pieceThatIsSentAgainCountsOnce() throws {
    #expect(try receiver.take(10, at: 0, of: "a", now: 1) == (0, nil))
    #expect(try receiver.take(10, at: 0, of: "a", now: 1) == (10, nil))
    // A request after an outage has what was sent before, and more.
    #expect(try receiver.take(14, at: 6, of: "a", now: 1) == (4, nil))
    #expect(try receiver.take(0, at: 20, of: "a", now: 1) == (0, nil))
    #expect(receiver.received == 20)
  }

  @Test mutating func pieceThatDoesNotFollowIsRefused() throws {
    _ = try receiver.take(10, at: 0, of: "a", now: 1)
    #expect(throws: PieceReceiver.Refusal.hole(received: 10)) {
      try receiver.take(10, at: 12, of: "a", now: 1)
    }
    #expect(throws: PieceReceiver.Refusal.hole(received: 10)) {
      try receiver.take(10, at: .max, of: "a", now: 1)
    }
    #expect(throws: PieceReceiver.Refusal.unknown) { try receiver.take(10, at: 10, of: "b", now: 1) }
    #expect(receiver.received == 10)
  }

  @Test mutating func silentBrowserIsDisconnectedAndLaterGone() throws {
    receiver.begin(now: 100)
    #expect(!receiver.isDisconnected(now: 104.9))
    #expect(receiver.isDisconnected(now: 105))
    #expect(!receiver.isGone(now: 399))
    #expect(receiver.isGone(now: 400))
    // It is back: nothing is missing.
    #expect(try receiver.take(10, at: 0, of: "a", now: 399) == (0, nil))
    #expect(!receiver.isDisconnected(now: 400))
    #expect(!receiver.isGone(now: 400))
  }

  @Test mutating func refusedPieceDoesNotShowThatTheBrowserIsThere() {
    _ = try? receiver.take(10, at: 0, of: "b", now: 100)
    #expect(receiver.isDisconnected(now: 100))
  }

  @Test mutating func pauseIsAGapBeforeTheNextPiece() throws {
    _ = try receiver.take(10, at: 0, of: "a", now: 1)
    receiver.pause(now: 10)
    #expect(!receiver.isDisconnected(now: 1000))
    #expect(!receiver.isGone(now: 1000))
    // It was captured before.
    #expect(try receiver.take(10, at: 10, of: "a", now: 11) == (0, nil))
    receiver.pause(now: 12)
    receiver.resume(now: 40)
    #expect(!receiver.isDisconnected(now: 44))
    #expect(try receiver.take(10, at: 10, of: "a", now: 41) == (10, nil))
    let taken = try receiver.take(10, at: 20, of: "a", now: 41)
    #expect(taken.gap == PieceReceiver.Gap(seconds: 30, reason: .paused))
    #expect(try receiver.take(10, at: 30, of: "a", now: 41) == (0, nil))
  }

  @Test func pauseIsAsLongAsTheBrowserMeasured() throws {
    let cases: [(measured: TimeInterval, expected: TimeInterval)] = [
      (30, 30), (0.5, 0.5), (-1, 2), (1e9, 2), (Double.nan, 2),
    ]
    for (measured, expected) in cases {
      var receiver = PieceReceiver(stream: "a", now: 0)
      // Both requests come late, after an outage.
      receiver.pause(now: 10)
      receiver.resume(now: 12, seconds: measured)
      // The answer was lost.
      receiver.resume(now: 13, seconds: measured)
      let taken = try receiver.take(10, at: 0, of: "a", now: 13)
      #expect(taken.gap == PieceReceiver.Gap(seconds: expected, reason: .paused), "\(measured)")
    }
  }

  @Test mutating func whatTheBrowserMissedIsAGapOnce() throws {
    _ = try receiver.take(10, at: 0, of: "a", now: 1)
    let taken = try receiver.take(10, at: 10, of: "a", missing: 30, now: 31)
    #expect(taken.gap == PieceReceiver.Gap(seconds: 30, reason: .interrupted))
    // The answer was lost, and more came meanwhile.
    #expect(try receiver.take(10, at: 10, of: "a", missing: 30, now: 32) == (10, nil))
    #expect(try receiver.take(20, at: 10, of: "a", missing: 30, now: 32) == (10, nil))
    // A clock that was set.
    let long = try receiver.take(10, at: 30, of: "a", missing: 1e9, now: 33)
    #expect(long.gap == PieceReceiver.Gap(seconds: PieceReceiver.maxMissing, reason: .interrupted))
  }

  @Test mutating func otherBrowserGoesOnAfterAGap() throws {
    _ = try receiver.take(10, at: 0, of: "a", now: 1)
    #expect(receiver.takeOver(now: 61, stream: "b") == "b")
    #expect(throws: PieceReceiver.Refusal.unknown) { try receiver.take(10, at: 10, of: "a", now: 61) }
    let taken = try receiver.take(10, at: 0, of: "b", now: 62)
    #expect(taken.gap == PieceReceiver.Gap(seconds: 60, reason: .device))
    #expect(receiver.received == 10)
  }

  @Test mutating func otherBrowserGoesOnAfterAPause() throws {
    _ = try receiver.take(10, at: 0, of: "a", now: 1)
    receiver.pause(now: 5)
    _ = receiver.takeOver(now: 65, stream: "b")
    let taken = try receiver.take(10, at: 0, of: "b", now: 66)
    #expect(taken.gap == PieceReceiver.Gap(seconds: 60, reason: .paused))
  }
}

@Suite struct BrowserCaptureTests {
  private let folder = RecordingFolder(
    FileManager.default.temporaryDirectory.appendingPathComponent("browser-\(UUID().uuidString)"))

  @Test func recordingHasEachSampleOnceAndItsPauses() throws {
    defer { try? FileManager.default.removeItem(at: folder.url) }
    let clock = ManualClock()
    let capture = BrowserCapture(rate: 1000 * 16) { clock.now }
    let recorder = try AudioRecorder(folder, from: capture, clock: { clock.now })
    let samples = Data((0..<64_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let stream = capture.stream
    #expect(try capture.append(samples.prefix(20_000), at: 0, of: stream) == 20_000)
    #expect(try capture.append(samples.prefix(40_000), at: 0, of: stream) == 40_000)
    // An hour without a connection is not missing.
    clock.advance(by: 3600)
    #expect(throws: PieceReceiver.Refusal.hole(received: 40_000)) {
      try capture.append(Data(count: 2), at: 40_002, of: stream)
    }
    capture.pause()
    clock.advance(by: 2)
    capture.resume()
    #expect(try capture.append(samples.suffix(24_000), at: 40_000, of: stream) == 64_000)
    let manifest = try recorder.stop()
    #expect(manifest.gaps.map(\.reason) == [.paused])
    #expect(manifest.gaps.map(\.frames) == [32_000])
    #expect(manifest.gaps.map(\.start) == [20_000])
    let audio = try Data(contentsOf: folder.audio).dropFirst(80)
    #expect(Data(audio.prefix(40_000)) == Data(samples.prefix(40_000)))
    #expect(Data(audio.suffix(24_000)) == Data(samples.suffix(24_000)))
    #expect(audio.count == 64_000 + 64_000)
    #expect(throws: PieceReceiver.Refusal.unknown) {
      try capture.append(Data(count: 2), at: 64_000, of: stream)
    }
  }
}

/// Tuples are not `Equatable`.
private func == (taken: (known: Int, gap: PieceReceiver.Gap?), other: (Int, PieceReceiver.Gap?)) -> Bool {
  taken.known == other.0 && taken.gap == other.1
}
