import Foundation

/// Finds the executables of recognizers. PocketSphinx's also decodes audio files.
package enum SpeechServiceLocator {
  /// The reason and the remedy if there is no service.
  package static func missing(_ recognizer: Recognizer = .pocketSphinx) -> String {
    "The executable \(recognizer.program) was not found. Add "
      + ".product(name: \"\(recognizer.program)\", package: \"longhand\") to the dependencies of the executable "
      + "target, or set \(recognizer.variable) to the path of the executable."
  }

  /// Finds a recognizer: at its environment variable, beside the running program, in a `libexec` folder next to it, or on
  /// `PATH`, in this order.
  package static func find(
    _ recognizer: Recognizer = .pocketSphinx,
    environment: [String: String] = ProcessInfo.processInfo.environment,
    program: String? = runningProgram
  ) -> String? {
    if let named = named(recognizer, environment) { return isExecutable(named) ? named : nil }
    return first(recognizer, in: installation(program) + search(environment))
  }

  /// Finds the decoder: where the recognizer is looked for, but `SPEECH_SERVICE_PATH`, which may name a recognizer that
  /// cannot decode, comes after what is installed with the program.
  package static func findDecoder(
    environment: [String: String] = ProcessInfo.processInfo.environment, program: String? = runningProgram
  ) -> String? {
    if let installed = first(.pocketSphinx, in: installation(program)) { return installed }
    if let named = named(.pocketSphinx, environment), isExecutable(named) { return named }
    return first(.pocketSphinx, in: search(environment))
  }

  /// The path of the running program.
  package static var runningProgram: String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  }

  private static func named(_ recognizer: Recognizer, _ environment: [String: String]) -> String? {
    environment[recognizer.variable].flatMap { $0.isEmpty ? nil : $0 }
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

  private static func first(_ recognizer: Recognizer, in folders: [String]) -> String? {
    folders.lazy.map { $0 + "/" + recognizer.program }.first(where: isExecutable)
  }

  private static func isExecutable(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
      && FileManager.default.isExecutableFile(atPath: path)
  }
}
