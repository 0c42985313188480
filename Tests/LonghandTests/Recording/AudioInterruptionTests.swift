import AVFAudio
import Foundation
import LonghandTesting
import ScriptedSpeech
import Synchronization
import Testing

@testable import LonghandRecording

/// Recording on a phone: calls, devices that come and go, the system's audio that starts anew, and the background.
@Suite struct AudioInterruptionTests {
  /// A microphone that the system may take away, as iOS does: it stops the engine and posts notifications.
  private final class Phone: AudioCapture {
    private struct State {
      var take: (@Sendable (CapturedAudio) -> Void)?
      var isTaken = false
      var hasMicrophone = true
      var position: Int64 = 0
    }

    let name = "phone"
    private let audio = AVAudioSession()
    private let session: RecordingAudioSession
    private let state = Mutex(State())

    init() { session = RecordingAudioSession(audio, stopsWithDevice: false) }

    var isInterrupted: Bool { session.isInterrupted }
    var isRunning: Bool { state.withLock { $0.take != nil } }

    func format() throws -> RecordingFormat { RecordingFormat(sampleRate: 16_000, channels: 1) }

    func start(_ take: @escaping @Sendable (CapturedAudio) -> Void) throws {
      let isPossible = state.withLock { $0.hasMicrophone && !$0.isTaken }
      guard isPossible else { throw CaptureError.noInput("no microphone") }
      try session.activate(
        isRunning: { [weak self] in self?.isRunning == true }, lost: { take(.failed($0)) })
      state.withLock { $0.take = take }
    }

    func stop() {
      state.withLock { $0.take = nil }
      session.deactivate()
    }

    /// A tenth of a second passes: audio comes if the engine runs. Returns whether it did.
    func pass() -> Bool {
      let (take, position) = state.withLock { state in
        defer { state.position += 1600 }
        return (state.take, state.position)
      }
      take?(.samples(Data(count: 3200), at: position))
      return take != nil
    }

    private func stopEngine() { state.withLock { $0.take = nil } }

    private func post(_ name: Notification.Name, _ information: [String: UInt] = [:]) {
      NotificationCenter.default.post(name: name, object: audio, userInfo: information)
    }

    func beginInterruption(stopsFirst: Bool) {
      state.withLock { $0.isTaken = true }
      if stopsFirst { stopEngine() }
      post(
        AVAudioSession.interruptionNotification,
        [AVAudioSessionInterruptionTypeKey: AVAudioSession.InterruptionType.began.rawValue])
      stopEngine()
    }

    func endInterruption(shouldResume: Bool) {
      state.withLock { $0.isTaken = false }
      let options: AVAudioSession.InterruptionOptions = shouldResume ? .shouldResume : []
      post(
        AVAudioSession.interruptionNotification,
        [
          AVAudioSessionInterruptionTypeKey: AVAudioSession.InterruptionType.ended.rawValue,
          AVAudioSessionInterruptionOptionKey: options.rawValue,
        ])
    }

    func setMicrophone(_ isThere: Bool) {
      state.withLock { $0.hasMicrophone = isThere }
      if !isThere { stopEngine() }
      let reason: AVAudioSession.RouteChangeReason = isThere ? .newDeviceAvailable : .oldDeviceUnavailable
      post(AVAudioSession.routeChangeNotification, [AVAudioSessionRouteChangeReasonKey: reason.rawValue])
    }

    func resetMediaServices() {
      stopEngine()
      post(AVAudioSession.mediaServicesWereResetNotification)
    }
  }

  /// A run: the clock, and what was missing and why.
  private struct Run {
    let phone = Phone()
    let clock = ManualClock()
    let recorder: AudioRecorder
    /// The tenths of a second without audio, and those in which something else had the microphone.
    var silent: Set<Int> = []
    var taken: Set<Int> = []
    var now = 0

    init(_ folder: RecordingFolder) throws {
      let clock = clock
      recorder = try AudioRecorder(folder, from: phone) { clock.now }
    }

    /// - Parameter isSuspended: whether the program gets no time, as in the background without the mode for audio.
    mutating func pass(tenths: Int, taken isTaken: Bool = false, isSuspended: Bool = false) {
      for _ in 0..<tenths {
        clock.advance(by: 0.1)
        if !phone.pass() { silent.insert(now) }
        if isTaken { taken.insert(now) }
        now += 1
        if !isSuspended, now.isMultiple(of: 2) { recorder.flush() }
      }
    }
  }

  @Test(arguments: 0..<12) func everyGapHasItsReasonAndRecordingGoesOn(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("phone-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var run = try Run(RecordingFolder(folder.appendingPathComponent("session")))
    run.pass(tenths: 20)
    for _ in 0..<8 {
      let length = Int.random(in: 1...60, using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0, 1:
        run.phone.beginInterruption(stopsFirst: Bool.random(using: &generator))
        run.pass(tenths: length, taken: true)
        run.phone.endInterruption(shouldResume: Bool.random(using: &generator))
      case 2:
        // The background without the mode for audio: the system suspends the program.
        run.phone.beginInterruption(stopsFirst: true)
        run.pass(tenths: length, taken: true, isSuspended: true)
        run.phone.endInterruption(shouldResume: true)
      case 3:
        run.phone.setMicrophone(false)
        run.pass(tenths: length)
        run.phone.setMicrophone(true)
      default: run.phone.resetMediaServices()
      }
      // Long enough that the source is opened again.
      run.pass(tenths: 60)
      #expect(run.phone.isRunning, "seed \(seed): recording goes on")
    }
    let manifest = try run.recorder.stop()
    let total = Int64(run.now) * 1600
    #expect(abs((manifest.frames ?? 0) - total) <= 3200, "seed \(seed)")
    #expect(abs(manifest.gaps.reduce(0) { $0 + $1.frames } - Int64(run.silent.count) * 1600) <= 1600 * 16)
    for gap in manifest.gaps where gap.frames > 0 {
      let tenths = Int(gap.start / 1600)...Int((gap.start + gap.frames) / 1600)
      let isCall = tenths.contains { run.taken.contains($0) }
      #expect(gap.reason == (isCall ? .interrupted : .device), "seed \(seed): \(gap)")
    }
    for tenth in run.silent.sorted() {
      let frame = Int64(tenth) * 1600 + 800
      let isCovered = manifest.gaps.contains {
        $0.start - 3200 <= frame && frame <= $0.start + $0.frames + 3200
      }
      #expect(isCovered, "seed \(seed): second \(Double(tenth) / 10) is missing without a gap")
    }
  }
}
