import ChildProcesses
import Foundation

/// A service in a process of its own, with the channel to it. The process ends with this object.
package final class ServiceProcess: Sendable {
  /// The messages between this process and the service.
  package let channel: ServiceChannel
  private let process: ChildProcess

  /// The variables that services get, and all that begin with `SPEECH_`: where libraries and models are, and how to
  /// compute. A service decodes what strangers send: the secrets of a user's shell are not for it.
  private static let passed: Set = [
    "PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH", "XDG_DATA_HOME", "POCKETSPHINX_PATH",
    "OMP_NUM_THREADS", "OMP_WAIT_POLICY", "SWIFT_BACKTRACE",
  ]

  /// Starts a service.
  /// - Parameters:
  ///   - environment: the variables of which it gets a part; nil for those of this process.
  ///   - errors: where what it writes to standard error goes.
  /// - Throws: `ServiceChannelError`, or `ChildProcess.LaunchError` if the executable cannot be run.
  package init(
    _ executable: String, _ arguments: [String] = [], environment: [String: String]? = nil,
    errors: ChildProcess.Stream = .null
  ) throws {
    let (near, far) = try ServiceChannel.pair()
    defer { far.close() }
    let environment = (environment ?? ProcessInfo.processInfo.environment).filter {
      Self.passed.contains($0.key) || $0.key.hasPrefix("SPEECH_")
    }
    do {
      process = try ChildProcess(
        executable, arguments, environment: environment, input: .descriptor(far.descriptor), output: .null,
        errors: errors)
    } catch {
      near.close()
      throw error
    }
    channel = near
  }

  deinit {
    process.end()
    channel.close()
  }

  /// The process ID.
  package var identifier: pid_t { process.identifier }

  /// A deadline on a clock that stops while the service waits for a processor: on a busy machine it has not hung.
  package func deadline(in seconds: TimeInterval) -> ServiceDeadline {
    ServiceDeadline(seconds: seconds, delay: ProcessorTime.waiting(fromNowOn: identifier))
  }

  /// Ends the service at once, from any thread.
  package func kill() { process.kill() }

  /// Ends the service and collects its status.
  package func end() { process.end() }

  /// Waits until the service has ended.
  /// - Returns: its status.
  package func wait() -> Int32 { process.wait() }
}
