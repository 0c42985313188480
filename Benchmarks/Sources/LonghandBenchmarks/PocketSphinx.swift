import Foundation
import Longhand

/// PocketSphinx's own program: the yardstick.
struct PocketSphinx {
  private struct Line: Decodable {
    var t: String
  }

  /// The status of a run that was given up.
  static let timedOut: Int32 = 124

  var program: String
  var folder: URL

  /// Recognizes a file as one utterance (`pocketsphinx single`), in a process of its own.
  ///
  /// - Parameter timeout: seconds after which it is given up.
  /// - Throws: `Program.Failure`, with the status `timedOut` if it was given up.
  func run(
    _ file: URL, timeout: Double? = nil, name: String? = nil
  ) throws -> (words: [String], run: Program.Run) {
    let limit = timeout.map { ["timeout", String($0)] } ?? []
    let run = try Program.run(limit + [program, "single", file.path], in: folder, name: name)
    let texts = try run.output.split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(Line.self, from: $0).t
    }
    return (TextNormalizer().words(in: texts.joined(separator: " ")), run)
  }
}
