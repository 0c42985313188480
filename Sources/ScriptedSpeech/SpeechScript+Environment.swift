import Foundation

extension SpeechScript {
  /// The variable that names the script's file to the service.
  public static let variable = "SCRIPTED_SERVICE"

  /// The service beside the running program, where the package manager puts what it builds.
  public static var service: URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("scripted-speech-service")
  }

  /// Writes the script into a folder, and tells with which variables a program, beside those that it has, is served by
  /// it. What the script has come to is kept in the same folder: another folder begins anew.
  ///
  /// - Parameters:
  ///   - folder: is there already, and stays there as long as the program runs.
  ///   - service: the executable.
  /// - Throws: what writing a file throws.
  public func environment(in folder: URL, service: URL = Self.service) throws -> [String: String] {
    let file = folder.appendingPathComponent("script.json")
    try JSONEncoder().encode(self).write(to: file, options: .atomic)
    return ["SPEECH_SERVICE_PATH": service.path, Self.variable: file.path]
  }
}
