import CSandbox
import Foundation
import Glibc
import Synchronization

/// A program that runs as a child process, at the head of a process group of its own: a signal that is typed in the
/// terminal reaches the parent alone, and `kill()` also reaches what the child has started.
///
/// Foundation's `Process` does not offer this: it waits for the end of every descriptor that the child inherits.
package final class ChildProcess: Sendable {
  /// Where a standard stream of the child leads.
  package enum Stream: Sendable {
    /// To `/dev/null`.
    case null
    /// Where the parent's own stream leads.
    case inherited
    /// To an open file of the parent. The parent closes its copy.
    case descriptor(Int32)
  }

  /// A bound on what the child may use. Each process that it starts has the same bound.
  package enum Limit: Sendable {
    /// Bytes of writable memory. Beyond, it gets no more.
    case memory(Int)
    /// Seconds of processor time. Beyond, `SIGXCPU` ends it.
    case processorSeconds(Int)

    /// The command of a shell that sets the limit. A lower one that is set already stays.
    fileprivate var command: String {
      switch self {
      case .memory(let bytes): "ulimit -d \(bytes >> 10)"
      // The system does not send SIGXCPU at the hard limit.
      case .processorSeconds(let seconds): "ulimit -S -t \(seconds) && ulimit -H -t \(seconds + 10)"
      }
    }
  }

  /// The system did not start the program.
  package struct LaunchError: Error, CustomStringConvertible {
    /// The program's path.
    package let executable: String
    /// The `errno` of the launch.
    package let code: Int32

    package var description: String { "cannot start \(executable): \(String(cString: strerror(code)))" }
  }

  /// The process ID, which is also the group's.
  package let identifier: pid_t
  /// How the process ended, once it has been waited for. After that the ID may belong to another process.
  private let status = Mutex<Int32?>(nil)
  /// The processes that have not been waited for.
  private static let running = Mutex<Set<pid_t>>([])

  /// Starts a program.
  /// - Parameters:
  ///   - executable: its path.
  ///   - environment: its environment; nil for that of the parent.
  ///   - limits: what it may use. It leaves no core dump then.
  ///   - isInterruptible: whether SIGINT and SIGTERM end it even if this process ignores them to end in good order. The
  ///     programs of this package are not: systemd and Slurm send such a signal to all processes, and a recording that is
  ///     finished then needs its recognizers.
  /// - Throws: `LaunchError`.
  package init(
    _ executable: String, _ arguments: [String] = [], environment: [String: String]? = nil, input: Stream,
    output: Stream, errors: Stream, limits: [Limit] = [], isInterruptible: Bool = false
  ) throws(LaunchError) {
    var command = [executable] + arguments
    if !limits.isEmpty {
      guard access(executable, X_OK) == 0 else { throw LaunchError(executable: executable, code: errno) }
      // `posix_spawn` cannot set limits, but the shell can, before it becomes the program.
      let script = (["ulimit -c 0"] + limits.map(\.command)).map { "{ \($0); } 2>/dev/null; " }.joined()
      command = ["/bin/sh", "-c", script + "exec \"$0\" \"$@\""] + command
    }
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (number, stream) in [input, output, errors].enumerated() {
      switch stream {
      case .null: posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
      case .inherited: break
      case .descriptor(let descriptor):
        posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
      }
    }
    posix_spawnattr_setpgroup(&attributes, 0)
    // Threads of the system's pools block signals, and a child inherits that.
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    // What this process ignores, such as SIGPIPE, would be ignored by the child too.
    var unignored = sigset_t()
    sigfillset(&unignored)
    // `nohup` is meant for children too.
    for number in isInterruptible ? [SIGHUP] : [SIGHUP, SIGINT, SIGTERM] { sigdelset(&unignored, number) }
    posix_spawnattr_setsigdefault(&attributes, &unignored)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var texts = command.map { strdup($0) } + [nil]
    var variables = (environment ?? ProcessInfo.processInfo.environment).map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in texts + variables { free(text) } }
    var started: pid_t = 0
    let code = posix_spawn(&started, command[0], &actions, &attributes, &texts, &variables)
    guard code == 0 else { throw LaunchError(executable: executable, code: code) }
    identifier = started
    Self.running.withLock { _ = $0.insert(started) }
    // A thread of the system's pools has a priority of its own, and a child inherits that too instead of what `nice` set.
    let process = __priority_which_t(PRIO_PROCESS.rawValue)
    setpriority(process, id_t(started), getpriority(process, id_t(getpid())))
  }

  deinit { end() }

  /// Kills the process and its group, unless it has been waited for. Any thread may call this.
  package func kill() {
    status.withLock { if $0 == nil { _ = Glibc.kill(-identifier, SIGKILL) } }
  }

  /// Kills the process and its group and waits for its end. Any thread may call this.
  package func end() {
    status.withLock { status in
      guard status == nil else { return }
      _ = Glibc.kill(-identifier, SIGKILL)
      status = collectStatus()
    }
  }

  /// Waits until the process ends. Other threads may call `kill()` meanwhile, but not `end()`.
  /// - Returns: its exit status, or 128 and the number of the signal that ended it.
  package func wait() -> Int32 {
    if let known = status.withLock({ $0 }) { return known }
    // The status is not collected yet, so that the ID stays the process's own until the lock is held.
    awaitEnd()
    return status.withLock { status in
      let collected = status ?? collectStatus()
      status = collected
      return collected
    }
  }

  private func collectStatus() -> Int32 {
    awaitEnd()
    var code: Int32 = 0
    // From here on the ID may belong to another process.
    Self.running.withLock { running in
      while waitpid(identifier, &code, 0) < 0, errno == EINTR {}
      running.remove(identifier)
    }
    // The lower seven bits are a signal's number.
    return code & 0x7F == 0 ? (code >> 8) & 0xFF : 128 + code & 0x7F
  }

  /// Waits until the process ends, and leaves its status.
  private func awaitEnd() {
    var information = siginfo_t()
    while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
  }

  /// Kills all processes and their groups, and waits for the ends of them all. A program calls this last.
  package static func endAll() {
    running.withLock { running in
      // What a killed process has started comes here.
      _ = longhand_adopt_orphans()
      for group in running { _ = Glibc.kill(-group, SIGKILL) }
      for group in running { while waitpid(-group, nil, 0) > 0 || errno == EINTR {} }
      running = []
    }
  }
}

extension ChildProcess {
  /// A pipe for a stream of a child. The caller closes both ends, that for writing as soon as the child has it.
  ///
  /// Unlike the ends of Foundation's `Pipe`, a child inherits neither unless it is given one: a child that kept an end would
  /// never see the other side leave.
  /// - Returns: nil if there is none, with the reason in `errno`.
  package static func pipe() -> (reading: Int32, writing: Int32)? {
    var ends: [Int32] = [-1, -1]
    return longhand_pipe(&ends) == 0 ? (ends[0], ends[1]) : nil
  }

  /// Closes every file but the three standard ones, because a service must not keep the client's files open.
  package static func closeInheritedFiles() {
    for entry in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
      if let descriptor = Int32(entry), descriptor > STDERR_FILENO { close(descriptor) }
    }
  }
}
