import CPocketSphinx
import ChildProcesses
import Foundation
import RecognitionProtocol

/// The files of the model of one language, with PocketSphinx's names.
struct Model {
  static let locale = "en-US"

  let folder: String
  var acoustic: String { folder + "/en-us" }
  var language: String { folder + "/en-us.lm.bin" }
  var dictionary: String { folder + "/cmudict-en-us.dict" }

  /// Finds the model for `locale`: in the folder in `SPEECH_MODEL_PATH`, in PocketSphinx's installation, in Longhand's, or in
  /// the user's models that `AssetInventory` installed.
  init(locale: String) throws(DecoderError) {
    guard locale.replacingOccurrences(of: "_", with: "-").lowercased() == Self.locale.lowercased() else {
      throw .unsupportedLocale(locale)
    }
    // The program is in libexec/longhand. A package has the model where no other package has a file.
    let prefix = ProgramLocator.runningProgram.map { program in
      (0..<3).reduce(URL(fileURLWithPath: program)) { folder, _ in folder.deletingLastPathComponent() }
    }
    let own = prefix.map { [$0.appendingPathComponent("share/longhand/pocketsphinx").path] } ?? []
    let folders = ModelLocations.all(
      environment: ProcessInfo.processInfo.environment,
      builtIn: [String(cString: ps_default_modeldir())] + own)
    guard let found = ModelLocations.find(locale: locale, in: folders) else {
      throw .noModel(folder: folders[0] + "/" + ModelLocations.folderName(locale: locale))
    }
    folder = found
  }
}

/// An error of the decoder.
enum DecoderError: Error, CustomStringConvertible {
  case unsupportedLocale(String)
  case noModel(folder: String)
  case modelUnreadable(folder: String)
  case languageModelUnreadable(path: String)
  case decodingFailed(String)

  var description: String {
    switch self {
    case .unsupportedLocale(let locale): "there is no model for the language \(locale)"
    case .noModel(let folder): "there is no model in \(folder)"
    case .modelUnreadable(let folder): "the model in \(folder) cannot be read; install it again"
    case .languageModelUnreadable(let path): "the language model \(path) cannot be read; prepare it again"
    case .decodingFailed(let step): "PocketSphinx failed to \(step)"
    }
  }
}
