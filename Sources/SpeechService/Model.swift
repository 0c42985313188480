import CPocketSphinx
import Foundation
import SpeechServiceProtocol

/// The files of one language's model, as PocketSphinx lays them out.
struct Model {
  static let locale = "en-US"

  let folder: String
  var acoustic: String { folder + "/en-us" }
  var language: String { folder + "/en-us.lm.bin" }
  var dictionary: String { folder + "/cmudict-en-us.dict" }

  /// The model for `locale`: under the folder that `SPEECH_MODEL_PATH` names, or where PocketSphinx was
  /// installed, or where `AssetInventory` installs models for the user.
  init(locale: String) throws(DecoderError) {
    guard locale.replacingOccurrences(of: "_", with: "-").lowercased() == Self.locale.lowercased() else {
      throw .unsupportedLocale(locale)
    }
    let places = ModelLocations.all(
      environment: ProcessInfo.processInfo.environment, builtIn: [String(cString: ps_default_modeldir())])
    guard let found = ModelLocations.find(locale: locale, in: places) else {
      throw .noModel(folder: places[0] + "/" + ModelLocations.folderName(locale: locale))
    }
    folder = found
  }
}
