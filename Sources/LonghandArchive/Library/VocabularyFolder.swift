import Foundation

/// The vocabularies of a library: those that people made, by name, and the words for every recording. They are files, so
/// that no database is opened for them.
package struct VocabularyFolder: Sendable {
  /// The name of the words for every recording.
  package static let common = "library"

  private let library: URL
  private var folder: URL { library.appendingPathComponent("vocabularies") }

  /// - Parameter library: the folder of the library, which may not exist.
  package init(of library: URL) { self.library = library }

  /// The names of the vocabularies that people made.
  package var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
      .filter { $0.hasSuffix(".json5") && !$0.hasPrefix(".") }.map { String($0.dropLast(6)) }
      .filter { $0 != Self.common }.sorted { $0.lowercased() < $1.lowercased() }
  }

  /// The names of all vocabularies that exist, with that of the words for every recording.
  package var allNames: [String] { (words.exists ? [Self.common] : []) + names }

  /// The words for every recording, which people added while they corrected transcripts.
  package var words: LibraryWords { LibraryWords(library) }

  /// A vocabulary, which may not exist yet.
  /// - Throws: `StoreError` if the name cannot be that of a vocabulary.
  package func words(named name: String) throws -> LibraryWords {
    if name == Self.common { return words }
    let words = LibraryWords(file: folder.appendingPathComponent("\(spelling(of: name)).json5"))
    guard (1...60).contains(name.count), name.utf8.count <= 200, name.first?.isWhitespace == false,
      name.last?.isWhitespace == false, name.first != ".",
      name.allSatisfy({ $0.isLetter || $0.isNumber || " -_.'".contains($0) })
    else {
      throw words.error(
        "the name of a vocabulary has 1 to 60 letters, digits, spaces, dots, hyphens or underscores")
    }
    return words
  }

  /// A name as its file has it. The same letters can be written as different bytes, which are different files.
  private func spelling(of name: String) -> String {
    let same = names.filter { $0 == name }
    return same.first { $0.utf8.elementsEqual(name.utf8) } ?? same.first
      ?? name.precomposedStringWithCanonicalMapping
  }
}
