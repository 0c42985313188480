import AVFAudio
import Foundation
import Synchronization

/// A sound server for one test: PulseAudio without a sound card, in its own folder.
///
/// Audio that is played to its null sink `mic` can be recorded from `mic.monitor`. A process has only one server at a time,
/// because the engines of two tests would receive each other's notifications.
package final class PulseServer {
  private static let lock = AsyncLock()

  /// The folder of the server, which `deinit` removes.
  package let folder: URL
  /// The address in the syntax of `PULSE_SERVER`.
  package var address: String { "unix:\(socket.path)" }

  private var socket: URL { folder.appendingPathComponent("native") }
  private var errors: URL { folder.appendingPathComponent("errors") }
  private var process: ChildProcess?

  /// Waits until no other test has a server, starts the server, and waits until it answers.
  package init(rate: Int = 16_000, channels: Int = 1, hasSink: Bool = true) async throws {
    await Self.lock.lock()
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("sound-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try start(rate: rate, channels: channels, hasSink: hasSink)
  }

  deinit {
    // A test waits minutes for a server that has ended, and its failure does not name the cause.
    if let process, !process.isRunning {
      print("The sound server ended by itself: \((try? String(contentsOf: errors, encoding: .utf8)) ?? "")")
    }
    kill()
    try? FileManager.default.removeItem(at: folder)
    Self.lock.unlock()
  }

  /// Starts the server. Without `norewinds` a null sink computes two seconds ahead, and its monitor misses changes.
  package func start(rate: Int = 16_000, channels: Int = 1, hasSink: Bool = true) throws {
    try? FileManager.default.removeItem(at: socket)
    let sink = ["-L", "module-null-sink sink_name=mic rate=\(rate) channels=\(channels) norewinds=1"]
    let descriptor = open(errors.path, O_CREAT | O_RDWR | O_APPEND | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    process = try run(
      ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--log-level=error"]
        + (hasSink ? sink : [])
        + ["-L", "module-native-protocol-unix auth-anonymous=1 socket=\(socket.path)"], errors: descriptor)
    let deadline = Date(timeIntervalSinceNow: 120)
    while (try? control("info")) == nil {
      guard Date() < deadline else { throw CocoaError(.executableNotLoadable) }
      usleep(20_000)
    }
  }

  /// Kills the server, like a crash.
  package func kill() { process = nil }

  /// Suspends or resumes the server process.
  package func suspend(_ suspended: Bool) { process?.signal(suspended ? SIGSTOP : SIGCONT) }

  /// Runs `pactl` and returns its output; throws if it fails.
  @discardableResult
  package func control(_ arguments: String...) throws -> String {
    let output = folder.appendingPathComponent("pactl-\(UUID().uuidString)")
    let descriptor = open(output.path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    guard try run(["pactl"] + arguments, output: descriptor).succeeds() else {
      throw CocoaError(.featureUnsupported)
    }
    return try String(contentsOf: output, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Adds a microphone, `voice`, as the default source: it has the audio that is played to the null sink.
  package func addMicrophone() throws {
    try control("load-module", "module-remap-source", "master=mic.monitor", "source_name=voice")
    try control("set-default-source", "voice")
  }

  /// Plays an audio file to the null sink. Returns the program that plays it.
  package func play(_ file: URL, to sink: String = "mic") throws -> ChildProcess {
    try run(["paplay", "--device=\(sink)", file.path])
  }

  /// Records a source with the server's own program, until that is killed: samples of 16 bits, one channel.
  package func record(_ source: String, to file: URL, rate: Int = 16_000) throws -> ChildProcess {
    try run([
      "parec", "--device=\(source)", "--format=s16le", "--rate=\(rate)", "--channels=1", "--raw", file.path,
    ])
  }

  private func run(_ command: [String], output: Int32? = nil, errors: Int32? = nil) throws -> ChildProcess {
    var environment = ProcessInfo.processInfo.environment
    environment["HOME"] = folder.path
    environment["XDG_RUNTIME_DIR"] = folder.path
    environment["PULSE_SERVER"] = address
    return try ChildProcess(command, environment: environment, output: output, errors: errors)
  }
}

extension PulseServer {
  /// Writes a mono file of noise to the folder of the server. Returns the file and its samples.
  package func noise(seconds: Int, rate: Int = 16_000) throws -> (URL, [Float]) {
    let samples = SignalComparison.noise(frames: seconds * rate)
    let settings: [String: Any] = [AVSampleRateKey: Double(rate), AVNumberOfChannelsKey: 1]
    let url = folder.appendingPathComponent("noise.wav")
    guard let format = AVAudioFormat(standardFormatWithSampleRate: Double(rate), channels: 1),
      let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(samples.count))
    else { throw CocoaError(.coderInvalidValue) }
    buffer.frameLength = buffer.frameCapacity
    for (frame, sample) in samples.enumerated() { buffer.floatChannelData?[0][frame] = sample }
    let file = try AVAudioFile(forWriting: url, settings: settings)
    try file.write(from: buffer)
    file.close()
    return (url, samples)
  }
}

/// An asynchronous lock for resources that a process has only once: the audio session and its notifications.
private final class AsyncLock: Sendable {
  private let state = Mutex<(isTaken: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

  /// Waits for the lock and takes it.
  func lock() async {
    await withCheckedContinuation { continuation in
      let isMine = state.withLock { state in
        if state.isTaken { state.waiting.append(continuation) }
        defer { state.isTaken = true }
        return !state.isTaken
      }
      if isMine { continuation.resume() }
    }
  }

  /// Releases the lock, or passes it to the next task that waits.
  func unlock() {
    let next = state.withLock { state in
      state.isTaken = !state.waiting.isEmpty
      return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
    next?.resume()
  }
}
