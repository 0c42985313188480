import Foundation
import LonghandTesting
import Synchronization
import Testing

@testable import LonghandRecording

/// When a recording has ended, its source is closed.
@Suite struct AudioRecorderStopTests {
  /// A source whose second opening goes on only when it is stopped meanwhile.
  private final class SlowSource: AudioCapture {
    let microphone = SimulatedMicrophone()
    let isOpening = DispatchSemaphore(value: 0)
    private let mayOpen = DispatchSemaphore(value: 0)
    private let openings = Mutex(0)

    var name: String { microphone.name }
    func format() throws -> RecordingFormat { try microphone.format() }

    func start(_ take: @escaping @Sendable (CapturedAudio) -> Void) throws {
      let number = openings.withLock { openings in
        openings += 1
        return openings
      }
      if number == 2 {
        isOpening.signal()
        mayOpen.wait()
      }
      try microphone.start(take)
    }

    func stop() {
      microphone.stop()
      if openings.withLock(\.self) == 2 { mayOpen.signal() }
    }
  }

  private func withFolder(_ body: (RecordingFolder) throws -> Void) throws {
    let parent = FileManager.default.temporaryDirectory.appendingPathComponent("recorder-stop-\(UUID())")
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: parent) }
    try body(RecordingFolder(parent.appendingPathComponent("session")))
  }

  @Test func sourceThatFailedJustBeforeTheEndIsNotLeftOpen() throws {
    try withFolder { folder in
      let microphone = SimulatedMicrophone()
      let recorder = try AudioRecorder(folder, from: microphone)
      microphone.fail("unplugged")
      _ = try recorder.stop()
      #expect(!microphone.isOpen)
    }
  }

  @Test func sourceThatIsOpenedAgainWhileTheRecordingEndsIsNotLeftOpen() throws {
    try withFolder { folder in
      let source = SlowSource()
      let recorder = try AudioRecorder(folder, from: source)
      source.microphone.fail("unplugged")
      Thread.detachNewThread { recorder.flush() }
      try #require(source.isOpening.wait(timeout: .now() + 60) == .success)
      _ = try recorder.stop()
      #expect(!source.microphone.isOpen)
    }
  }
}
