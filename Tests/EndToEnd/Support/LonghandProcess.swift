import Foundation
import Synchronization
import TestSupport

/// The built `longhand`, run as its users run it.
final class LonghandProcess: Sendable {
  /// What came out of a run.
  struct Result: Sendable {
    /// The exit status; 128 and the signal's number when a signal killed it.
    var status: Int32
    var output: String
    var errors: String
    /// The lines of standard output.
    var outputLines: [String] { output.split(separator: "\n").map(String.init) }
    /// The lines of standard error.
    var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
  }

  /// What standard input is.
  enum Input {
    /// Nothing, at its end at once.
    case empty
    /// These bytes.
    case bytes(Data)
    /// Nothing, and never at its end.
    case open
    /// A descriptor of the test's own.
    case handle(FileHandle)
  }

  /// It took longer than it may.
  struct DeadlineExceeded: Error {
    let errors: String
  }

  /// The folder that the package's products were built into: the test bundle lies there too.
  static let products: URL = {
    let bundle = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    return bundle.resolvingSymlinksInPath().deletingLastPathComponent()
  }()
  static var executable: URL { products.appendingPathComponent("longhand") }

  // The lock guards `Process`, which knows nothing of concurrency.
  private let process: Mutex<Process>
  private let collected: Task<(output: Data, errors: Data), Never>
  private let keepOpen: Pipe?

  /// Starts it.
  ///
  /// - Parameters:
  ///   - environment: added to the test's own and to that of `TestedRecognizer`; an empty value takes a variable away.
  ///   - shell: runs the arguments as one line of bash instead, with `longhand` on the path.
  init(
    _ arguments: [String], input: Input = .empty, environment: [String: String] = [:], in folder: URL? = nil,
    shell: Bool = false
  ) throws {
    let process = Process()
    let command =
      shell ? ["/bin/bash", "-c", arguments.joined(separator: " ")] : [Self.executable.path] + arguments
    #if os(Linux)
      // A signal that the tests' own process ignores (`nohup`, and SIGPIPE below) would be ignored here too.
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["--default-signal"] + command
    #else
      process.executableURL = URL(fileURLWithPath: command[0])
      process.arguments = Array(command.dropFirst())
    #endif
    if let folder { process.currentDirectoryURL = folder }
    let own = TestedRecognizer.current.variables.merging(environment) { $1 }
    var variables = ProcessInfo.processInfo.environment.merging(own) { $1 }
    for (name, value) in own where value.isEmpty { variables[name] = nil }
    variables["PATH"] = Self.products.path + ":" + (variables["PATH"] ?? "/usr/bin:/bin")
    process.environment = variables
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    var keepOpen: Pipe?
    switch input {
    case .empty: process.standardInput = FileHandle.nullDevice
    case .handle(let handle): process.standardInput = handle
    case .open, .bytes:
      let pipe = Pipe()
      process.standardInput = pipe
      keepOpen = pipe
    }
    try process.run()
    if case .bytes(let data) = input, let writing = keepOpen?.fileHandleForWriting {
      keepOpen = nil
      Self.write(data, to: writing)
    }
    self.keepOpen = keepOpen
    let outputHandle = output.fileHandleForReading
    let errorsHandle = errors.fileHandleForReading
    collected = Task {
      async let output = Self.read(outputHandle)
      async let errors = Self.read(errorsHandle)
      return (await output, await errors)
    }
    self.process = Mutex(process)
  }

  /// The environment in which a service fails on some pieces, again and again.
  /// - Parameters:
  ///   - pieces: their numbers, from 0, separated by commas.
  ///   - service: the program of the real one.
  static func faultyService(pieces: String, of service: String = "pocketsphinx-service") -> [String: String] {
    [
      "SPEECH_SERVICE_PATH": products.appendingPathComponent("scripted-speech-service").path,
      "SPEECH_FAULTY_SERVICE": products.appendingPathComponent(service).path,
      "SPEECH_FAULTY_UTTERANCES": pieces,
    ]
  }

  /// Runs it to its end.
  static func run(
    _ arguments: String..., input: Input = .empty, environment: [String: String] = [:], in folder: URL? = nil
  ) async throws -> Result {
    try await LonghandProcess(arguments, input: input, environment: environment, in: folder).result()
  }

  /// Runs a line of bash to its end.
  static func shell(
    _ line: String, environment: [String: String] = [:], in folder: URL? = nil
  ) async throws -> Result {
    try await LonghandProcess([line], environment: environment, in: folder, shell: true).result()
  }

  /// Whether it has not ended yet.
  var isRunning: Bool { process.withLock(\.isRunning) }
  /// Its number among the system's processes.
  var identifier: Int32 { process.withLock(\.processIdentifier) }

  /// The program that it is now: a shell's line may have become another. Nil if it is not known.
  var program: String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(identifier)/exe")
  }

  /// Sends a signal.
  func send(_ signal: Int32) {
    let identifier = process.withLock { $0.processIdentifier }
    kill(identifier, signal)
  }

  /// Looks again and again while it runs, for five minutes at most, until a look returns false. On a thread of its own: the tests' common ones are
  /// few, and one that waits its turn among them may see nothing before the program's end.
  func watch(every milliseconds: UInt32 = 5, _ look: @escaping @Sendable () -> Bool) async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let end = ContinuousClock.now + .seconds(300)
        while self.isRunning, ContinuousClock.now < end, look() { usleep(milliseconds * 1000) }
        continuation.resume()
      }
    }
  }

  /// Waits for its end; kills it when it takes too long.
  func result(within deadline: Duration = .seconds(400)) async throws -> Result {
    let end = ContinuousClock.now + deadline
    while process.withLock(\.isRunning) {
      if ContinuousClock.now > end {
        send(SIGKILL)
        throw DeadlineExceeded(errors: String(decoding: await collected.value.errors, as: UTF8.self))
      }
      try await Task.sleep(for: .milliseconds(10))
    }
    let (status, reason) = process.withLock { ($0.terminationStatus, $0.terminationReason) }
    let (output, errors) = await collected.value
    return Result(
      status: reason == .uncaughtSignal ? 128 + status : status,
      output: String(decoding: output, as: UTF8.self),
      errors: String(decoding: errors, as: UTF8.self))
  }

  private static func read(_ handle: FileHandle) async -> Data {
    await withCheckedContinuation { continuation in
      // A thread of its own: many of these wait at once, and Dispatch's threads are few.
      Thread.detachNewThread {
        let data = (try? handle.readToEnd()) ?? Data()
        // A `Process` on Linux is not released after its end, and neither are its pipes. From about 1,350 open descriptors
        // on, `Process.run()` reads outside of its memory and may crash: swift-corelibs-foundation, pull request 5472.
        try? handle.close()
        continuation.resume(returning: data)
      }
    }
  }

  private static func write(_ data: Data, to handle: FileHandle) {
    // The program may end before it has read everything; that is no failure of the test.
    signal(SIGPIPE, SIG_IGN)
    Thread.detachNewThread {
      try? handle.write(contentsOf: data)
      try? handle.close()
    }
  }
}
