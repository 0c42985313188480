import Foundation

/// The clips of an evaluation, each with its reference text.
///
/// The file has two columns separated by a tab: `path` and `reference`. Blank lines, lines that start with `#`, and a header
/// `path`, tab, `reference` in the first line are skipped. Relative paths start at the manifest's folder. A reference that
/// is a single word ending in `.txt`, `.stm` or `.ctm` is the path of a file; any other is the text itself. It is empty for
/// a clip without speech.
package struct EvaluationManifest: Sendable, Hashable {
  /// The reference text of a clip.
  package enum Reference: Sendable, Hashable {
    /// The text itself.
    case text(String)
    /// A file with the text.
    case file(URL)

    /// Reads the reference text.
    ///
    /// - Throws: `EvaluationInputError`.
    package func scoredText() throws -> ScoredText {
      switch self {
      case .text(let text): ScoredText(text: text)
      case .file(let url): try ScoredText.read(contentsOf: url)
      }
    }
  }

  /// One clip.
  package struct Row: Sendable, Hashable {
    /// The path as written in the manifest; the clip's name in reports.
    package var name: String
    /// The audio file.
    package var path: URL
    /// The reference text.
    package var reference: Reference
    /// The line of the manifest, from 1.
    package var line: Int
  }

  /// The clips, in the manifest's order.
  package var rows: [Row]

  /// Reads a manifest. It does not check whether the audio files exist.
  ///
  /// - Throws: `EvaluationInputError`, with the line of the error.
  package static func read(_ url: URL) throws -> EvaluationManifest {
    let folder = url.absoluteURL.deletingLastPathComponent()
    let lines = try InputLines.lines(of: try InputLines.data(of: url), file: url.path)
    var rows: [Row] = []
    for (index, line) in lines.enumerated() {
      if line.allSatisfy(\.isWhitespace) || line.hasPrefix("#") { continue }
      if index == 0, line == "path\treference" { continue }
      func error(_ reason: EvaluationInputError.Reason) -> EvaluationInputError {
        EvaluationInputError(file: url.path, line: index + 1, reason: reason)
      }
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard columns.count == 2 else {
        throw error(.columns(found: columns.count, expected: "path and reference"))
      }
      guard !columns[0].isEmpty else { throw error(.empty(column: "path")) }
      var reference = Reference.text(columns[1])
      if Self.namesFile(columns[1]) {
        let file = URL(fileURLWithPath: columns[1], relativeTo: folder).absoluteURL
        guard FileManager.default.fileExists(atPath: file.path) else {
          throw error(.missingReference(columns[1]))
        }
        reference = .file(file)
      }
      let path = URL(fileURLWithPath: columns[0], relativeTo: folder).absoluteURL
      rows.append(Row(name: columns[0], path: path, reference: reference, line: index + 1))
    }
    return EvaluationManifest(rows: rows)
  }

  private static func namesFile(_ reference: String) -> Bool {
    guard !reference.contains(where: \.isWhitespace), let dot = reference.lastIndex(of: ".") else {
      return false
    }
    return ScoredText.Format(rawValue: reference[reference.index(after: dot)...].lowercased()) != nil
  }
}
