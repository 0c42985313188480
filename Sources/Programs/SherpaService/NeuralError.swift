import ModelStorage
import NeuralRecognition

extension ModelInspection {
  /// The model in a folder.
  static func checked(_ folder: String) throws(NeuralError) -> ModelInspection {
    do throws(ModelFolderError) { return try ModelInspection(folder: folder) } catch {
      throw .model(error.description)
    }
  }
}
