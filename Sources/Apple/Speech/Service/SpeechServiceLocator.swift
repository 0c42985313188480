import Foundation

/// Finds the `speech-service` executable: at `SPEECH_SERVICE_PATH`, beside the running program, in a
/// `libexec` folder next to it, or on `PATH`, in this order.
enum SpeechServiceLocator {
  static let name = "speech-service"

  /// The reason and the remedy if there is no service.
  static let missing =
    "The executable speech-service was not found. Add .product(name: \"speech-service\", package: \"longhand\") "
    + "to the dependencies of the executable target, or set SPEECH_SERVICE_PATH to the path of the executable."

  static func find(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    program: String? = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  ) -> String? {
    if let named = environment["SPEECH_SERVICE_PATH"], !named.isEmpty {
      return isExecutable(named) ? named : nil
    }
    var folders: [String] = []
    if let program {
      let folder = URL(fileURLWithPath: program).deletingLastPathComponent()
      let parent = folder.deletingLastPathComponent()
      folders = [
        folder.path, parent.appendingPathComponent("libexec/longhand").path,
        parent.appendingPathComponent("libexec").path,
      ]
    }
    folders += (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return folders.map { $0 + "/" + name }.first(where: isExecutable)
  }

  private static func isExecutable(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
      && FileManager.default.isExecutableFile(atPath: path)
  }
}
