import Foundation

/// A vocabulary as a plain list: a text file with a term a line, or a table with a term a row (CSV, RFC 4180).
///
/// The table has three columns, of which only the first must have a value: the term; how it sounds, as X-SAMPA symbols or in
/// the words that a recognizer without the name would write; and the words that it replaces. A cell can have several values,
/// separated by `|`. Cells are separated by commas, semicolons or tabs. The first row may name the columns. In both, an
/// empty line and a line that begins with `#` say nothing. A text file with tabs is a table, as spreadsheets write it.
struct VocabularyList {
  /// How a file is written.
  enum Form {
    case lines, table

    /// - Returns: nil for JSON5.
    init?(_ file: String, _ content: Data) {
      switch URL(fileURLWithPath: file).pathExtension.lowercased() {
      case "csv", "tsv": self = .table
      case "txt", "list": self = content.contains(UInt8(ascii: "\t")) ? .table : .lines
      case "json5", "json": return nil
      default:
        // An object or a comment of JSON5.
        let first = content.first { !" \t\r\n\u{EF}\u{BB}\u{BF}".utf8.contains($0) }
        guard let first, first != UInt8(ascii: "{"), first != UInt8(ascii: "/"), Self.isText(content) else {
          return nil
        }
        self = .lines
      }
    }

    private static func isText(_ content: Data) -> Bool { !content.contains { $0 < 9 } }
  }

  private static let columns: [String: Int] = [
    "term": 0, "text": 0, "word": 0, "name": 0, "sounds like": 1, "sounds_like": 1, "pronunciation": 1,
    "pronunciations": 1, "replaces": 2, "heard": 2, "instead of": 2,
  ]

  /// - Throws: `VocabularyError` with the line.
  static func vocabulary(_ content: String, _ form: Form, file: String) throws(VocabularyError) -> Vocabulary
  {
    let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
    var vocabulary = Vocabulary(name: name.isEmpty ? "vocabulary" : name)
    let text = content.hasPrefix("\u{FEFF}") ? String(content.dropFirst()) : content
    let rows = form == .lines ? lines(of: text) : try rows(of: text, file: file)
    var read: [VocabularyRow] = []
    var order = [0, 1, 2]
    for (index, row) in rows.enumerated() {
      if form == .table, index == 0 {
        if let names = header(row.cells) {
          order = names
          continue
        }
        if let unknown = unknownColumn(row.cells) {
          throw VocabularyError(
            file: file, location: "line \(row.line)",
            problem: "\"\(unknown)\" is no column; the columns are term, sounds like and replaces")
        }
      }
      func values(_ column: Int) -> [String] {
        guard let cell = order.firstIndex(of: column), row.cells.indices.contains(cell) else { return [] }
        return row.cells[cell].split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
          .filter { !$0.isEmpty }
      }
      let terms = form == .lines ? row.cells : values(0)
      guard terms.count == 1, let term = terms.first else {
        throw VocabularyError(
          file: file, location: "line \(row.line)",
          problem: terms.isEmpty ? "the row has no term" : "the row has several terms; give each a row")
      }
      read.append(VocabularyRow(term: term, soundsLike: values(1), replaces: values(2)))
    }
    vocabulary.add(read)
    guard !vocabulary.terms.isEmpty else {
      throw VocabularyError(file: file, location: nil, problem: "it has no terms; write one a line")
    }
    return vocabulary
  }

  struct Row {
    var line: Int
    var cells: [String]
  }

  private static func lines(of text: String) -> [Row] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().compactMap {
      let term = $1.trimmingCharacters(in: .whitespaces)
      return term.isEmpty || term.hasPrefix("#") ? nil : Row(line: $0 + 1, cells: [term])
    }
  }

  /// The columns in the order of the file; nil if the row does not name them.
  static func header(_ cells: [String]) -> [Int]? {
    let names = cells.map { columns[$0.trimmingCharacters(in: .whitespaces).lowercased()] }
    guard names.contains(0), names.count(where: { $0 != nil }) == cells.count(where: { !$0.isEmpty }) else {
      return nil
    }
    return names.map { $0 ?? -1 }
  }

  /// The first cell of a row that names no column, if the row begins with the name of one; nil if there is none.
  private static func unknownColumn(_ cells: [String]) -> String? {
    let names = cells.map { $0.trimmingCharacters(in: .whitespaces) }
    guard let first = names.first, columns[first.lowercased()] != nil else { return nil }
    return names.first { !$0.isEmpty && columns[$0.lowercased()] == nil }
  }

  /// The rows of a table. The separator is the one that its first row has most often; a comment is no row.
  static func rows(
    of text: String, separators: [Character] = [",", ";", "\t"], file: String
  ) throws(VocabularyError) -> [Row] {
    var (head, others) = (Substring(), text[...])
    repeat {
      head = others.prefix { !$0.isNewline }
      others = others[head.endIndex...].dropFirst()
    } while !others.isEmpty && (head.hasPrefix("#") || head.allSatisfy(\.isWhitespace))
    let separator =
      separators.max { one, other in
        head.count { $0 == one } < head.count { $0 == other }
      } ?? ","
    var rows: [Row] = []
    var (cells, cell, line, start) = ([String](), "", 1, 1)
    var (isQuoted, wasQuoted, isComment) = (false, false, false)
    func end() {
      cells.append(cell)
      let isEmpty = cells.allSatisfy { $0.allSatisfy(\.isWhitespace) }
      if !isEmpty, !isComment { rows.append(Row(line: start, cells: cells)) }
      (cells, cell, wasQuoted, isComment) = ([], "", false, false)
    }
    var rest = text[...]
    while let character = rest.popFirst() {
      if character.isNewline { line += 1 }
      switch character {
      case "\"" where isQuoted && rest.first == "\"": cell.append(rest.removeFirst())
      case "\"" where isQuoted: (isQuoted, wasQuoted) = (false, true)
      case _ where isQuoted: cell.append(character)
      case "\"" where cell.allSatisfy(\.isWhitespace) && !wasQuoted: (isQuoted, cell) = (true, "")
      case separator:
        cells.append(cell)
        (cell, wasQuoted) = ("", false)
      case _ where character.isNewline:
        end()
        start = line
      default:
        if character == "#", cells.isEmpty, cell.isEmpty, !wasQuoted { isComment = true }
        cell.append(character)
      }
    }
    guard !isQuoted else {
      throw VocabularyError(file: file, location: "line \(start)", problem: "a quotation mark is not closed")
    }
    end()
    return rows
  }
}
