import Foundation

/// Where the recognizer is that this process starts: the one beside the program that is measured, so that both are
/// of one build. What is set already stands.
enum ServicePlace {
  private static let variable = "SPEECH_SERVICE_PATH"

  static func announce(program: String) {
    guard let program = find(program) else { return }
    let folder = program.resolvingSymlinksInPath().deletingLastPathComponent()
    let places = ["speech-service", "../libexec/longhand/speech-service"].map {
      folder.appendingPathComponent($0).standardizedFileURL.path
    }
    let service = places.first(where: FileManager.default.isExecutableFile(atPath:))
    if let service { setenv(variable, service, 0) }
  }

  /// A path as it is; a name as it is found on `PATH`.
  private static func find(_ program: String) -> URL? {
    guard !program.contains("/") else { return URL(fileURLWithPath: program) }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { URL(fileURLWithPath: "\($0)/\(program)") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}
