import Foundation
import ScriptedSpeech
import SpeechServiceProtocol

/// Runs each seed in its own process, with its own script.
struct SweepProcesses: Sendable {
  private let options: SweepOptions
  private let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()

  init(_ options: SweepOptions) { self.options = options }

  /// - Returns: whether every seed passed.
  func run() async throws -> Bool {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      var isWell = true
      var running = 0
      for seed in options.first..<options.first + options.count {
        if running == options.jobs, let ended = try await group.next() {
          isWell = isWell && ended
          running -= 1
        }
        group.addTask { try await run(seed) }
        running += 1
      }
      for try await ended in group { isWell = isWell && ended }
      return isWell
    }
  }

  private func run(_ seed: UInt64) async throws -> Bool {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sweep-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let script =
      options.length == nil
      ? SweepSchedule.script(seed: seed, fault: options.fault) : SweepSchedule.longScript(seed: seed)
    var served = try script.environment(in: folder)
    // Each recognizer is played by the same program.
    for recognizer in Recognizer.builtIn { served[recognizer.variable] = SpeechScript.service.path }
    if let model = options.model { served["SPEECH_MODEL"] = model }
    // Tones are no voice.
    served["SPEECH_VOICE_NETWORK"] = ""
    let process = Process()
    process.executableURL = program
    process.arguments = options.arguments(seed: seed) + ["--in", folder.path]
    process.environment = ProcessInfo.processInfo.environment.merging(served) { $1 }.merging([
      "SPEECH_SERVICE_PATIENCE": "\(SweepSchedule.servicePatience)"
    ]) { $1 }
    // Ends a process that does not end at its own deadline.
    let watch = Task {
      try await Task.sleep(for: .seconds(options.deadline + 20))
      process.terminate()
    }
    defer { watch.cancel() }
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in continuation.resume() }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    if process.terminationReason == .exit, process.terminationStatus == 0 { return true }
    let call = ([program.path] + options.arguments(seed: seed)).joined(separator: " ")
    FileHandle.standardError.write(
      Data("seed \(seed) failed (status \(process.terminationStatus)); run it again: \(call)\n".utf8))
    return false
  }
}
