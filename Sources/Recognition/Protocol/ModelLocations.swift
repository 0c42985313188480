import ChildProcesses
import Foundation

/// The folders of models: the service looks for models there, and the framework installs them there.
public enum ModelLocations {
  /// The name of a language's folder, such as `en-us`.
  public static func folderName(locale: String) -> String {
    locale.replacingOccurrences(of: "_", with: "-").lowercased()
  }

  /// The files that a model in `folderName(locale:)` must have.
  public static func files(locale: String) -> [String] {
    let name = folderName(locale: locale)
    return ["\(name)/mdef", "\(name).lm.bin", "cmudict-\(name).dict"]
  }

  /// The folders where a service looks for models, in order: `SPEECH_MODEL_PATH` alone if it is set, or those
  /// of the recognizer and then the user's.
  public static func all(environment: [String: String], builtIn: [String] = []) -> [String] {
    if let named = environment["SPEECH_MODEL_PATH"], !named.isEmpty { return [named] }
    return builtIn + [installation(environment: environment)]
  }

  /// The folder where models are installed: `SPEECH_MODEL_PATH`, or a folder of the user's data.
  public static func installation(environment: [String: String]) -> String {
    if let named = environment["SPEECH_MODEL_PATH"], !named.isEmpty { return named }
    var data = environment["XDG_DATA_HOME"] ?? ""
    // The XDG base directory specification says to ignore relative paths.
    if !data.hasPrefix("/") {
      data = (environment["HOME"] ?? NSHomeDirectory()) + "/.local/share"
    }
    return data + "/speech-service/models"
  }

  /// The folders of models for all users, in order: those that `SPEECH_SYSTEM_MODEL_PATH` lists, separated by colons; none
  /// if `SPEECH_MODEL_PATH` alone is set; else `share/longhand/models` beside the running program's folder, and of the system.
  package static func forAllUsers(
    environment: [String: String], program: String? = ProgramLocator.runningProgram
  ) -> [String] {
    if let listed = environment["SPEECH_SYSTEM_MODEL_PATH"] {
      return listed.split(separator: ":").map(String.init)
    }
    if environment["SPEECH_MODEL_PATH"]?.isEmpty == false { return [] }
    return shares(of: program).map { $0 + "/models" }
  }

  /// The file of Silero's network for voices: the one that `SPEECH_VOICE_NETWORK` names, none if that is empty, or the one
  /// that is installed beside the running program's folder or in the system; nil if there is none.
  package static func voiceNetwork(
    environment: [String: String], program: String? = ProgramLocator.runningProgram
  ) -> String? {
    let named = environment["SPEECH_VOICE_NETWORK"].map { [$0] }
    return (named ?? shares(of: program).map { $0 + "/silero-v6.2.0.bin" }).first {
      FileManager.default.isReadableFile(atPath: $0)
    }
  }

  /// The folders of what is installed for all users, in order: `share/longhand` beside the running program's folder, and of
  /// the system.
  private static func shares(of program: String?) -> [String] {
    let folder = program.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
    // A service is in libexec/longhand.
    let beside = [
      folder?.deletingLastPathComponent(), folder?.deletingLastPathComponent().deletingLastPathComponent(),
    ]
    var folders: [String] = []
    for prefix in beside.compactMap({ $0?.path }) + ["/usr/local", "/usr"] {
      let share = (prefix == "/" ? "" : prefix) + "/share/longhand"
      if !folders.contains(share) { folders.append(share) }
    }
    return folders
  }

  /// The first of `folders` that has all files of the model; nil if none has.
  public static func find(locale: String, in folders: [String]) -> String? {
    let files = files(locale: locale)
    return folders.lazy.map { $0 + "/" + folderName(locale: locale) }.first { folder in
      files.allSatisfy { FileManager.default.isReadableFile(atPath: folder + "/" + $0) }
    }
  }
}
