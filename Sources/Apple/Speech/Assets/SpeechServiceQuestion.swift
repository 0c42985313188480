import Foundation

/// Asks the service something that it answers at once and ends.
enum SpeechServiceQuestion {
  /// Whether the service finds a model, without loading it: some milliseconds.
  static func hasModel(environment: [String: String]) async -> Bool {
    guard let executable = SpeechServiceLocator.find(environment: environment) else { return false }
    return await withCheckedContinuation { continuation in
      let process = Process()
      process.executableURL = URL(fileURLWithPath: executable)
      process.arguments = ["--model"]
      process.environment = environment
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      process.terminationHandler = { process in
        continuation.resume(
          returning: process.terminationReason == .exit && process.terminationStatus == 0)
      }
      do {
        try process.run()
      } catch {
        continuation.resume(returning: false)
      }
    }
  }
}
