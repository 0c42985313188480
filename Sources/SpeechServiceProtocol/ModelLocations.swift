import Foundation

/// Where models lie: the service looks for them there, and the framework installs them there.
public enum ModelLocations {
  /// The folder of a language's model in any of the places, such as `en-us`.
  public static func folderName(locale: String) -> String {
    locale.replacingOccurrences(of: "_", with: "-").lowercased()
  }

  /// The files that a model in `folderName(locale:)` must have.
  public static func files(locale: String) -> [String] {
    let name = folderName(locale: locale)
    return ["\(name)/mdef", "\(name).lm.bin", "cmudict-\(name).dict"]
  }

  /// The places where a service looks for models, in order. `SPEECH_MODEL_PATH` names the only one; without it
  /// they are those of the recognizer itself, and then the user's.
  public static func all(environment: [String: String], builtIn: [String] = []) -> [String] {
    if let named = environment["SPEECH_MODEL_PATH"], !named.isEmpty { return [named] }
    return builtIn + [installation(environment: environment)]
  }

  /// The place where models are installed: `SPEECH_MODEL_PATH`, or a folder of the user's data.
  public static func installation(environment: [String: String]) -> String {
    if let named = environment["SPEECH_MODEL_PATH"], !named.isEmpty { return named }
    var data = environment["XDG_DATA_HOME"] ?? ""
    // The base directory specification has relative paths ignored.
    if !data.hasPrefix("/") {
      data = (environment["HOME"] ?? NSHomeDirectory()) + "/.local/share"
    }
    return data + "/speech-service/models"
  }

  /// The model's folder in the first of `places` that has all of its files; nil if none has.
  public static func find(locale: String, in places: [String]) -> String? {
    let files = files(locale: locale)
    return places.lazy.map { $0 + "/" + folderName(locale: locale) }.first { folder in
      files.allSatisfy { FileManager.default.isReadableFile(atPath: folder + "/" + $0) }
    }
  }
}
