import FileSupport
import Foundation
import LonghandRecording
import LonghandVocabulary

/// Words that people added to a library: those of a vocabulary that they chose, or those that count for every recording. They
/// are in a vocabulary file, which can be given to `--vocabulary` too.
package struct LibraryWords: Sendable {
  /// The name of the file with the words for every recording, in the folder of the library.
  package static let fileName = "vocabulary.json5"
  /// The most words.
  package static let maxCount = 1000

  /// The file; it does not exist before the first word.
  package let file: URL
  /// The name by which people choose it.
  package let name: String

  /// The words for every recording.
  /// - Parameter folder: the folder of the library.
  init(_ folder: URL) {
    file = folder.appendingPathComponent(Self.fileName)
    name = VocabularyFolder.common
  }

  /// A vocabulary that people chose, whose name is that of its file, which may be `fileName` in another folder.
  init(file: URL) {
    self.file = file
    name = file.deletingPathExtension().lastPathComponent
  }

  /// Whether the file exists.
  package var exists: Bool { FileManager.default.fileExists(atPath: file.path) }

  /// The words with what the recognizer wrote instead of them; empty if there are none.
  /// - Throws: `VocabularyError` if the file is not a vocabulary.
  package func vocabulary() throws -> Vocabulary {
    guard exists else { return Vocabulary(name: name) }
    var vocabulary = try Vocabulary(contentsOf: file)
    // A file that was copied here may state another name.
    vocabulary.name = name
    return vocabulary
  }

  /// Replaces the words, which a table shows; what is no row of the table stays.
  /// - Parameter before: the rows that are expected to be there; nil if whatever is there is replaced.
  /// - Returns: all of the vocabulary; nil if others than `before` are there, so that nothing was replaced.
  /// - Throws: `StoreError` if there are too many, `VocabularyError`, `RecordingError`.
  @discardableResult package func replace(
    _ rows: [VocabularyRow], before: [VocabularyRow]? = nil
  ) throws -> Vocabulary? {
    guard rows.count <= Self.maxCount else { throw error("it has more than \(Self.maxCount) words") }
    var isExpected = true
    let changed = try change { vocabulary in
      isExpected = before == nil || vocabulary.rows == before
      if isExpected { vocabulary.rows = rows }
    }
    return isExpected ? changed : nil
  }

  /// Removes the file, if there is one.
  /// - Throws: an error of Foundation.
  package func erase() throws {
    if exists { try FileManager.default.removeItem(at: file) }
  }

  func error(_ problem: String) -> StoreError { StoreError(file: file.path, problem: .invalid(problem)) }

  /// The words; empty if the file cannot be read.
  package var texts: [String] { (try? vocabulary())?.terms.map(\.text) ?? [] }

  /// Adds a word.
  /// - Parameters:
  ///   - text: the word or the name, as it is written.
  ///   - recognized: what the recognizer wrote instead of it; nil if that is not known.
  /// - Returns: all words.
  /// - Throws: `StoreError` if it cannot be a word, `VocabularyError`, `RecordingError`.
  @discardableResult package func add(_ text: String, recognized: String? = nil) throws -> Vocabulary {
    let text = try term(text)
    return try change { vocabulary in
      guard vocabulary.terms.count < Self.maxCount else {
        throw error("the library has \(Self.maxCount) words; remove some")
      }
      if !vocabulary.terms.contains(where: { $0.text == text }) { vocabulary.terms.append(.init(text: text)) }
      let wrong = recognized?.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
      if !wrong.isEmpty, wrong != text.lowercased(), wrong.contains(where: \.isLetter) {
        vocabulary.corrections.removeAll { $0.recognized == wrong }
        vocabulary.corrections.append(.init(recognized: wrong, text: text))
      }
    }
  }

  /// Adds words, each with what it sounds like and replaces. A word that is there already stays as it is.
  /// - Returns: all words.
  /// - Throws: `StoreError` if one cannot be a word, or if there are too many, `VocabularyError`, `RecordingError`.
  @discardableResult package func add(_ rows: [VocabularyRow]) throws -> Vocabulary {
    let new = try rows.map { row in
      var row = row
      row.term = try term(row.term)
      return row
    }
    return try change { vocabulary in
      var known = Set(vocabulary.terms.map(\.text))
      vocabulary.rows += new.filter { known.insert($0.term).inserted }
      guard vocabulary.terms.count <= Self.maxCount else {
        throw error("it has more than \(Self.maxCount) words")
      }
    }
  }

  /// Makes the vocabulary of the contents of a file.
  /// - Throws: `StoreError` if there is one already, or if it has too many words; `RecordingError`.
  @discardableResult package func create(_ contents: Vocabulary) throws -> Vocabulary {
    guard contents.terms.count <= Self.maxCount else {
      throw error("it has more than \(Self.maxCount) words")
    }
    return try change { vocabulary in
      guard !exists else { throw error("there is a vocabulary of this name already") }
      vocabulary = contents
      vocabulary.name = name
    }
  }

  /// Removes words, if they are there.
  /// - Returns: the words that are left.
  /// - Throws: `VocabularyError`, `RecordingError`.
  @discardableResult package func remove(_ texts: [String]) throws -> Vocabulary {
    try change { vocabulary in
      vocabulary.terms.removeAll { texts.contains($0.text) }
      vocabulary.corrections.removeAll { texts.contains($0.text) }
    }
  }

  /// A word as it is kept.
  /// - Throws: `StoreError` if it cannot be one.
  private func term(_ text: String) throws -> String {
    let text = text.trimmingCharacters(in: .whitespaces)
    guard (1...100).contains(text.count), text.contains(where: \.isLetter),
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else {
      throw error("a word has 1 to 100 characters on one line, and a letter")
    }
    return text
  }

  private func change(_ body: (inout Vocabulary) throws -> Void) throws -> Vocabulary {
    let folder = file.deletingLastPathComponent()
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // Two changes at once, also by two servers, would lose one.
    let lock = try? FolderLock(folder, .exclusiveAfterOthers)
    defer { withExtendedLifetime(lock) {} }
    var vocabulary = try vocabulary()
    try body(&vocabulary)
    try SystemDisk().replace(file, with: try Self.contents(of: vocabulary))
    return vocabulary
  }

  /// The contents of a file with a vocabulary.
  package static func contents(of vocabulary: Vocabulary) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    return try encoder.encode(vocabulary)
  }
}
