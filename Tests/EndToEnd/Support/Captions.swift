import Foundation
import Testing

/// A WebVTT file, read as its specification says.
struct Captions {
  /// What is shown for a while.
  struct Cue {
    var start: Double
    var end: Double
    /// The times inside.
    var times: [Double]
    /// Its lines, without times.
    var lines: [String]
    var text: String { lines.joined(separator: " ") }
  }

  var cues: [Cue] = []

  /// - Throws: if something in it is not WebVTT, or is more than these programs write.
  init(_ file: String) throws {
    let blocks = file.split(separator: "\n\n").map { $0.split(separator: "\n").map(String.init) }
    #expect(file.hasPrefix("WEBVTT\n\n"))
    #expect(blocks.first == ["WEBVTT"])
    for block in blocks.dropFirst() {
      let header = try #require(block.first)
      let ends = try #require(header.wholeMatch(of: /(\S+) --> (\S+)/))
      let lines = block.dropFirst()
      #expect(!lines.isEmpty)
      let times = try lines.flatMap { try $0.matches(of: /<(.*?)>/).map { try Self.seconds($0.1) } }
      let plain = lines.map { $0.replacing(/<.*?>/, with: "") }
      #expect(plain.allSatisfy { $0.wholeMatch(of: /([^&<>]|&(amp|lt|gt);)*/) != nil })
      cues.append(
        Cue(start: try Self.seconds(ends.1), end: try Self.seconds(ends.2), times: times, lines: plain))
    }
  }

  private static func seconds(_ time: Substring) throws -> Double {
    let match = try #require(time.wholeMatch(of: /(\d\d):([0-5]\d):([0-5]\d\.\d{3})/))
    let parts = [match.1, match.2, match.3].compactMap { Double($0) }
    return parts.reduce(0) { $0 * 60 + $1 }
  }
}
