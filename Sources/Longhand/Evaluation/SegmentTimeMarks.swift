/// Reads NIST's `stm` (SCTK, "stm: segment time mark"): `file channel speaker begin end [<label>] text`.
///
/// Lines that begin with `;;` are comments. A segment whose text is `IGNORE_TIME_SEGMENT_IN_SCORING` takes what was said
/// in it out of the scoring. Alternations are refused, because a figure that leaves them out would be wrong.
struct SegmentTimeMarks {
  var file: String

  func read(_ lines: [String]) throws -> ScoredText {
    var text = ScoredText(format: .stm, utterances: [])
    for (index, line) in lines.enumerated() where !line.hasPrefix(";;") {
      // The text is the sixth column and has spaces of its own.
      let columns = line.split(maxSplits: 5, whereSeparator: \.isWhitespace)
      if columns.isEmpty { continue }
      func error(_ reason: EvaluationInputError.Reason) -> EvaluationInputError {
        EvaluationInputError(file: file, line: index + 1, reason: reason)
      }
      guard columns.count >= 5 else {
        throw error(.columns(found: columns.count, expected: "file channel speaker begin end [<label>] text"))
      }
      let start = try InputLines.seconds(columns[3], file: file, line: index + 1)
      let end = try InputLines.seconds(columns[4], file: file, line: index + 1)
      guard end >= start else { throw error(.endBeforeStart) }
      let said = Self.withoutLabel(columns.count > 5 ? columns[5] : "")
      let words = said.split(whereSeparator: \.isWhitespace)
      guard !words.contains("{"), !words.contains("}") else { throw error(.alternation) }
      let utterance = ScoredText.Utterance(
        file: String(columns[0]), start: start, end: end, text: words.joined(separator: " "))
      if utterance.text.uppercased() == "IGNORE_TIME_SEGMENT_IN_SCORING" {
        text.ignored.append(utterance)
      } else {
        text.utterances.append(utterance)
      }
    }
    text.utterances.sortByFileAndStart()
    return text
  }

  private static func withoutLabel(_ text: Substring) -> Substring {
    guard text.hasPrefix("<"), let end = text.firstIndex(of: ">") else { return text }
    return text[text.index(after: end)...]
  }
}
