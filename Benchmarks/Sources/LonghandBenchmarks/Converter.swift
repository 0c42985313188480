import Foundation

/// Makes of any sound what every program gets: 16 kHz, mono, 16-bit, as PocketSphinx wants it.
struct Converter {
  var folder: URL

  /// Converts a file, or a stretch of it in seconds; what has been converted to that name already is not done again.
  func convert(_ file: URL, to name: String, stretch: ClosedRange<Double>? = nil) throws -> URL {
    let output = folder.appendingPathComponent(name)
    if FileManager.default.fileExists(atPath: output.path) { return output }
    let cut =
      stretch.map { ["-ss", String($0.lowerBound), "-t", String($0.upperBound - $0.lowerBound)] } ?? []
    try Program.run(
      ["ffmpeg", "-nostdin", "-v", "error", "-i", file.path] + cut
        + ["-ac", "1", "-ar", "16000", "-c:a", "pcm_s16le", output.path], in: folder)
    return output
  }
}
