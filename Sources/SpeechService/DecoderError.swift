/// Why a service cannot decode.
enum DecoderError: Error, CustomStringConvertible {
  case unsupportedLocale(String)
  case noModel(folder: String)
  case modelUnreadable(folder: String)
  case languageModelUnreadable(path: String)
  case decodingFailed(String)

  var description: String {
    switch self {
    case .unsupportedLocale(let locale): "there is no model for the language \(locale)"
    case .noModel(let folder): "there is no model in \(folder); 'make setup' installs it"
    case .modelUnreadable(let folder):
      "the model in \(folder) cannot be read; 'make setup' installs it again"
    case .languageModelUnreadable(let path): "the language model \(path) cannot be read; prepare it again"
    case .decodingFailed(let step): "PocketSphinx failed to \(step)"
    }
  }
}
