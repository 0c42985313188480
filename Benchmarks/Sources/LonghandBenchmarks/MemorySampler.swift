import Foundation
import Synchronization

/// Samples the resident memory of a process and its descendants every second, from `/proc`.
///
/// It is the sum of all resident sets. Shared memory, such as a model in the page cache, counts more than once, so the
/// figure is rather too high. Without `/proc` there are no samples.
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
        // Sleeps in small steps, so that `stop` returns soon.
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

/// The resident memory of a program over time.
struct MemoryProfile {
  /// Seconds since the start, and bytes.
  var samples: [(seconds: Double, bytes: Double)] = []

  /// The maximum.
  var peak: Double { samples.map(\.bytes).max() ?? 0 }

  /// The memory after `seconds`; nil if the program had ended by then.
  func bytes(after seconds: Double) -> Double? { samples.first { $0.seconds >= seconds }?.bytes }

  /// The memory before the end: the maximum of the last five samples, because the program may release memory while it
  /// exits.
  var atEnd: Double { samples.suffix(5).map(\.bytes).max() ?? 0 }

  /// The growth in bytes per second: the least-squares slope of the second half. Nil for runs of less than a minute, which
  /// are mostly warm-up.
  var slope: Double? {
    let half = samples.suffix(samples.count / 2)
    guard half.count >= 30 else { return nil }
    let count = Double(half.count)
    let meanTime = half.reduce(0) { $0 + $1.seconds } / count
    let meanBytes = half.reduce(0) { $0 + $1.bytes } / count
    let spread = half.reduce(0) { $0 + ($1.seconds - meanTime) * ($1.seconds - meanTime) }
    guard spread > 0 else { return nil }
    return half.reduce(0) { $0 + ($1.seconds - meanTime) * ($1.bytes - meanBytes) } / spread
  }
}
