/// Reads NIST's `ctm` (SCTK, "ctm: time marked conversation"): `file channel begin duration word [confidence]`.
///
/// Lines that begin with `;;` are comments; a confidence may be `NA`.
struct TimeMarkedWords {
  var file: String

  func read(_ lines: [String]) throws -> ScoredText {
    var text = ScoredText(format: .ctm, utterances: [])
    for (index, line) in lines.enumerated() where !line.hasPrefix(";;") {
      let columns = line.split(whereSeparator: \.isWhitespace)
      if columns.isEmpty { continue }
      func error(_ reason: EvaluationInputError.Reason) -> EvaluationInputError {
        EvaluationInputError(file: file, line: index + 1, reason: reason)
      }
      guard columns.count == 5 || columns.count == 6 else {
        throw error(.columns(found: columns.count, expected: "file channel begin duration word [confidence]"))
      }
      guard !columns[4].uppercased().hasPrefix("<ALT") else { throw error(.alternation) }
      let start = try InputLines.seconds(columns[2], file: file, line: index + 1)
      let duration = try InputLines.seconds(columns[3], file: file, line: index + 1)
      if columns.count == 6, columns[5].uppercased() != "NA", Double(columns[5])?.isFinite != true {
        throw error(.confidence(String(columns[5])))
      }
      text.utterances.append(
        ScoredText.Utterance(
          file: String(columns[0]), start: start, end: start + duration, text: String(columns[4])))
    }
    text.utterances.sortByFileAndStart()
    return text
  }
}

extension [ScoredText.Utterance] {
  /// Sorts by file, then by start; what starts together stays in the order in which it was written.
  mutating func sortByFileAndStart() {
    self = enumerated().sorted {
      ($0.element.file, $0.element.start, $0.offset) < ($1.element.file, $1.element.start, $1.offset)
    }.map(\.element)
  }
}
