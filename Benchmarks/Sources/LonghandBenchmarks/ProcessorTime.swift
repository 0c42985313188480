import CProcess
import Foundation

/// The processor time of a program and of everything that it started.
///
/// `longhand` does not wait for its services: they end when it has ended, and would be lost to the count. This process
/// adopts them, and waits for them itself.
struct ProcessorTime {
  /// Seconds that services may take to notice that their client has gone.
  private static let patience = 5.0

  private let before: Double
  private let own: Set<Int32>

  /// Makes this process the parent of services whose program has ended. To be called once.
  static func adoptOrphans() {
    if longhand_adopt_orphans() != 0 {
      Log.say("no processor time of services: orphans cannot be adopted here")
    }
  }

  /// Begins to count. One program at a time: what else this process waits for would be counted too.
  init() {
    before = Self.ofEndedChildren
    own = ProcessTable().children(of: getpid())
  }

  /// Waits for what the program has left behind.
  /// - Returns: seconds, of user and of system, since `init`.
  func end() -> Double {
    let deadline = ContinuousClock.now + .seconds(Self.patience)
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
