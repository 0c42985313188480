import Foundation
import Longhand

/// Short recordings and what is said in them: those of the manifest, else the samples.
struct Clips {
  /// As every program gets them.
  var files: [URL]
  /// The words of each.
  var references: [[String]]
  /// Where they are from.
  var source: String

  /// Reads and converts them.
  init(_ options: Options, folder: URL) throws {
    let rows: [EvaluationManifest.Row]
    (rows, source) = try Self.rows(options)
    guard !rows.isEmpty else {
      throw Program.Failure(
        description: "no recordings in \(source): run 'make setup', or name a --manifest")
    }
    Log.say("\(rows.count) clips of \(source)")
    let converter = Converter(folder: folder)
    files = try rows.enumerated().map { try converter.convert($1.path, to: "clip-\($0).wav") }
    references = try rows.map { TextNormalizer().words(in: try $0.reference.scoredText().text) }
  }

  /// The errors of what was heard, over all clips.
  func errors(of heard: [[String]]) -> WordErrorRate {
    zip(references, heard).reduce(WordErrorRate()) {
      $0 + WordErrorRate(reference: $1.0, hypothesis: $1.1)
    }
  }

  private static func rows(_ options: Options) throws -> (rows: [EvaluationManifest.Row], source: String) {
    guard let manifest = options.manifestFile else {
      return (sampleRows(in: options.samples), options.samples)
    }
    var rows = try EvaluationManifest.read(manifest).rows
    if let clips = options.clips, clips < rows.count {
      rows = (0..<clips).map { rows[$0 * rows.count / clips] }
    }
    return (rows, manifest.path)
  }

  private static func sampleRows(in samples: String) -> [EvaluationManifest.Row] {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: samples)) ?? []).sorted()
    let folder = URL(fileURLWithPath: samples)
    return names.filter { $0.hasSuffix(".wav") }.enumerated().compactMap { index, name in
      let path = folder.appendingPathComponent(name)
      let text = path.deletingPathExtension().appendingPathExtension("txt")
      guard FileManager.default.fileExists(atPath: text.path) else { return nil }
      return EvaluationManifest.Row(name: name, path: path, reference: .file(text), line: index + 1)
    }
  }
}
