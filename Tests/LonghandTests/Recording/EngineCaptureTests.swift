#if os(Linux)
  import Foundation
  import SoundServer
  import Synchronization
  import TestSupport
  import Testing

  @testable import AVFAudio
  @testable import LonghandRecording

  /// Recordings from real sound servers.
  @Suite(.tagged(.soundServer), .serialized, .timeLimit(.minutes(5))) struct EngineCaptureTests {
    private let parent: URL
    private let folder: RecordingFolder

    init() throws {
      parent = FileManager.default.temporaryDirectory.appendingPathComponent("engine-capture-\(UUID())")
      try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
      folder = RecordingFolder(parent.appendingPathComponent("session"))
    }

    private func clean() { try? FileManager.default.removeItem(at: parent) }

    /// A source of a server; without a name, its default source.
    private func capture(_ address: String, source name: String? = nil) -> ObservedCapture {
      ObservedCapture(
        EngineCapture {
          let engine = AVAudioEngine(server: address)
          let sources = name == nil ? [] : try? CaptureDevice.all(server: address)
          engine.inputNode.source = sources?.first { $0.name == name }
          return engine
        })
    }

    /// Plays a file to its end, and waits until all of it must be captured.
    private func play(
      _ file: URL, to sink: String = "mic", of server: PulseServer, into capture: ObservedCapture
    ) async throws {
      let begin = capture.frames
      #expect(await eventually { capture.frames > begin }, "nothing is captured")
      let player = try server.play(file, to: sink)
      #expect(await eventually { !player.isRunning }, "the player does not end")
      let end = capture.frames + 16_000
      #expect(await eventually { capture.frames > end }, "the capture ended")
    }

    private func samples() throws -> [Float] {
      try Data(contentsOf: folder.audio).dropFirst(WaveHeader.length).withUnsafeBytes { bytes in
        bytes.bindMemory(to: Int16.self).map { Float(Int16(littleEndian: $0)) / 32_768 }
      }
    }

    @Test func monitorRecordingEqualsThePlayedAudio() async throws {
      defer { clean() }
      let server = try await PulseServer()
      let sink = ["sink_name=other", "rate=16000", "channels=1", "norewinds=1"]
      try server.control("load-module", "module-null-sink", sink[0], sink[1], sink[2], sink[3])
      try server.control("set-default-source", "mic.monitor")
      let (file, noise) = try server.noise(seconds: 6)
      let other = try #require(
        try CaptureDevice.all(server: server.address).first { $0.name == "other.monitor" })
      #expect(EngineCapture(source: other).name == other.description)
      let capture = capture(server.address, source: "other.monitor")
      let recorder = try AudioRecorder(folder, from: capture)
      try await play(file, to: "other", of: server, into: capture)
      let manifest = try recorder.stop()
      #expect(manifest.state == .complete)
      #expect(manifest.gaps.isEmpty)
      #expect(manifest.source == "microphone")
      #expect(manifest.format == RecordingFormat(sampleRate: 16_000, channels: 1))
      #expect(manifest.frames == capture.frames)

      var samples = try samples()
      let comparison = SignalComparison(of: noise, in: samples, rate: 16_000, reach: 1600)
      #expect(comparison.missing == 0)
      #expect(comparison.chunks == 24)
      #expect(comparison.spread <= 320)

      // The comparison detects 30 missing ms. On a busy machine there is much silence around the noise.
      let middle = (samples.firstIndex { abs($0) > 0.05 } ?? 0) + 3 * 16_000
      try #require(middle + 480 < samples.count)
      samples.removeSubrange(middle..<middle + 480)
      let faulty = SignalComparison(of: noise, in: samples, rate: 16_000, reach: 1600)
      #expect(faulty.missing > 0 || faulty.spread > 320)
    }

    /// The new server may have another format; the recording keeps its own.
    @Test(arguments: [(16_000, 1), (48_000, 2)])
    func serverCrashIsAGap(_ rate: Int, _ channels: Int) async throws {
      defer { clean() }
      let server = try await PulseServer()
      let (file, noise) = try server.noise(seconds: 3)
      let capture = capture(server.address)
      let recorder = try AudioRecorder(folder, from: capture)
      try await play(file, of: server, into: capture)
      server.kill()
      #expect(await eventually { !capture.failures.isEmpty })
      let before = capture.frames
      try await Task.sleep(for: .seconds(1))
      try server.start(rate: rate, channels: channels)
      try await play(file, of: server, into: capture)
      let manifest = try recorder.stop()

      let gap = try #require(manifest.gaps.first)
      #expect(manifest.gaps.count == 1)
      #expect(gap.reason == .device)
      #expect(gap.start == before)
      #expect(manifest.frames == capture.frames + gap.frames)
      // The engine's times come from the system's clock, so they show the length of the gap.
      let missing = try #require(capture.jumps.first)
      #expect(capture.jumps.count == 1)
      #expect(missing > 16_000)
      #expect(abs(gap.frames - missing) < 4800, "the gap is \(gap.frames) frames, and \(missing) are missing")

      let samples = try samples()
      for part in [samples[..<Int(gap.start)], samples[Int(gap.start + gap.frames)...]] {
        let comparison = SignalComparison(of: noise, in: Array(part), rate: 16_000, reach: 1600)
        #expect(comparison.missing == 0)
        #expect(comparison.chunks == 12)
        #expect(comparison.spread <= 320)
      }
      #expect(samples[Int(gap.start)..<Int(gap.start + gap.frames)].allSatisfy { $0 == 0 })
    }

    /// A server that hangs keeps the audio, and delivers it later. To open the source again would lose it. A busy machine may
    /// hold up the server for longer than it keeps audio.
    @Test(.enabled(if: isSoak)) func hangingServerLosesNothing() async throws {
      defer { clean() }
      let server = try await PulseServer()
      let (file, noise) = try server.noise(seconds: 3)
      let capture = capture(server.address)
      let recorder = try AudioRecorder(folder, from: capture)
      #expect(await eventually { capture.frames > 16_000 })
      let start = Date()
      server.suspend(true)
      try await Task.sleep(for: .seconds(5))
      server.suspend(false)
      let before = capture.frames
      #expect(await eventually { capture.frames > before + 4 * 16_000 })
      #expect(Date().timeIntervalSince(start) < 8, "it came at once")
      try await play(file, of: server, into: capture)
      let manifest = try recorder.stop()
      #expect(capture.jumps.isEmpty)
      #expect(manifest.gaps.isEmpty)
      let comparison = SignalComparison(of: noise, in: try samples(), rate: 16_000, reach: 1600)
      #expect(comparison.missing == 0)
      #expect(comparison.chunks == 12)
      #expect(comparison.spread <= 320)
      let events = await recorder.events.reduce(into: [RecordingEvent]()) { $0.append($1) }
      #expect(events.contains { if case .sourceLost = $0 { true } else { false } })
      #expect(events.contains { if case .sourceRecovered = $0 { true } else { false } })
    }

    /// The sound server suspends the source, as a system does for a phone call.
    @Test func interruptionIsAGapWithItsReason() async throws {
      defer { clean() }
      let server = try await PulseServer()
      let (file, _) = try server.noise(seconds: 1)
      let capture = capture(server.address)
      let recorder = try AudioRecorder(folder, from: capture)
      #expect(await eventually { capture.frames > 96_000 })
      try server.control("suspend-sink", "mic", "1")
      try await Task.sleep(for: .seconds(5))
      try server.control("suspend-sink", "mic", "0")
      try await play(file, of: server, into: capture)
      let frames = capture.frames
      #expect(await eventually { capture.frames > frames + 96_000 })
      let manifest = try recorder.stop()
      #expect(Set(manifest.gaps.map(\.reason)) == [.interrupted], "\(manifest.gaps)")
    }

    @Test func recordingOwnsTheAudioSession() async throws {
      defer { clean() }
      let server = try await PulseServer()
      let session = NotedSession()
      let address = server.address
      let capture = EngineCapture(session: RecordingAudioSession(session)) {
        AVAudioEngine(server: address)
      }
      let recorder = try AudioRecorder(folder, from: capture)
      #expect(session.calls == ["category record measurement duck", "active true notify"])
      _ = try recorder.stop()
      #expect(session.calls.dropFirst(2) == ["active false notify"])
      // A source that cannot be opened leaves no session behind.
      let failing = EngineCapture(session: RecordingAudioSession(session)) {
        AVAudioEngine(server: "unix:/nowhere")
      }
      #expect(throws: CaptureError.self) { try failing.start { _ in } }
      #expect(session.calls.last != "active true notify")
    }

    @Test func missingServerIsAnErrorWithARemedy() throws {
      defer { clean() }
      let capture = capture("unix:\(parent.path)/none")
      let error = #expect(throws: CaptureError.self) { try AudioRecorder(folder, from: capture) }
      #expect(error?.description.contains("no sound server") == true)
      #expect(error?.description.contains("pulseaudio --start") == true)
      #expect(!FileManager.default.fileExists(atPath: folder.url.path))
    }

    /// The policy is the process's: the other tests of it run one after the other here.
    @Test func refusedPermissionIsAnErrorWithARemedy() async throws {
      defer { AVAudioApplication.PermissionPolicy.current = .init(.granted) }
      AVAudioApplication.PermissionPolicy.current = .init(.undetermined, answer: .denied)
      let error = await #expect(throws: CaptureError.self) { try await EngineCapture().requestPermission() }
      #expect(error?.description.contains("Settings > Privacy & Security > Microphone") == true)
      #expect(AVAudioApplication.shared.recordPermission == .denied)
      AVAudioApplication.PermissionPolicy.current = .init(.undetermined, answer: .granted)
      try await EngineCapture().requestPermission()
      #expect(AVAudioSession.sharedInstance().recordPermission == .granted)
    }

    @Test func missingMicrophoneIsAnErrorWithARemedy() async throws {
      defer { clean() }
      let server = try await PulseServer(hasSink: false)
      let error = #expect(throws: CaptureError.self) {
        try AudioRecorder(folder, from: capture(server.address))
      }
      #expect(error?.description.contains("connect a microphone") == true)
      // With a microphone, the same source can be recorded.
      try server.control("load-module", "module-null-sink", "sink_name=mic")
      #expect(try capture(server.address).format().sampleRate > 0)
    }
  }

  /// An audio session that notes its calls in their order.
  ///
  /// `@unchecked Sendable`: a `Mutex` guards what it adds.
  private final class NotedSession: AVAudioSession, @unchecked Sendable {
    private let noted = Mutex<[String]>([])
    var calls: [String] { noted.withLock(\.self) }

    override func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
      let isExpected = category == .record && mode == .measurement && options == .duckOthers
      noted.withLock { $0.append(isExpected ? "category record measurement duck" : "another category") }
      try super.setCategory(category, mode: mode, options: options)
    }

    override func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
      let notifies = options == .notifyOthersOnDeactivation
      noted.withLock { $0.append("active \(active)\(notifies ? " notify" : "")") }
      try super.setActive(active, options: options)
    }
  }
#endif
