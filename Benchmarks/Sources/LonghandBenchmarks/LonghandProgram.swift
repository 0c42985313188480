import Foundation
import Longhand

/// The built `longhand`, run as its users run it.
struct LonghandProgram {
  /// What is needed of a transcript in JSON.
  struct Transcript: Decodable {
    struct Segment: Decodable {
      var start: Double
      var end: Double
      var text: String
      var words: [Word]
    }

    var text: String
    var duration: Double
    var segments: [Segment]

    /// What was heard, to be compared with a reference.
    var normalizedWords: [String] { TextNormalizer().words(in: text) }
  }

  var program: String
  var folder: URL

  /// Transcribes files in one run, and reads the transcripts back in the same order.
  func transcribe(
    _ files: [URL], engine: EngineSelection? = nil, jobs: Int? = nil, arguments: [String] = [], name: String
  ) throws -> (documents: [Data], transcripts: [Transcript], run: Program.Run) {
    let output = folder.appendingPathComponent("transcripts-\(UUID())")
    let run = try Program.run(
      [program, "transcribe", "--quiet", "--format", "json", "--output-dir", output.path]
        + (engine.map { ["--engine", $0.rawValue] } ?? [])
        + arguments + (jobs.map { ["--jobs", String($0)] } ?? []) + files.map(\.path),
      in: folder, name: name)
    let documents = try files.map { file in
      let name = file.deletingPathExtension().lastPathComponent + ".json"
      return try Data(contentsOf: output.appendingPathComponent(name))
    }
    let transcripts = try documents.map { try JSONDecoder().decode(Transcript.self, from: $0) }
    return (documents, transcripts, run)
  }
}
