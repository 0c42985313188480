import Foundation

/// How often a sweep goes round: a few times in every run of the tests, many times in `make soak`.
enum Soak {
  static func rounds(_ short: UInt64, soak: UInt64) -> UInt64 {
    ProcessInfo.processInfo.environment["LONGHAND_SOAK"] == nil ? short : soak
  }
}
