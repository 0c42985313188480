import Foundation
import Synchronization

/// Watches the resident memory of a process and all that descend from it, second by second, by `/proc`.
///
/// It is the sum of every process's resident set: what several of them share, such as a model in the page cache, counts
/// more than once, so that the figure errs on the side of too much. Without `/proc` there are no samples.
final class MemorySampler: Sendable {
  private let process: Int32
  private let state = Mutex((isDone: false, profile: MemoryProfile()))
  private let ended = DispatchSemaphore(value: 0)

  init(process: Int32) { self.process = process }

  func start() {
    let thread = Thread { [self] in
      let start = ContinuousClock.now
      while !state.withLock(\.isDone) {
        let bytes = Self.residentBytes(ofTreeUnder: process)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        if bytes > 0 { state.withLock { $0.profile.samples.append((seconds, bytes)) } }
        // In small steps, so that short programs are not waited for.
        for _ in 0..<20 where !state.withLock(\.isDone) { Thread.sleep(forTimeInterval: 0.05) }
      }
      ended.signal()
    }
    thread.start()
  }

  func stop() -> MemoryProfile {
    state.withLock { $0.isDone = true }
    ended.wait()
    return state.withLock(\.profile)
  }

  private static func residentBytes(ofTreeUnder root: Int32) -> Double {
    ProcessTable().tree(under: root).reduce(0) { $0 + residentBytes(of: $1) }
  }

  private static func residentBytes(of process: Int32) -> Double {
    guard let line = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8) else { return 0 }
    let fields = line.split(separator: " ")
    guard fields.count > 1, let pages = Double(fields[1]) else { return 0 }
    return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
  }
}
