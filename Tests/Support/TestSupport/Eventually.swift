import Foundation

/// Waits until `condition` holds; false if it does not within `seconds`.
package func eventually(within seconds: Double = 300, _ condition: () -> Bool) async -> Bool {
  let deadline = Date(timeIntervalSinceNow: seconds)
  while !condition() {
    guard Date() < deadline else { return false }
    try? await Task.sleep(for: .milliseconds(20))
  }
  return true
}
