import Foundation

/// Finds the executables that recognize speech; `speech-service` also decodes audio files.
package enum SpeechServiceLocator {
  /// An executable that recognizes speech.
  package enum Program: String, Sendable {
    /// The embedded recognizer.
    case embedded = "speech-service"
    /// The recognizer with models that the user installs.
    case neural = "neural-speech-service"

    /// The environment variable that names the executable.
    package var variable: String {
      switch self {
      case .embedded: "SPEECH_SERVICE_PATH"
      case .neural: "NEURAL_SPEECH_SERVICE_PATH"
      }
    }
  }

  /// The reason and the remedy if there is no service.
  package static func missing(_ service: Program = .embedded) -> String {
    "The executable \(service.rawValue) was not found. Add "
      + ".product(name: \"\(service.rawValue)\", package: \"longhand\") to the dependencies of the executable "
      + "target, or set \(service.variable) to the path of the executable."
  }

  /// Finds a recognizer: at its environment variable, beside the running program, in a `libexec` folder next to it, or on
  /// `PATH`, in this order.
  package static func find(
    _ service: Program = .embedded, environment: [String: String] = ProcessInfo.processInfo.environment,
    program: String? = runningProgram
  ) -> String? {
    if let named = named(service, environment) { return isExecutable(named) ? named : nil }
    return first(service, in: installation(program) + search(environment))
  }

  /// Finds the decoder: where the recognizer is looked for, but `SPEECH_SERVICE_PATH`, which may name a recognizer that
  /// cannot decode, comes after what is installed with the program.
  package static func findDecoder(
    environment: [String: String] = ProcessInfo.processInfo.environment, program: String? = runningProgram
  ) -> String? {
    if let installed = first(.embedded, in: installation(program)) { return installed }
    if let named = named(.embedded, environment), isExecutable(named) { return named }
    return first(.embedded, in: search(environment))
  }

  /// The path of the running program.
  package static var runningProgram: String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  }

  private static func named(_ service: Program, _ environment: [String: String]) -> String? {
    environment[service.variable].flatMap { $0.isEmpty ? nil : $0 }
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

  private static func first(_ service: Program, in folders: [String]) -> String? {
    folders.lazy.map { $0 + "/" + service.rawValue }.first(where: isExecutable)
  }

  private static func isExecutable(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
      && FileManager.default.isExecutableFile(atPath: path)
  }
}
