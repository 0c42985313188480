#if os(Linux)
  import ChildProcesses
  import Foundation

  /// A processor that some programs keep busy until this object goes.
  public final class BusyProcessor: Sendable {
    /// What a command begins with to run on this processor only.
    public let command: String
    private let programs: [ChildProcess]
    /// The processes that keep it busy.
    public var identifiers: [pid_t] { programs.map(\.identifier) }

    /// Starts the programs.
    /// - Throws: an error if they cannot be started.
    public init(programs count: Int) throws {
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let allowed = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") }
      let command = "/usr/bin/taskset -c \(allowed?.split { !$0.isNumber }.last ?? "0")"
      self.command = command
      programs = try (0..<count).map { _ in
        try ChildProcess(
          "/bin/sh", ["-c", "exec \(command) /bin/sh -c 'while :; do :; done'"], input: .null, output: .null,
          errors: .null)
      }
    }

    deinit { for program in programs { program.end() } }
  }
#endif
