import CProcess
import Foundation

/// The processor time of a program and of all processes that it has started.
///
/// `longhand` waits for its services, but not if it is killed. This process adopts them then and waits for them, so that they
/// count too.
struct ProcessorTime {
  /// How many seconds to wait for services after their client has ended.
  private static let timeout = 5.0

  private let before: Double
  private let own: Set<Int32>

  /// Makes this process the parent of services whose program has ended. Call it once.
  static func adoptOrphans() {
    if benchmarks_adopt_orphans() != 0 {
      Log.say("this system cannot adopt orphans: the processor time of services is missing")
    }
  }

  /// Begins to measure. Run only one program at a time, because all ended children count.
  init() {
    before = Self.ofEndedChildren
    own = ProcessTable().children(of: getpid())
  }

  /// Waits for the services of the program.
  /// - Returns: User and system time since `init`, in seconds.
  func end() -> Double {
    let deadline = ContinuousClock.now + .seconds(Self.timeout)
    var orphans = ProcessTable().children(of: getpid()).subtracting(own)
    while !orphans.isEmpty, ContinuousClock.now < deadline {
      orphans = orphans.filter { waitpid($0, nil, WNOHANG) == 0 }
      if !orphans.isEmpty { Thread.sleep(forTimeInterval: 0.01) }
    }
    if !orphans.isEmpty { Log.say("\(orphans.count) processes did not end: their processor time is missing") }
    return Self.ofEndedChildren - before
  }

  private static var ofEndedChildren: Double {
    var usage = rusage()
    #if os(Linux)
      getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    #else
      getrusage(RUSAGE_CHILDREN, &usage)
    #endif
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}

/// The processes of the machine, from `/proc`; empty without `/proc`.
struct ProcessTable {
  /// The parent of each process.
  private let parents: [Int32: Int32]

  init() {
    var parents: [Int32: Int32] = [:]
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    for process in names.compactMap({ Int32($0) }) {
      // The name is in parentheses and may contain any character. The parent is the second field after it.
      guard let line = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
        let end = line.lastIndex(of: ")")
      else { continue }
      let fields = line[line.index(after: end)...].split(separator: " ")
      if fields.count > 1 { parents[process] = Int32(fields[1]) }
    }
    self.parents = parents
  }

  /// The processes that a process has started or adopted.
  func children(of process: Int32) -> Set<Int32> {
    Set(parents.filter { $0.value == process }.keys)
  }

  /// A process and its descendants.
  func tree(under root: Int32) -> Set<Int32> {
    var tree: Set<Int32> = [root]
    while true {
      let children = parents.filter { tree.contains($0.value) && !tree.contains($0.key) }.keys
      if children.isEmpty { return tree }
      tree.formUnion(children)
    }
  }
}
