import Foundation
import Longhand

extension Failure {
  /// What an error means that the compilation of a vocabulary file ended with.
  init(vocabulary error: any Error, file: String) {
    switch error {
    case let error as VocabularyError:
      self.init(
        .malformed, error.place.map { "\($0): \(error.problem)" } ?? error.problem, input: file,
        hint: "the README shows what stands in a vocabulary file")
    case let error as CocoaError:
      self.init(
        .output, error.localizedDescription, input: file,
        hint: "check the folder's permissions and the free space")
    default: self.init(error, input: file)
    }
  }
}
