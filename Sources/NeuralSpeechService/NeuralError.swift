import ModelStorage

/// An error of the recognizer, for the client.
enum NeuralError: Error, CustomStringConvertible {
  /// No model was named.
  case noModel
  /// The folder cannot be used as a model.
  case model(String)
  /// The library is of another version than its header.
  case version(String)
  /// The library cannot load a model that has passed the inspection.
  case notLoaded(String)
  /// The library returned nothing.
  case decodingFailed
  /// The voices could not be told apart.
  case voicesFailed
  /// The text could not be written with punctuation.
  case punctuationFailed
  /// The utterance is longer than the networks can take.
  case tooLong

  var description: String {
    switch self {
    case .noModel: "No model was named. Install one with 'longhand models install' and name it with --model."
    case .model(let reason): reason
    case .version(let found):
      "The library sherpa-onnx is of version \(found), but \(SherpaLibrary.version) is needed. Run 'make setup'."
    case .notLoaded(let folder):
      "The model in \(folder) could not be loaded. Check it with 'longhand models verify', or install it again."
    case .decodingFailed: "The model failed to decode an utterance."
    case .voicesFailed: "The model failed to tell the voices apart."
    case .punctuationFailed: "The model failed to write punctuation."
    case .tooLong: "The utterance is longer than \(NeuralRecognizer.maxSeconds) seconds."
    }
  }
}

extension ModelInspection {
  /// The model in a folder.
  static func checked(_ folder: String) throws(NeuralError) -> ModelInspection {
    do throws(ModelFolderError) { return try ModelInspection(folder: folder) } catch {
      throw .model(error.description)
    }
  }
}
