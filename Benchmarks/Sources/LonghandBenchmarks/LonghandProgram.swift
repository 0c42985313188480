import Foundation
import Longhand

/// Runs the built `longhand` as its users do.
struct LonghandProgram {
  /// The needed parts of a transcript in JSON.
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

    /// The normalized words, to compare with a reference.
    var normalizedWords: [String] { TextNormalizer().words(in: text) }
  }

  var program: String
  var folder: URL

  /// Transcribes files in one run, and returns the transcripts in the same order.
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

/// Runs PocketSphinx's own program, the baseline.
struct PocketSphinx {
  private struct Line: Decodable {
    var t: String
  }

  /// The exit status after a timeout.
  static let timedOut: Int32 = 124

  var program: String
  var folder: URL

  /// Recognizes a file as one utterance (`pocketsphinx single`).
  ///
  /// - Parameter timeout: Seconds after which the program is stopped.
  /// - Throws: `Program.Failure`, with the status `timedOut` after a timeout.
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

/// Sets the variables that name the services, for this process, to those next to the measured program, so that all are from one
/// build. A value that is set already is kept.
enum ServiceLocation {
  private static let services = [
    ("WHISPER_SERVICE_PATH", "whisper-service"), ("SPEECH_SERVICE_PATH", "pocketsphinx-service"),
    ("NEURAL_SPEECH_SERVICE_PATH", "sherpa-service"),
  ]

  static func set(program: String) {
    guard let program = find(program) else { return }
    let folder = program.resolvingSymlinksInPath().deletingLastPathComponent()
    for (variable, name) in services {
      let paths = [name, "../libexec/longhand/\(name)"].map {
        folder.appendingPathComponent($0).standardizedFileURL.path
      }
      let service = paths.first(where: FileManager.default.isExecutableFile(atPath:))
      if let service { setenv(variable, service, 0) }
    }
  }

  /// Resolves a program: a path is returned unchanged, a name is searched on `PATH`.
  private static func find(_ program: String) -> URL? {
    guard !program.contains("/") else { return URL(fileURLWithPath: program) }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { URL(fileURLWithPath: "\($0)/\(program)") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}
