import Foundation

extension VocabularyRow {
  /// The rows of a text that a person pasted: a list from a document or an e-mail, or cells of a spreadsheet.
  ///
  /// With tabs between its cells, or with a first row that names its columns, it is a table as in a file. Otherwise lines,
  /// commas and semicolons separate terms, and bullets and numbers before them are left out. A row without a term stays,
  /// so that none is lost.
  package static func pasted(_ text: String) -> [VocabularyRow] {
    let text = text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
    let separators: [Character] = text.contains("\t") ? ["\t"] : [",", ";"]
    if let cells = try? VocabularyList.rows(of: text, separators: separators, file: "").map(\.cells) {
      let order = cells.first.flatMap(VocabularyList.header)
      if text.contains("\t") || (order?.count ?? 0) > 1 {
        return cells.dropFirst(order == nil ? 0 : 1).map { VocabularyRow($0, order ?? [0, 1, 2]) }
      }
    }
    return text.split(whereSeparator: \.isNewline).flatMap { line in
      let line = String(line).replacing(#/^\s*([•‣▪◦·*–—-]|\d{1,3}[.)])\s+/#, with: "")
      let separators: [Character] = [",", ";", "、", "，", "；", "،"]
      // A term with a hash is no comment, and a quotation mark may be an inch.
      let rows =
        line.hasPrefix("#") ? nil : try? VocabularyList.rows(of: line, separators: separators, file: "")
      return (rows?.flatMap(\.cells) ?? [line]).map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty }.map { VocabularyRow(term: $0) }
    }
  }

  private init(_ cells: [String], _ order: [Int]) {
    func cell(_ column: Int) -> String {
      guard let index = order.firstIndex(of: column), cells.indices.contains(index) else { return "" }
      return cells[index].trimmingCharacters(in: .whitespacesAndNewlines)
    }
    func values(_ column: Int) -> [String] {
      cell(column).split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }.filter {
        !$0.isEmpty
      }
    }
    self.init(term: cell(0), soundsLike: values(1), replaces: values(2))
  }
}

extension Vocabulary {
  /// The terms as a text file, one a line.
  /// - Throws: `VocabularyError` for a term that such a file cannot hold.
  package func lines() throws(VocabularyError) -> String {
    try termsWithout { $0.hasPrefix("#") || $0.contains(where: \.isNewline) || $0.contains("\t") }
    return terms.map { $0.text + "\n" }.joined()
  }

  /// The terms as a table (CSV) that spreadsheets open, with the columns term, sounds like and replaces. A cell that a
  /// spreadsheet would calculate has a space before it.
  /// - Throws: `VocabularyError` for a term that such a file cannot hold.
  package func table() throws(VocabularyError) -> String {
    try termsWithout { $0.contains("|") }
    func cell(_ values: [String]) -> String {
      let text = values.joined(separator: "|")
      let cell = text.first.map { "=+-@".contains($0) } == true ? " " + text : text
      let isPlain = cell.allSatisfy { !$0.isNewline && !",;\t\"#".contains($0) }
      return isPlain ? cell : "\"\(cell.replacingOccurrences(of: "\"", with: "\"\""))\""
    }
    let lines = rows.map { "\(cell([$0.term])),\(cell($0.soundsLike)),\(cell($0.replaces))\n" }
    return "term,sounds like,replaces\n" + lines.joined()
  }

  private func termsWithout(_ isImpossible: (String) -> Bool) throws(VocabularyError) {
    guard let term = terms.first(where: { isImpossible($0.text) }) else { return }
    throw VocabularyError(
      file: name, location: nil, problem: "such a file cannot hold the term \"\(term.text)\"; use json5")
  }
}
