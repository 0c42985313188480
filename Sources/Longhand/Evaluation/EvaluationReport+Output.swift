import Foundation

/// The JSON is `{"version": 1, "clips": […], "total": {…}, "madeWorse": […]}`.
extension EvaluationReport: Codable {
  private enum CodingKeys: String, CodingKey {
    case version, clips, total, madeWorse, madeWorseByReranking, madeWorseByNormalization
  }

  /// Reads the clips. The total is ignored and calculated again.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let version = try container.decode(Int.self, forKey: .version)
    guard version == 1 else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: container,
        debugDescription: "The version of the report is \(version); only version 1 can be read.")
    }
    self.init(clips: try container.decode([Clip].self, forKey: .clips))
    madeWorse = try container.decodeIfPresent([String].self, forKey: .madeWorse)
  }

  /// Writes the clips and the total.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(1, forKey: .version)
    try container.encode(clips, forKey: .clips)
    try container.encode(total, forKey: .total)
    try container.encodeIfPresent(madeWorse, forKey: .madeWorse)
    try container.encodeIfPresent(madeWorseByReranking, forKey: .madeWorseByReranking)
    try container.encodeIfPresent(madeWorseByNormalization, forKey: .madeWorseByNormalization)
  }

  /// The report as a JSON document with sorted keys, ending with a newline.
  ///
  /// - Throws: `EncodingError` if a number of seconds is not finite.
  package func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }

  /// Reads a report that `json()` wrote.
  ///
  /// - Throws: `DecodingError`, or the system's error if the file cannot be read.
  package static func read(contentsOf url: URL) throws -> EvaluationReport {
    try JSONDecoder().decode(Self.self, from: try Data(contentsOf: url))
  }
}

extension EvaluationReport {
  /// The report as a table of text: one line for each clip, then the total. Rates are in percent; `-` means not known. Ends
  /// with a newline.
  package var table: String {
    let header = [
      "clip", "words", "WER %", "sub", "del", "ins", "first %", "oracle %", "recall %", "prec. %", "RTF",
    ]
    let isNormalized = clips.contains { $0.normalized != nil }
    let second = ["norm. %", "norm. recall %", "norm. prec. %"]
    let rows =
      [isNormalized ? header + second : header]
      + (clips + [total]).map { Self.columns($0) + (isNormalized ? Self.normalizedColumns($0) : []) }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    var text = rows.map { row in
      row.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + padding : padding + cell
      }.joined(separator: "  ") + "\n"
    }.joined()
    let worse = [
      ("made worse", madeWorse), ("made worse by reranking", madeWorseByReranking),
      ("made worse by normalization", madeWorseByNormalization),
    ]
    for case (let label, let names?) in worse {
      text += "\(label): \(names.isEmpty ? "none" : names.map(LineText.of).joined(separator: ", "))\n"
    }
    return text
  }

  private static func columns(_ clip: Clip) -> [String] {
    let rate = clip.wordErrorRate
    return [
      LineText.of(clip.name), String(rate.referenceWords), percent(rate.rate), String(rate.substitutions),
      String(rate.deletions), String(rate.insertions), percent(clip.firstChoice?.rate),
      percent(clip.oracle?.rate), percent(clip.terms?.recall), percent(clip.terms?.precision),
      clip.realTimeFactor.map { fixed($0, decimals: 3) } ?? "-",
    ]
  }

  private static func normalizedColumns(_ clip: Clip) -> [String] {
    [
      percent(clip.normalized?.rate), percent(clip.normalizedTerms?.recall),
      percent(clip.normalizedTerms?.precision),
    ]
  }

  private static func percent(_ rate: Double?) -> String {
    guard let rate else { return "-" }
    return rate.isFinite ? fixed(rate * 100, decimals: 1) : "inf"
  }

  private static func fixed(_ value: Double, decimals: Int) -> String {
    String(format: "%.\(decimals)f", value)
  }
}
