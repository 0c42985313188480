#if os(Linux)
  import AVFAudio
  import Foundation
  import SoundServer
  import TestSupport
  import Testing

  @testable import LonghandRecording

  /// Recordings of two sources on a machine that has no time for them, beside the sound server's own recorder.
  @Suite(.tagged(.soundServer), .timeLimit(.minutes(20))) struct BusyMachineTests {
    /// Eight processes are busy for ten minutes. On a machine that runs other tests, the two recorders are held up
    /// differently, so that only `make soak` compares them.
    @Test(.enabled(if: isSoak)) func twoSourcesLoseNoMoreThanTheServersOwnRecorder() async throws {
      let parent = FileManager.default.temporaryDirectory.appendingPathComponent("busy-\(UUID())")
      try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: parent) }
      let folder = RecordingFolder(parent.appendingPathComponent("session"))
      let server = try await PulseServer()
      try server.control(
        "load-module", "module-null-sink", "sink_name=other", "rate=16000", "channels=1", "norewinds=1")
      let (file, noise) = try server.noise(seconds: 600)
      let (address, sinks) = (server.address, ["mic", "other"])
      let sources = sinks.map { name in
        EngineCapture(name: name) {
          let engine = AVAudioEngine(server: address)
          engine.inputNode.source =
            try? CaptureDevice.all(server: address).first { $0.name == "\(name).monitor" }
          return engine
        }
      }
      let files = sinks.map { parent.appendingPathComponent($0) }
      let others = try zip(sinks, files).map { try server.record("\($0).monitor", to: $1) }
      let recorder = try AudioRecorder(folder, from: CombinedCapture(sources))
      try await Task.sleep(for: .seconds(1.5))
      let players = try sinks.map { try server.play(file, to: $0) }
      let busy = try (0..<8).map { _ in
        try ChildProcess(["sh", "-c", "while :; do :; done"], environment: [:])
      }
      while players.contains(where: \.isRunning) { try await Task.sleep(for: .milliseconds(100)) }
      try await Task.sleep(for: .seconds(1.5))
      for program in busy + others { program.kill() }
      let manifest = try recorder.stop()
      let all = RecordingFormat.samples(in: try Data(contentsOf: folder.audio).dropFirst(WaveHeader.length))
      for (channel, file) in files.enumerated() {
        let mine = stride(from: channel, to: all.count, by: 2).map { Float(all[$0]) / 32_768 }
        let theirs = RecordingFormat.samples(in: try Data(contentsOf: file)).map { Float($0) / 32_768 }
        let kept = SignalComparison(of: noise, in: mine, rate: 16_000, reach: 1600)
        let reference = SignalComparison(of: noise, in: theirs, rate: 16_000, reach: 1600)
        let gaps = manifest.gaps.filter { $0.channel == nil || $0.channel == channel }
          .reduce(0.0) { $0 + Double($1.frames) / 16_000 }
        print(
          "\(sinks[channel]): \(kept.missing) and \(reference.missing) of \(kept.chunks) missing, \(gaps) s in gaps"
        )
        #expect(kept.missing <= reference.missing + 2)
        #expect(gaps <= Double(reference.missing) / 4 + 0.5)
      }
    }
  }
#endif
