import Foundation

/// A program that a test ran to its end: its exit status and what it wrote.
package struct Program: Sendable {
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  /// The exit status; 128 and the number of the signal if a signal ended it.
  package var status: Int32
  package var output: Data
  package var errors: Data
  /// Standard output as text.
  package var text: String { String(decoding: output, as: UTF8.self) }
  /// Standard error as text.
  package var complaint: String { String(decoding: errors, as: UTF8.self) }

  /// Runs a program to its end and blocks the thread until then.
  ///
  /// - Parameters:
  ///   - command: the program, as a path or a name on `PATH`, and its arguments.
  ///   - folder: its working folder; the test's own without it.
  package static func run(_ command: [String], in folder: URL? = nil) throws -> Program {
    try RunningProgram(command, in: folder).result()
  }

  /// Runs a program to its end without blocking a thread.
  package static func run(_ command: [String], in folder: URL? = nil) async throws -> Program {
    let program = try RunningProgram(command, in: folder)
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        program.process.waitUntilExit()
        continuation.resume()
      }
    }
    return try program.result()
  }

  /// The standard output of a program that must succeed.
  ///
  /// - Throws: `Failure` with its standard error, if its status is not 0.
  @discardableResult
  package static func output(of command: [String], in folder: URL? = nil) throws -> String {
    try run(command, in: folder).successful(command)
  }

  /// As above, without blocking a thread.
  @discardableResult
  package static func output(of command: [String], in folder: URL? = nil) async throws -> String {
    try await run(command, in: folder).successful(command)
  }

  private func successful(_ command: [String]) throws -> String {
    if status == 0 { return text }
    throw Failure(description: "\(command.first ?? "") ended with \(status): \(complaint)")
  }
}

/// Output goes to files, not to pipes: nothing has to empty them while the program runs.
private struct RunningProgram: @unchecked Sendable {
  // `Process` is not Sendable; one task at a time uses it.
  let process = Process()
  private let files: URL

  init(_ command: [String], in folder: URL?) throws {
    files = FileManager.default.temporaryDirectory.appendingPathComponent("program-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    if let folder { process.currentDirectoryURL = folder }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try handle("output")
    process.standardError = try handle("errors")
    try process.run()
  }

  private func handle(_ name: String) throws -> FileHandle {
    let file = files.appendingPathComponent(name)
    try Data().write(to: file)
    return try FileHandle(forWritingTo: file)
  }

  func result() throws -> Program {
    process.waitUntilExit()
    defer { try? FileManager.default.removeItem(at: files) }
    return Program(
      status: process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0),
      output: try Data(contentsOf: files.appendingPathComponent("output")),
      errors: try Data(contentsOf: files.appendingPathComponent("errors")))
  }
}
