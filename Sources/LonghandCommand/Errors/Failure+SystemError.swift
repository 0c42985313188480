import Foundation

extension Failure {
  /// A system call that failed, in the system's own words.
  ///
  /// - Parameter number: the value of `errno` right after the call.
  static func system(
    _ number: Int32, _ code: Code, _ action: String, input: String? = nil, hint: String? = nil
  ) -> Failure {
    let reason = String(cString: strerror(number))
    let mending = hint ?? (number == ENOSPC ? "free some space and try again" : nil)
    return Failure(code, "\(action): \(reason)", input: input, hint: mending)
  }
}
