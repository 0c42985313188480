import ChildProcesses
import Foundation

/// A network that the user has installed, in a process of its own that answers one request at a time.
///
/// The library that runs the network ends its process on some errors, so that whatever goes wrong there is an error here.
/// The process cannot open files or sockets once it has loaded the network. What it answers must be checked.
package final class ModelProcess: Sendable {
  /// Why there is no answer, as a sentence.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
  }

  private let process: ServiceProcess

  /// Starts the process.
  /// - Parameters:
  ///   - service: the path of the executable; nil if there is none.
  ///   - arguments: the kind of the network, its folder, and options.
  /// - Throws: `Failure`; `ServiceChannelError` if there are too many open files.
  package init(_ service: String?, _ arguments: [String]) throws {
    guard let service else { throw Failure(description: Recognizer.sherpaOnnx.locator.missing) }
    do {
      process = try ServiceProcess(service, arguments)
    } catch let error as ChildProcess.LaunchError {
      throw Failure(description: "\(error)")
    }
  }

  /// Ends the process at once, from any thread.
  package func kill() { process.kill() }

  /// Sends a request and returns the answer. The calling thread waits.
  /// - Parameters:
  ///   - seconds: how long `exchange` may take.
  ///   - exchange: sends to the process and receives from it, by a deadline.
  /// - Throws: `Failure`, and what `exchange` throws.
  package func ask<Answer>(
    within seconds: Double, _ exchange: (ServiceProcess, ServiceDeadline) throws -> Answer
  ) throws -> Answer {
    do {
      return try exchange(process, process.deadline(in: seconds))
    } catch ServiceChannelError.timeout, ServiceChannelError.stalled {
      throw Failure(description: "The model gave no answer in time.")
    } catch ServiceChannelError.malformed(let what) {
      throw Failure(description: "The model's answer cannot be read: \(what).")
    } catch is ServiceChannelError {
      throw Failure(
        description:
          "The model ended its process. Check it with 'longhand models verify', or install it again.")
    }
  }
}
