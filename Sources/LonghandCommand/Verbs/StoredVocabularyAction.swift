import Foundation
import Longhand

/// What `longhand vocabulary` does with the vocabularies of the library, which are those of the page. It opens no database.
enum StoredVocabularyAction: Sendable {
  case list
  case show(String)
  case add(String, [String])
  case remove(String, [String], asks: Bool)

  /// - Parameter action: one of these.
  init(_ action: String, _ arguments: ParsedArguments, asks: Bool) throws {
    let operands = Array(arguments.operands.dropFirst())
    func name() throws -> String {
      guard let name = operands.first else {
        throw Failure.usage("The argument VOCABULARY is missing.", hint: arguments.listing)
      }
      return name
    }
    switch action {
    case "show":
      _ = try arguments.operands(named: [action, "VOCABULARY"])
      self = .show(try name())
    case "add":
      guard operands.count > 1 else {
        throw Failure.usage(
          "The argument \(operands.isEmpty ? "VOCABULARY" : "TERM") is missing.",
          hint: "Example: longhand vocabulary add chess Winawer Benoni")
      }
      self = .add(try name(), Array(operands.dropFirst()))
    case "remove": self = .remove(try name(), Array(operands.dropFirst()), asks: asks)
    default:
      _ = try arguments.operands(named: [action])
      self = .list
    }
  }

  /// A vocabulary in a list.
  private struct Row: Encodable {
    var name: String
    /// Nil if the file cannot be read.
    var terms: Int?
    var file: String
    /// Why the file cannot be read.
    var problem: String?

    init(_ words: LibraryWords) {
      (name, file) = (words.name, words.file.path)
      do { terms = try words.vocabulary().terms.count } catch { problem = "\(error)" }
    }
  }

  func run(in folder: VocabularyFolder, isJSON: Bool, _ console: Console) async throws -> Int32 {
    switch self {
    case .list: return try list(folder, isJSON, console)
    case .show(let name):
      let vocabulary = try Self.known(name, folder).vocabulary()
      if isJSON {
        try console.output.write(
          String(decoding: try LibraryWords.contents(of: vocabulary), as: UTF8.self) + "\n")
        return ExitStatus.done
      }
      let table = try vocabulary.table()
      // Programs read the table, and get it unchanged.
      let isShown = isatty(console.output.descriptor) == 1
      try console.output.write(isShown ? Self.shown(table) : table)
      let others = vocabulary.countsBesideRows
      if !others.isEmpty {
        let counts = others.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
        console.note("The vocabulary also has \(counts). --json prints all of it.")
      }
    case .add(let name, let terms):
      let words = try Self.named(name, folder)
      let before = words.exists ? try words.vocabulary().terms.count : 0
      let after = try changed { try words.add(try terms.flatMap(Self.rows)) }.terms.count
      try report(
        words, "Added \(after - before) of the terms; '\(name)' has \(after) now.", isJSON, console)
    case .remove(let name, let terms, let asks):
      let words = try Self.known(name, folder)
      guard terms.isEmpty else {
        let known = Set(try words.vocabulary().terms.map(\.text))
        if let missing = terms.first(where: { !known.contains($0) }) {
          throw Failure(
            .notFound, "The vocabulary '\(name)' has no such term.", input: missing,
            hint: "'longhand vocabulary show \(name)' lists its terms.")
        }
        let left = try changed { try words.remove(terms) }.terms.count
        try report(words, "'\(name)' has \(left) \(left == 1 ? "term" : "terms") now.", isJSON, console)
        break
      }
      if asks {
        guard Console.canAsk else {
          throw Failure.usage(
            "Cannot ask whether to delete '\(name)', because standard input is not a terminal.",
            hint: "To delete it, add: --yes")
        }
        let count =
          (try? words.vocabulary().terms.count).map { " with \($0) \($0 == 1 ? "term" : "terms")" } ?? ""
        guard
          try await console.confirms("Delete the vocabulary '\(name)'\(count)? It cannot be restored.")
        else {
          console.note("Nothing was deleted.")
          return ExitStatus.failed
        }
      }
      try words.erase()
    }
    return ExitStatus.done
  }

  /// A table for a terminal.
  static func shown(_ table: String) -> String {
    table.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).escapingControls }
      .joined(separator: "\n")
  }

  private func list(_ folder: VocabularyFolder, _ isJSON: Bool, _ console: Console) throws -> Int32 {
    let rows = try folder.allNames.map { Row(try folder.words(named: $0)) }
    if isJSON {
      try console.output.write(JSONLine.string(rows) + "\n")
      return ExitStatus.done
    }
    for row in rows {
      try console.output.write("\(row.terms.map(String.init) ?? "?")\t\(row.name.escapingControls)\n")
      if let problem = row.problem { console.note(problem) }
    }
    if rows.isEmpty {
      console.note(
        "The library has no vocabularies yet. 'longhand vocabulary add NAME TERM' makes one.")
    }
    return ExitStatus.done
  }

  private func report(_ words: LibraryWords, _ text: String, _ isJSON: Bool, _ console: Console) throws {
    if isJSON { try console.output.write(JSONLine.string(Row(words)) + "\n") } else { console.note(text) }
  }

  /// A vocabulary that exists.
  private static func known(_ name: String, _ folder: VocabularyFolder) throws -> LibraryWords {
    let names = folder.allNames
    guard names.contains(name) else {
      throw Failure(
        .notFound, "The library has no vocabulary '\(name)'.", input: name,
        hint: VocabularyReference.hint(names, nearest: name))
    }
    return try folder.words(named: name)
  }

  /// A vocabulary that may be new.
  private static func named(_ name: String, _ folder: VocabularyFolder) throws -> LibraryWords {
    do { return try folder.words(named: name) } catch let error as StoreError {
      throw Failure(.usage, error.what, input: name, hint: "Example: longhand vocabulary add chess Winawer")
    }
  }

  /// A vocabulary after a change.
  private func changed(_ body: () throws -> Vocabulary) throws -> Vocabulary {
    do { return try body() } catch let error as StoreError {
      throw Failure(.library, error.what, input: error.file, hint: error.remedy)
    }
  }

  /// The rows of a term, or of a list on standard input.
  private static func rows(_ term: String) throws -> [VocabularyRow] {
    guard term == "-" else { return [VocabularyRow(term: term)] }
    let data = FileHandle.standardInput.readDataToEndOfFile()
    guard let text = String(validating: data, as: UTF8.self) else {
      throw Failure(
        .malformed, "Standard input is not UTF-8.", hint: "Convert it, for example with iconv.")
    }
    return VocabularyRow.pasted(text)
  }
}
