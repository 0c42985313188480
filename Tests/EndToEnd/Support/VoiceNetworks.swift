import Foundation

/// The networks for voices that `make setup` installs.
enum VoiceNetworks {
  private static let models =
    (ProcessInfo.processInfo.environment["PREFIX"] ?? "/usr/local") + "/share/longhand/models"

  static var areInstalled: Bool { FileManager.default.fileExists(atPath: models + "/speakers") }

  /// The variables by which they hear voices, while Whisper's smallest model recognizes words.
  static func variables(in folder: TemporaryFolder) throws -> [String: String] {
    let own = folder.path("models")
    try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: false)
    for model in ["speakers", "whisper-tiny-en"] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(own)/\(model)", withDestinationPath: "\(models)/\(model)")
    }
    return ["SPEECH_SYSTEM_MODEL_PATH": own]
  }
}
