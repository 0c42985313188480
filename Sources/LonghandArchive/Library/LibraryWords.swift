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

  init(_ folder: URL) { self.init(file: folder.appendingPathComponent(Self.fileName)) }

  init(file: URL) { self.file = file }

  /// Whether the file exists.
  package var exists: Bool { FileManager.default.fileExists(atPath: file.path) }

  /// The words with what the recognizer wrote instead of them; empty if there are none.
  /// - Throws: `VocabularyError` if the file is not a vocabulary.
  package func vocabulary() throws -> Vocabulary {
    guard exists else {
      let name = file.deletingPathExtension().lastPathComponent
      return Vocabulary(name: file.lastPathComponent == Self.fileName ? "library" : name)
    }
    return try Vocabulary(contentsOf: file)
  }

  /// Replaces the words, which a table shows; what is no row of the table stays.
  /// - Returns: all of the vocabulary.
  /// - Throws: `StoreError` if there are too many, `VocabularyError`, `RecordingError`.
  @discardableResult package func replace(_ rows: [VocabularyRow]) throws -> Vocabulary {
    guard rows.count <= Self.maxCount else { throw error("it has more than \(Self.maxCount) words") }
    return try change { $0.rows = rows }
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
    let text = text.trimmingCharacters(in: .whitespaces)
    guard (1...100).contains(text.count), text.contains(where: \.isLetter),
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else {
      throw error("a word has 1 to 100 characters on one line, and a letter")
    }
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

  /// Removes a word, if it is there.
  /// - Returns: the words that are left.
  /// - Throws: `VocabularyError`, `RecordingError`.
  @discardableResult package func remove(_ text: String) throws -> Vocabulary {
    try change { vocabulary in
      vocabulary.terms.removeAll { $0.text == text }
      vocabulary.corrections.removeAll { $0.text == text }
    }
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
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    try SystemDisk().replace(file, with: try encoder.encode(vocabulary))
    return vocabulary
  }
}
