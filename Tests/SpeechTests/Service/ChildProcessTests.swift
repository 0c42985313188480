import ChildProcesses
import Dispatch
import Foundation
import TestSupport
import Testing

@Suite struct ChildProcessTests {
  /// The threads of the system's pools have other priorities, where the user may have them.
  @Test(arguments: [DispatchQoS.QoSClass.userInteractive, .userInitiated, .default])
  func programHasThePriorityOfTheProcess(_ quality: DispatchQoS.QoSClass) async throws {
    let expected = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(getpid()))
    let script = "for _ in $(seq 500); do [ $(nice) = \(expected) ] && exit 0; sleep 0.01; done; nice; exit 1"
    let status = try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global(qos: quality).async {
        continuation.resume(
          with: Result {
            try ChildProcess(
              "/bin/sh", ["-c", script], input: .null, output: .inherited, errors: .inherited
            ).wait()
          })
      }
    }
    #expect(status == 0)
  }

  /// What the process itself does not care for, such as a pipe without a reader, ends another program.
  @Test func programIgnoresNoSignalBecauseTheProcessDoes() throws {
    let before = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, before) }
    let process = try ChildProcess(
      "/bin/sh", ["-c", "kill -\(SIGPIPE) $$; exit 0"], input: .null, output: .null, errors: .null)
    #expect(process.wait() == 128 + SIGPIPE)
  }

  @Test func timeWithoutAProcessorIsCounted() async throws {
    var processor: BusyProcessor? = try BusyProcessor(programs: 2)
    let identifiers = processor?.identifiers ?? []
    let process = try #require(identifiers.first)
    #expect(await eventually { ProcessorTime.waiting(process) > 0.2 })
    // A stopped process waits for no processor.
    kill(process, SIGSTOP)
    func state() throws -> String {
      let fields = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8).split(separator: " ")
      return String(fields[2])
    }
    #expect(await eventually { (try? state()) == "T" })
    let before = ProcessorTime.waiting(process)
    #expect(await eventually { ProcessorTime.waiting(identifiers[1]) > 0 })
    #expect(ProcessorTime.waiting(process) == before)
    processor = nil
    #expect(ProcessorTime.waiting(process) == 0)
  }
}
