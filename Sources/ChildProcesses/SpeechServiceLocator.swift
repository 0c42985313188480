import Foundation

/// Finds the `speech-service` executable, which recognizes speech and decodes audio files.
package enum SpeechServiceLocator {
  private static let name = "speech-service"

  /// The reason and the remedy if there is no service.
  package static let missing =
    "The executable speech-service was not found. Add .product(name: \"speech-service\", package: \"longhand\") "
    + "to the dependencies of the executable target, or set SPEECH_SERVICE_PATH to the path of the executable."

  /// Finds the recognizer: at `SPEECH_SERVICE_PATH`, beside the running program, in a `libexec` folder next to it, or on
  /// `PATH`, in this order.
  package static func find(
    environment: [String: String] = ProcessInfo.processInfo.environment, program: String? = runningProgram
  ) -> String? {
    if let named = named(environment) { return isExecutable(named) ? named : nil }
    return first(in: installation(program) + search(environment))
  }

  /// Finds the decoder: where the recognizer is looked for, but `SPEECH_SERVICE_PATH`, which may name a recognizer that
  /// cannot decode, comes after what is installed with the program.
  package static func findDecoder(
    environment: [String: String] = ProcessInfo.processInfo.environment, program: String? = runningProgram
  ) -> String? {
    if let installed = first(in: installation(program)) { return installed }
    if let named = named(environment), isExecutable(named) { return named }
    return first(in: search(environment))
  }

  /// The path of the running program.
  package static var runningProgram: String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  }

  private static func named(_ environment: [String: String]) -> String? {
    environment["SPEECH_SERVICE_PATH"].flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func installation(_ program: String?) -> [String] {
    guard let program else { return [] }
    let folder = URL(fileURLWithPath: program).deletingLastPathComponent()
    let parent = folder.deletingLastPathComponent()
    return [
      folder.path, parent.appendingPathComponent("libexec/longhand").path,
      parent.appendingPathComponent("libexec").path,
    ]
  }

  private static func search(_ environment: [String: String]) -> [String] {
    (environment["PATH"] ?? "").split(separator: ":").map(String.init)
  }

  private static func first(in folders: [String]) -> String? {
    folders.lazy.map { $0 + "/" + name }.first(where: isExecutable)
  }

  private static func isExecutable(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
      && FileManager.default.isExecutableFile(atPath: path)
  }
}
