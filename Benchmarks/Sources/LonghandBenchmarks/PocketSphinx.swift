import Foundation
import Longhand

/// PocketSphinx's own program: the yardstick.
struct PocketSphinx {
  private struct Line: Decodable {
    var t: String
  }

  var program: String
  var folder: URL

  /// Recognizes a file as one utterance (`pocketsphinx single`), in a process of its own.
  func run(_ file: URL, name: String? = nil) throws -> (words: [String], run: Program.Run) {
    let run = try Program.run([program, "single", file.path], in: folder, name: name)
    let texts = try run.output.split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(Line.self, from: $0).t
    }
    return (TextNormalizer().words(in: texts.joined(separator: " ")), run)
  }
}
