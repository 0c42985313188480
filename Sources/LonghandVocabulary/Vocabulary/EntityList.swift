import Foundation

/// Names and their IDs, as a list or as a database prints them: a text file with a name a line; a table with an ID and a name a
/// row, separated by commas, semicolons, tabs or `|` (CSV, or what `sqlite3`, `psql -At` and `mysql -B` print); or JSON, an array
/// of names or of objects with `id` and `name`.
///
/// The first row of a table may name the columns, of which `id` and `name` are used. Without that, a row has the ID first, and if
/// rows have different numbers of cells, each line is a name.
public struct EntityList: Sendable, Hashable {
  /// The names, in the order of the file.
  public private(set) var names: [String] = []
  /// The IDs of names, by the names. Of several IDs of a name the first counts.
  public private(set) var ids: [String: String] = [:]

  private var known: Set<String> = []

  /// What the column or the key with the ID may be called; the first one counts.
  private static let idColumns = ["id", "uuid", "key"]
  /// What the column or the key with the name may be called; the first one counts.
  private static let nameColumns = ["name", "text", "term", "title"]

  /// Reads a file, or a pipe to its end.
  /// - Throws: `VocabularyError`, with the file and the location in it.
  public init(contentsOf file: URL) throws(VocabularyError) {
    try self.init(try Vocabulary.content(of: file), file: file.path)
  }

  /// Reads the contents of a file.
  /// - Throws: `VocabularyError`, with the file and the location in it.
  public init(_ data: Data, file: String) throws(VocabularyError) {
    guard data.count <= Vocabulary.maxBytes, let text = String(validating: data, as: UTF8.self) else {
      throw VocabularyError(
        file: file, location: nil, problem: "it is not UTF-8, or larger than \(Vocabulary.maxBytes >> 20) MB")
    }
    let content = text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
    if content.first(where: { !$0.isWhitespace }) == "[" {
      try readObjects(Data(content.utf8), file: file)
    } else {
      try readRows(content, file: file)
    }
    guard !names.isEmpty else {
      throw VocabularyError(file: file, location: nil, problem: "it has no names; write one a line")
    }
  }

  private mutating func add(_ name: String, _ id: String?) {
    let name = name.trimmingCharacters(in: .whitespaces)
    guard !name.isEmpty else { return }
    if let id = id?.trimmingCharacters(in: .whitespaces), !id.isEmpty, ids[name] == nil { ids[name] = id }
    if known.insert(name).inserted { names.append(name) }
  }

  private mutating func readRows(_ text: String, file: String) throws(VocabularyError) {
    let rows = try VocabularyList.rows(of: text, separators: [",", ";", "\t", "|"], file: file)
    let header = rows.first?.cells.map { $0.trimmingCharacters(in: .whitespaces).lowercased() } ?? []
    let isHeader = header.count > 1 && header.contains(where: Self.nameColumns.contains)
    if isHeader, let row = rows.first(where: { $0.cells.count != header.count }) {
      let cells = "\(row.cells.count) \(row.cells.count == 1 ? "cell" : "cells")"
      throw VocabularyError(
        file: file, location: "line \(row.line)",
        problem: "the row has \(cells), and the first row names \(header.count) columns; "
          + "a name with a separator needs quotation marks")
    }
    // A comma may be part of a name.
    guard let first = rows.first, first.cells.count > 1,
      rows.allSatisfy({ $0.cells.count == first.cells.count })
    else {
      for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
        add(String(line), nil)
      }
      return
    }
    let (id, name) =
      isHeader
      ? (
        header.firstIndex(where: Self.idColumns.contains),
        header.firstIndex(where: Self.nameColumns.contains) ?? 1
      ) : (0, 1)
    for row in isHeader ? rows.dropFirst() : rows[...] {
      guard row.cells[name].contains(where: { !$0.isWhitespace }) else {
        throw VocabularyError(file: file, location: "line \(row.line)", problem: "the row has no name")
      }
      add(row.cells[name], id.map { row.cells[$0] })
    }
  }

  private enum Item: Decodable {
    case name(String)
    case object([String: Value])

    /// A text or a whole number; other values are not used.
    struct Value: Decodable {
      let text: String?

      init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        text = (try? value.decode(String.self)) ?? (try? value.decode(Int64.self)).map(String.init)
      }
    }

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      self =
        try (try? value.decode(String.self)).map(Item.name) ?? .object(value.decode([String: Value].self))
    }
  }

  private mutating func readObjects(_ data: Data, file: String) throws(VocabularyError) {
    let items: [Item]
    do { items = try JSONDecoder().decode([Item].self, from: data) } catch {
      throw VocabularyError(
        file: file, location: nil, problem: "it is no JSON array of names, or of objects with id and name")
    }
    for (index, item) in items.enumerated() {
      switch item {
      case .name(let name): add(name, nil)
      case .object(let values):
        // A dictionary has no order.
        func value(_ columns: [String]) -> String? {
          columns.lazy.compactMap { column in
            values.filter { $0.key.lowercased() == column }.min { $0.key < $1.key }?.value.text
          }.first
        }
        guard let name = value(Self.nameColumns) else {
          throw VocabularyError(file: file, location: "object \(index + 1)", problem: "it has no name")
        }
        add(name, value(Self.idColumns))
      }
    }
  }
}
