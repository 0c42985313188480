import Foundation

/// Runs another program to its end, and measures its time and memory.
struct Program {
  struct Failure: Error, CustomStringConvertible {
    var description: String
    /// The exit status of the program, if it has ended.
    var status: Int32?
  }

  /// The result of a run.
  struct Run {
    /// The elapsed time in seconds.
    var seconds: Double
    /// The processor time in seconds, of the program and all processes that it has started.
    var processorSeconds: Double
    /// The memory of the program and all processes that it has started, for each second.
    var memory: MemoryProfile
    var output: Data
  }

  /// Runs `command`, which is searched on `PATH`. If `name` is given, logs the elapsed time.
  ///
  /// - Throws: `Failure` with the end of standard error, unless the exit status is 0.
  @discardableResult
  static func run(_ command: [String], in folder: URL, name: String? = nil) throws -> Run {
    if let name { Log.say("\(name) …") }
    // Files and not pipes, which would have to be read while the program runs.
    let output = folder.appendingPathComponent("output-\(UUID())")
    let errors = folder.appendingPathComponent("errors-\(UUID())")
    for file in [output, errors] { try Data().write(to: file) }
    defer {
      for file in [output, errors] { try? FileManager.default.removeItem(at: file) }
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    let processors = ProcessorTime()
    let start = ContinuousClock.now
    try process.run()
    let sampler = MemorySampler(process: process.processIdentifier)
    sampler.start()
    process.waitUntilExit()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let memory = sampler.stop()
    let processorSeconds = processors.end()
    guard process.terminationStatus == 0, process.terminationReason == .exit else {
      let why = String(decoding: try Data(contentsOf: errors).suffix(400), as: UTF8.self)
      throw Failure(
        description: "\(command.joined(separator: " ").prefix(200)): \(process.terminationStatus): \(why)",
        status: process.terminationStatus)
    }
    if let name { Log.say("\(name): \(Figure.seconds(seconds))") }
    return Run(
      seconds: seconds, processorSeconds: processorSeconds, memory: memory,
      output: try Data(contentsOf: output))
  }
}

/// Prints progress on standard error.
enum Log {
  static func say(_ text: String) {
    FileHandle.standardError.write(Data("benchmarks: \(text)\n".utf8))
  }
}
