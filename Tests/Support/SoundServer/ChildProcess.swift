import Foundation

/// A program that a test runs. `pulseaudio` closes all descriptors that it does not know. Foundation's `Process` then
/// believes that it has ended, and hangs.
package final class ChildProcess {
  private let identifier: pid_t
  private var status: Int32?

  /// Runs `command`, which is searched on `PATH`. Its output goes to `output` and its errors to `errors`, or they are discarded.
  package init(_ command: [String], environment: [String: String], output: Int32? = nil, errors: Int32? = nil)
    throws
  {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in 0..<3 {
      posix_spawn_file_actions_addopen(&actions, Int32(descriptor), "/dev/null", O_RDWR, 0)
    }
    if let output { posix_spawn_file_actions_adddup2(&actions, output, 1) }
    if let errors { posix_spawn_file_actions_adddup2(&actions, errors, 2) }
    var arguments = command.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var identifier: pid_t = 0
    guard posix_spawnp(&identifier, command[0], &actions, nil, &arguments, &variables) == 0 else {
      throw CocoaError(.executableNotLoadable)
    }
    self.identifier = identifier
  }

  deinit { kill() }

  /// Whether the program is running.
  package var isRunning: Bool {
    var code: Int32 = 0
    if status == nil, waitpid(identifier, &code, WNOHANG) == identifier { status = code }
    return status == nil
  }

  /// Waits for the end. Returns whether the exit status is 0.
  package func succeeds() -> Bool {
    var code: Int32 = 0
    if status == nil, waitpid(identifier, &code, 0) == identifier { status = code }
    return status == 0
  }

  /// Sends a signal, if the program is running.
  package func signal(_ number: Int32) { if isRunning { Foundation.kill(identifier, number) } }

  /// Kills the program, like a crash.
  package func kill() {
    signal(SIGKILL)
    _ = succeeds()
  }
}
