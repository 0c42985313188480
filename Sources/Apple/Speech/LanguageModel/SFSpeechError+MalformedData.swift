import Foundation

extension SFSpeechError {
  /// What is wrong with custom language model data, in words: what and where.
  static func malformedData(_ text: String) -> SFSpeechError {
    SFSpeechError(.malformedSupplementalModel, userInfo: [NSLocalizedDescriptionKey: text])
  }
}
