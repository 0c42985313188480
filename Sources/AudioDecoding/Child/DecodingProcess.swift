import CSandbox
import ChildProcesses
import Foundation
import Synchronization

/// The process that decodes for this program: `audio-decoder`. It is started when it is first needed, and again
/// if it has ended.
package final class DecodingProcess: Sendable {
  /// The process that all files share.
  package static let shared = DecodingProcess()

  /// A child that has one file.
  struct Child: Sendable {
    let channel: Int32
    let process: pid_t
  }

  private struct Running {
    let process: ChildProcess
    let control: DecoderChannel
  }

  /// How long a child may take to start, with all of FFmpeg's libraries and on a machine that has much to do.
  private static let patience = Duration.seconds(30)

  private let running = Mutex<Running?>(nil)
  private let environment: [String: String]
  private let program: String?

  /// - Parameters:
  ///   - environment: where `audio-decoder` is looked for.
  ///   - program: the path of this program, beside which it is looked for too.
  package init(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    program: String? = ProgramLocator.runningProgram
  ) {
    self.environment = environment
    self.program = program
  }

  deinit { running.withLock { _ = $0.map { close($0.control.descriptor) } } }

  /// The path of the program; nil if it is missing.
  package var executable: String? {
    ProgramLocator.audioDecoder.find(environment: environment, program: program)
  }

  /// The process ID; nil while it is not running.
  package var identifier: pid_t? { running.withLock { $0?.process.identifier } }

  /// Starts the process, so that the first file does not wait for it. Returns at once; opening a file reports errors.
  package func prepare() {
    running.withLock { running in
      guard running == nil, let executable else { return }
      running = try? start(executable)
    }
  }

  /// Starts a child that decodes `file`.
  func open(_ file: LocalFile) throws -> Child {
    guard let executable else { throw AudioError.make(.noService, ProgramLocator.audioDecoder.missing) }
    return try running.withLock { running in
      // The process may have been killed since it was used last; then a new one does the work.
      let wasRunning = running != nil
      do {
        return try connect(&running, executable, file)
      } catch let fault as DecoderChannel.Fault {
        guard wasRunning, fault == .closed else { throw Self.failure(file.path, executable, fault) }
        do {
          return try connect(&running, executable, file)
        } catch let fault as DecoderChannel.Fault {
          throw Self.failure(file.path, executable, fault)
        }
      }
    }
  }

  /// Ends a child that does not answer.
  func end(_ child: Child) {
    running.withLock { running in
      guard let running else { return }
      let request = DecodingService.Request(
        kind: DecodingService.Request.Kind.end.rawValue, process: child.process)
      _ = withUnsafeBytes(of: request) {
        longhand_send_files(running.control.descriptor, $0.baseAddress, $0.count, nil, 0)
      }
    }
  }

  private func connect(_ running: inout Running?, _ executable: String, _ file: LocalFile) throws -> Child {
    let current = try running ?? start(executable)
    running = current
    let (near, far) = try Self.pair(SOCK_STREAM)
    defer { close(far) }
    do {
      let request = DecodingService.Request(kind: DecodingService.Request.Kind.open.rawValue)
      let sent = withUnsafeBytes(of: request) {
        longhand_send_files(current.control.descriptor, $0.baseAddress, $0.count, [file.descriptor, far], 2)
      }
      guard sent > 0 else { throw DecoderChannel.Fault.closed }
      var answer = DecodingService.Answer(process: 0)
      let deadline = SuspendingClock.now + Self.patience
      try withUnsafeMutableBytes(of: &answer) { bytes throws(DecoderChannel.Fault) in
        try current.control.read(into: bytes, until: deadline)
      }
      guard answer.version == DecodingService.Request.version, answer.process > 0 else {
        throw DecoderChannel.Fault.malformed
      }
      return Child(channel: near, process: answer.process)
    } catch {
      close(near)
      close(current.control.descriptor)
      current.process.end()
      running = nil
      throw error
    }
  }

  private func start(_ executable: String) throws -> Running {
    let (near, far) = try Self.pair(SOCK_SEQPACKET)
    defer { close(far) }
    do {
      // No variable but what the system needs to find libraries: a variable may hold a secret.
      let process = try ChildProcess(
        executable, [], environment: environment.filter { $0.key == "LD_LIBRARY_PATH" },
        input: .descriptor(far), output: .null, errors: .null)
      return Running(process: process, control: DecoderChannel(descriptor: near, isClient: true))
    } catch {
      close(near)
      throw AudioError.make(.unspecified, "\(error)")
    }
  }

  private static func pair(_ kind: __socket_type) throws -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw AudioError.make(.unspecified, "cannot start a decoder: \(AudioError.text(errno: errno))")
    }
    return (ends[0], ends[1])
  }

  private static func failure(_ path: String, _ reason: String) -> NSError {
    AudioError.make(.unspecified, "cannot read \(path): \(reason)")
  }

  private static func failure(_ path: String, _ executable: String, _ fault: DecoderChannel.Fault) -> NSError
  {
    switch fault {
    case .closed: failure(path, "\(executable) cannot decode audio; install this version of it again")
    case .stalled: failure(path, "\(executable) did not start in \(patience.components.seconds) s")
    case .malformed: failure(path, "\(executable) is of another version; install this version of it again")
    }
  }
}
