import CSandbox
import Glibc
import Synchronization

/// What a process gives up before it touches data that it must not trust: new privileges, paths, and every system call
/// that it does not need. There is no way back.
package enum Sandbox {
  /// Which system calls a process still needs.
  package enum Program: Sendable {
    /// A decoder: it reads one open file and writes to one socket.
    case decoder
    /// A recognizer: it also waits for its socket, and reads files that it has in memory.
    case recognizer
    /// A recognizer whose threads have started before: they keep their paths, so that no thread may open anything.
    case closedRecognizer
    /// A recognizer that is about to load its model from an open file: it opens nothing any more, and still starts threads.
    case loader
  }

  /// What is in force.
  package struct Protections: Sendable, Equatable, Codable {
    /// Whether the process can gain no privileges.
    package var privileges: Bool
    /// The version of Landlock, which forbids paths; 0 if the kernel lacks it.
    package var landlock: Int
    /// Whether the system calls are filtered.
    package var calls: Bool

    /// What is not in force, and what a vulnerability in the process could therefore do; nil if nothing is missing.
    package var weakness: String? {
      var parts: [String] = []
      if landlock == 0 { parts.append("this kernel has no Landlock") }
      if !calls { parts.append("this kernel has no filter for system calls (seccomp)") }
      if !privileges { parts.append("this kernel cannot forbid new privileges") }
      return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
  }

  /// The version of the kernel's Landlock; 0 if it has none.
  package static var landlockVersion: Int { max(0, Int(longhand_landlock_version())) }

  /// Forbids this thread, and what it starts, new privileges and all paths.
  package static func forbidPaths() -> Protections {
    let privileges = longhand_forbid_privileges() == 0
    let isForbidden = privileges && longhand_forbid_paths() == 0
    return Protections(
      privileges: privileges, landlock: isForbidden ? landlockVersion : 0, calls: false)
  }

  /// Forbids all threads of this process the system calls that `program` does not need.
  /// - Returns: whether the kernel can do that.
  package static func filterCalls(for program: Program) -> Bool {
    let list =
      switch program {
      case .decoder: longhand_decoder_calls
      case .recognizer: longhand_recognizer_calls
      case .closedRecognizer: longhand_closed_recognizer_calls
      case .loader: longhand_loader_calls
      }
    // A crash ends the process at once: Swift's report of it needs calls that are refused, and would begin again for ever.
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { signal(number, SIG_DFL) }
    return longhand_filter_calls(Int32(list)) == 0
  }

  /// Puts a recognizer that has loaded its model into its sandbox. Threads that have started before keep their paths,
  /// unless the recognizer is a closed one; see `forbidPaths`.
  /// - Parameters:
  ///   - memory: the bytes that decoding may take; PocketSphinx takes some hundred megabytes.
  ///   - isClosed: whether it opens nothing any more, not even files in memory.
  package static func enterRecognizer(memory: UInt64 = 2 << 30, isClosed: Bool = false) -> Protections {
    // Models of phrases are written to files in memory.
    limit(memory: memory, fileSize: 64 << 20, files: 64)
    var protections = forbidPaths()
    protections.calls = filterCalls(for: isClosed ? .closedRecognizer : .recognizer)
    return protections
  }

  /// Whether this process is in the sandbox of a loader, or has been.
  package static var isLoader: Bool { loader.withLock { $0 } }
  private static let loader = Mutex(false)

  /// Puts a recognizer that has opened its model into a sandbox of its own, before a library reads the model.
  package static func enterLoader() {
    ProcessMemory.open()
    _ = forbidPaths()
    _ = filterCalls(for: .loader)
    loader.withLock { $0 = true }
  }

  /// Limits the process.
  /// - Parameters:
  ///   - memory: the bytes of address space that it may use more than now.
  ///   - fileSize: the bytes that it may write to a file.
  ///   - files: descriptors that it opens are below this number.
  package static func limit(memory: UInt64, fileSize: UInt64, files: UInt64) {
    _ = longhand_limit(UInt64(ProcessMemory.addressSpace ?? 1 << 30) + memory, fileSize, files)
  }

  /// Ends this process after so much processor time.
  package static func limit(processorSeconds seconds: UInt64) { _ = longhand_limit_processor(seconds) }

  /// Tries what must be refused.
  /// - Returns: the `errno` of each attempt, 0 where nothing was refused.
  package static func attempts() -> [String: Int32] {
    var results: [String: Int32] = [:]
    var number: Int32 = 0
    while true {
      var name: UnsafePointer<CChar>?
      let result = longhand_attempt(number, &name)
      guard result >= 0, let name else { return results }
      results[String(cString: name)] = result
      number += 1
    }
  }
}
