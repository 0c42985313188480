import Foundation

/// Times as people read them.
enum Clock {
  /// `hh:mm:ss`, rounded down.
  static func text(_ seconds: TimeInterval) -> String {
    let whole = Int(max(0, seconds))
    return String(format: "%02d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60)
  }
}
