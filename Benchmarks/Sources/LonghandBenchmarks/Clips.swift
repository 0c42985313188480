import Foundation
import Longhand

/// Short recordings and their reference texts: from the manifest, else the samples.
struct Clips {
  /// The converted files.
  var files: [URL]
  /// The words of each reference text.
  var references: [[String]]
  /// The manifest or the folder of the clips.
  var source: String

  /// Reads the references and converts the files.
  init(_ options: Options, folder: URL) throws {
    let rows: [(path: URL, text: String)]
    (rows, source) = try Self.rows(options)
    guard !rows.isEmpty else {
      throw Program.Failure(
        description: "no recordings in \(source): run 'make setup', or name a --manifest")
    }
    Log.say("\(rows.count) clips of \(source)")
    let converter = Converter(folder: folder)
    files = try rows.enumerated().map { try converter.convert($1.path, to: "clip-\($0).wav") }
    references = rows.map { TextNormalizer().words(in: $0.text) }
  }

  /// The errors of hypotheses, over all clips.
  func errors(of hypotheses: [[String]]) -> WordErrorRate {
    zip(references, hypotheses).reduce(WordErrorRate(reference: [], hypothesis: [])) {
      $0 + WordErrorRate(reference: $1.0, hypothesis: $1.1)
    }
  }

  private static func rows(_ options: Options) throws -> (rows: [(path: URL, text: String)], source: String) {
    guard let manifest = options.manifestFile else {
      return (try sampleRows(in: options.samples), options.samples)
    }
    var rows = try String(contentsOf: manifest, encoding: .utf8).split(separator: "\n").compactMap {
      line -> (path: URL, text: String)? in
      let columns = line.split(separator: "\t")
      guard columns.count == 2 else { return nil }
      return (URL(fileURLWithPath: String(columns[0]), relativeTo: manifest), String(columns[1]))
    }
    if let clips = options.clips, clips < rows.count {
      rows = (0..<clips).map { rows[$0 * rows.count / clips] }
    }
    return (rows, manifest.path)
  }

  private static func sampleRows(in samples: String) throws -> [(path: URL, text: String)] {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: samples)) ?? []).sorted()
    let folder = URL(fileURLWithPath: samples)
    return try names.filter { $0.hasSuffix(".wav") }.compactMap { name in
      let path = folder.appendingPathComponent(name)
      let text = path.deletingPathExtension().appendingPathExtension("txt")
      guard FileManager.default.fileExists(atPath: text.path) else { return nil }
      return (path, try String(contentsOf: text, encoding: .utf8))
    }
  }
}

/// Converts audio to the format that every program gets: 16 kHz, mono, 16-bit, as PocketSphinx needs it.
struct Converter {
  var folder: URL

  /// Converts a file, or a range of it in seconds. If the output exists, it is not converted again.
  func convert(_ file: URL, to name: String, range: ClosedRange<Double>? = nil) throws -> URL {
    let output = folder.appendingPathComponent(name)
    if FileManager.default.fileExists(atPath: output.path) { return output }
    let cut =
      range.map { ["-ss", String($0.lowerBound), "-t", String($0.upperBound - $0.lowerBound)] } ?? []
    try Program.run(
      ["ffmpeg", "-nostdin", "-v", "error", "-i", file.path] + cut
        + ["-ac", "1", "-ar", "16000", "-c:a", "pcm_s16le", output.path], in: folder)
    return output
  }
}
