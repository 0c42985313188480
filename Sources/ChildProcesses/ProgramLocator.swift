import Foundation

/// Finds a program of this package that runs as a child process.
package struct ProgramLocator: Sendable {
  /// The name of the executable.
  package let name: String
  /// The environment variable that may name another executable.
  package let variable: String

  /// The program that decodes audio files.
  package static let audioDecoder = ProgramLocator(name: "audio-decoder", variable: "AUDIO_DECODER_PATH")

  package init(name: String, variable: String) { (self.name, self.variable) = (name, variable) }

  /// The reason and the remedy if the program is missing.
  package var missing: String {
    "The executable \(name) was not found. Add .product(name: \"\(name)\", package: \"longhand\") to the dependencies "
      + "of the executable target, or set \(variable) to the path of the executable."
  }

  /// Finds the program: at its environment variable, beside the running program, in a `libexec` folder next to it, or on
  /// `PATH`, in this order.
  package func find(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    program: String? = runningProgram
  ) -> String? {
    // A wrong name is not replaced by a guess.
    if let named = environment[variable], !named.isEmpty { return Self.isExecutable(named) ? named : nil }
    let search = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return (Self.installation(program) + search).lazy.map { $0 + "/" + name }.first(where: Self.isExecutable)
  }

  /// The path of the running program.
  package static var runningProgram: String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
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

  private static func isExecutable(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
      && FileManager.default.isExecutableFile(atPath: path)
  }
}
