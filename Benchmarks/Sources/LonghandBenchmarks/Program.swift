import Foundation

/// Another program, run to its end, with the time and the memory that it took.
struct Program {
  struct Failure: Error, CustomStringConvertible {
    var description: String
    /// What the program ended with, if it is about one.
    var status: Int32?
  }

  /// What came of a run.
  struct Run {
    /// Seconds on the wall.
    var seconds: Double
    /// Seconds of processors, of the program and everything that it started.
    var processorSeconds: Double
    /// The memory of the program and everything that it started, second by second.
    var memory: MemoryProfile
    var output: Data
  }

  /// Runs `command`, found on `PATH`. With `name` a line says how long it took.
  ///
  /// - Throws: `Failure` with the end of standard error, unless it ended with status 0.
  @discardableResult
  static func run(_ command: [String], in folder: URL, name: String? = nil) throws -> Run {
    if let name { Log.say("\(name) …") }
    // Files and not pipes: nobody has to empty them while the program runs.
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
