import Foundation
import Testing

extension Tag {
  /// Needs the recognizer and its sample recordings.
  @Tag static var recognizer: Self
}

/// The recordings that come with the recognizer.
enum Recordings {
  /// Whether `FileTranscriber` recognizes; the tests with the tag `recognizer` wait for it.
  static let areTranscribed = false

  static let folder =
    (ProcessInfo.processInfo.environment["PREFIX"] ?? "/usr/local") + "/share/pocketsphinx/samples/librivox"

  /// The first is the longest (7.1 s), the second the shortest (3.0 s).
  static let paths = ["0870", "0880", "0890", "0920", "0930"].map {
    "\(folder)/sense_and_sensibility_01_austen_64kb-\($0).wav"
  }
  static var long: String { paths[0] }
  static var short: String { paths[1] }
}
