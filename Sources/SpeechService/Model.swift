import CPocketSphinx
import Foundation

/// The files of one language's model, as PocketSphinx lays them out.
struct Model {
  static let locale = "en-US"

  let folder: String
  var acoustic: String { folder + "/en-us" }
  var language: String { folder + "/en-us.lm.bin" }
  var dictionary: String { folder + "/cmudict-en-us.dict" }

  /// The model for `locale`: under the folder that `SPEECH_MODEL_PATH` names, or where PocketSphinx was installed.
  init(locale: String) throws(DecoderError) {
    guard locale.replacingOccurrences(of: "_", with: "-").lowercased() == Self.locale.lowercased() else {
      throw .unsupportedLocale(locale)
    }
    let root =
      ProcessInfo.processInfo.environment["SPEECH_MODEL_PATH"] ?? String(cString: ps_default_modeldir())
    folder = root + "/en-us"
    for file in [acoustic + "/mdef", language, dictionary] where access(file, R_OK) != 0 {
      throw .noModel(folder: folder)
    }
  }
}
