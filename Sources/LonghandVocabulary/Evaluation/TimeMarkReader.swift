/// Reads the formats of NIST's scoring toolkit SCTK. Lines that start with `;;` are comments.
struct TimeMarkReader {
  /// The name of the file in errors.
  var file: String

  /// Reads `stm` ("segment time mark"): `file channel speaker begin end [<label>] text`.
  ///
  /// A segment whose text is `IGNORE_TIME_SEGMENT_IN_SCORING` is not scored. Alternations are errors, because a score that
  /// leaves them out would be wrong.
  func segments(_ lines: [String]) throws -> ScoredText {
    var text = ScoredText(format: .stm, utterances: [])
    // The text is the sixth column and has spaces of its own.
    try forEachRow(lines, maxSplits: 5) { columns, line in
      guard columns.count >= 5 else {
        throw error(
          line, .columns(found: columns.count, expected: "file channel speaker begin end [<label>] text"))
      }
      let start = try InputLines.seconds(columns[3], file: file, line: line)
      let end = try InputLines.seconds(columns[4], file: file, line: line)
      guard end >= start else { throw error(line, .endBeforeStart) }
      let said = Self.withoutLabel(columns.count > 5 ? columns[5] : "")
      let words = said.split(whereSeparator: \.isWhitespace)
      guard !words.contains("{"), !words.contains("}") else { throw error(line, .alternation) }
      let utterance = ScoredText.Utterance(
        file: String(columns[0]), start: start, end: end, text: words.joined(separator: " "))
      if utterance.text.uppercased() == "IGNORE_TIME_SEGMENT_IN_SCORING" {
        text.ignored.append(utterance)
      } else {
        text.utterances.append(utterance)
      }
    }
    Self.sort(&text.utterances)
    return text
  }

  /// Reads `ctm` ("time marked conversation"): `file channel begin duration word [confidence]`. A confidence may be `NA`.
  func words(_ lines: [String]) throws -> ScoredText {
    var text = ScoredText(format: .ctm, utterances: [])
    try forEachRow(lines) { columns, line in
      guard columns.count == 5 || columns.count == 6 else {
        throw error(
          line, .columns(found: columns.count, expected: "file channel begin duration word [confidence]"))
      }
      guard !columns[4].uppercased().hasPrefix("<ALT") else { throw error(line, .alternation) }
      let start = try InputLines.seconds(columns[2], file: file, line: line)
      let duration = try InputLines.seconds(columns[3], file: file, line: line)
      if columns.count == 6, columns[5].uppercased() != "NA", Double(columns[5])?.isFinite != true {
        throw error(line, .confidence(String(columns[5])))
      }
      text.utterances.append(
        ScoredText.Utterance(
          file: String(columns[0]), start: start, end: start + duration, text: String(columns[4])))
    }
    Self.sort(&text.utterances)
    return text
  }

  /// Calls `body` with the columns and the number of each line that is not a comment or blank.
  private func forEachRow(
    _ lines: [String], maxSplits: Int = .max, _ body: (_ columns: [Substring], _ line: Int) throws -> Void
  ) throws {
    for (index, line) in lines.enumerated() where !line.hasPrefix(";;") {
      let columns = line.split(maxSplits: maxSplits, whereSeparator: \.isWhitespace)
      if !columns.isEmpty { try body(columns, index + 1) }
    }
  }

  private func error(_ line: Int, _ reason: EvaluationInputError.Reason) -> EvaluationInputError {
    EvaluationInputError(file: file, line: line, reason: reason)
  }

  private static func withoutLabel(_ text: Substring) -> Substring {
    guard text.hasPrefix("<"), let end = text.firstIndex(of: ">") else { return text }
    return text[text.index(after: end)...]
  }

  /// Sorts by file, then by start; utterances that start together keep their order.
  private static func sort(_ utterances: inout [ScoredText.Utterance]) {
    utterances = utterances.enumerated().sorted {
      ($0.element.file, $0.element.start, $0.offset) < ($1.element.file, $1.element.start, $1.offset)
    }.map(\.element)
  }
}
