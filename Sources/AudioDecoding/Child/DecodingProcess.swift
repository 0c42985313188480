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
    fileprivate let service: Service

    /// Ends it, because it does not answer.
    func end() {
      _ = service.send(.init(kind: DecodingService.Request.Kind.end.rawValue, process: process))
    }
  }

  /// A running `audio-decoder`. It ends with this object, and its children end with it. Each child keeps the object, so that an
  /// error of one file does not end the decoding of another.
  fileprivate final class Service: Sendable {
    private let process: ChildProcess
    private let control: DecoderChannel

    init(_ process: ChildProcess, _ control: DecoderChannel) {
      (self.process, self.control) = (process, control)
    }

    deinit { close(control.descriptor) }

    var identifier: pid_t { process.identifier }

    /// - Returns: a negative `errno` if the request was not sent.
    func send(_ request: DecodingService.Request, _ files: [Int32] = []) -> Int {
      withUnsafeBytes(of: request) {
        longhand_send_files(control.descriptor, $0.baseAddress, $0.count, files, files.count)
      }
    }

    /// Starts a child that gets `file` and `channel`.
    /// - Returns: its process ID, or a negative `errno`: then no other file is affected.
    /// - Throws: `DecoderChannel.Fault` if the service cannot be used any more.
    func open(_ file: Int32, _ channel: Int32) throws(DecoderChannel.Fault) -> pid_t {
      let sent = send(.init(kind: DecodingService.Request.Kind.open.rawValue), [file, channel])
      if sent == -Int(EPIPE) || sent == -Int(ECONNRESET) { throw .closed }
      guard sent > 0 else { return pid_t(sent) }
      var answer = DecodingService.Answer(process: 0)
      let deadline = DecoderChannel.Deadline(in: DecodingProcess.patience, process: identifier)
      try withUnsafeMutableBytes(of: &answer) { bytes throws(DecoderChannel.Fault) in
        try control.read(into: bytes, until: deadline)
      }
      guard answer.version == DecodingService.Request.version, answer.process != 0 else { throw .malformed }
      return answer.process
    }
  }

  /// How long a child may take to start, with all of FFmpeg's libraries and on a machine that has much to do.
  private static let patience = Duration.seconds(30)

  private let running = Mutex<Service?>(nil)
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

  /// The path of the program; nil if it is missing.
  package var executable: String? {
    ProgramLocator.audioDecoder.find(environment: environment, program: program)
  }

  /// The process ID; nil while it is not running.
  package var identifier: pid_t? { running.withLock { $0?.identifier } }

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

  private func connect(_ running: inout Service?, _ executable: String, _ file: LocalFile) throws -> Child {
    let service = try running ?? start(executable)
    running = service
    let (near, far) = try Self.pair(SOCK_STREAM)
    defer { close(far) }
    do {
      let process = try service.open(file.descriptor, far)
      guard process > 0 else {
        throw Self.failure(file.path, "cannot start a decoder: \(AudioError.text(errno: -process))")
      }
      return Child(channel: near, process: process, service: service)
    } catch {
      close(near)
      // A late answer would be taken for that to the next request.
      if error is DecoderChannel.Fault { running = nil }
      throw error
    }
  }

  private func start(_ executable: String) throws -> Service {
    let (near, far) = try Self.pair(SOCK_SEQPACKET)
    defer { close(far) }
    do {
      // No variable but what the system needs to find libraries: a variable may hold a secret.
      let process = try ChildProcess(
        executable, [], environment: environment.filter { $0.key == "LD_LIBRARY_PATH" },
        input: .descriptor(far), output: .null, errors: .null)
      return Service(process, DecoderChannel(descriptor: near, isClient: true))
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
