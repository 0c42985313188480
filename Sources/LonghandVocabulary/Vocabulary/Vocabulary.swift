import Foundation
import Synchronization

/// The words, phrases and names of a domain: the contents of a vocabulary file.
///
/// The file is JSON5, as `Schemas/vocabulary.schema.json` describes it, or a list of terms: a text file with a term a line, or
/// a table (CSV) with the columns term, sounds like and replaces.
///
/// ```swift
/// let file = #"{name: "chess", terms: [{text: "Winawer"}], entities: ["Winawer Variation"]}"#
/// let vocabulary = try Vocabulary(Data(file.utf8), file: "chess.json5")
/// for finding in VocabularyCheck(vocabulary).findings { print(finding.location, finding.problem) }
/// print(TranscriptNormalizer(vocabulary).normalizeLocally("the winawer variation").text)
/// ```
public struct Vocabulary: Sendable, Hashable, Encodable {
  /// A word or a name.
  public struct Term: Sendable, Hashable, Encodable {
    /// The spelling.
    public var text: String
    /// The pronunciations, each as X-SAMPA symbols separated by spaces. If there are none, the spelling decides.
    public var pronunciations: [String]

    /// Creates a term. Its letters with accents are one character each, as recognizers compare bytes.
    public init(text: String, pronunciations: [String] = []) {
      self.text = text.precomposedStringWithCanonicalMapping
      self.pronunciations = pronunciations
    }
  }

  /// A phrase or a template of phrases, and how often it is said compared with the others.
  public struct CountedText: Sendable, Hashable, Encodable {
    /// Words; in a template also names of classes between `<` and `>`.
    public var text: String
    /// At least 1.
    public var count: Int

    /// Creates a phrase or a template. Its letters with accents are one character each, as recognizers compare bytes.
    public init(text: String, count: Int = 1) {
      self.text = text.precomposedStringWithCanonicalMapping
      self.count = count
    }
  }

  /// A known mistake of the recognizer.
  public struct Correction: Sendable, Hashable, Encodable {
    private enum CodingKeys: String, CodingKey { case recognized = "heard", text }

    /// The words that the recognizer writes; `heard` in the file.
    public var recognized: String
    /// The words that were said.
    public var text: String

    /// Creates a correction.
    public init(recognized: String, text: String) {
      self.recognized = recognized
      self.text = text
    }
  }

  /// The name of the domain.
  public var name: String
  /// The language (BCP 47). Recordings in other languages expect the words by their spelling.
  public var locale = "en-US"
  /// Words and names.
  public var terms: [Term] = []
  /// Phrases of the domain.
  public var phrases: [CountedText] = []
  /// Templates of phrases. The count of a template is divided among all its phrases.
  public var templates: [CountedText] = []
  /// The classes that templates name, each with its values.
  public var classes: [String: [String]] = [:]
  /// Known mistakes of the recognizer.
  public var corrections: [Correction] = []
  /// The names to extract, in their correct spelling.
  public var entities: [String] = []
  /// The IDs of names in the reader's database, by the names; nil if it gives none.
  public var entityIDs: [String: String]?

  /// What the second text of a transcript is written by: the corrections, the names, and the terms without their sounds.
  /// Nil if there is none of them.
  public var spellings: Vocabulary? {
    guard !(corrections.isEmpty && entities.isEmpty && terms.isEmpty) else { return nil }
    var spellings = Vocabulary(name: name)
    spellings.locale = locale
    spellings.terms = terms.map { Term(text: $0.text) }
    spellings.corrections = corrections
    spellings.entities = entities
    spellings.entityIDs = entityIDs
    return spellings
  }

  /// How terms are written in sentences.
  package var writtenNames: [String] { terms.map(\.text) }

  /// Creates an empty vocabulary.
  public init(name: String) { self.name = name }

  /// Reads a vocabulary file in UTF-8, or in UTF-16 with its mark: JSON5, a text file (`.txt`) with a term a line, or a table
  /// (`.csv`) with the columns term, sounds like and replaces.
  /// - Throws: `VocabularyError`, with the file and the location in it.
  public init(contentsOf file: URL) throws(VocabularyError) {
    try self.init(try Self.content(of: file), file: file.path)
  }

  /// What was read of pipes, which can be read only once, while a file is read several times: to check it, and to compile it.
  private static let streams = Mutex<[String: Data]>([:])

  /// The contents of a file, or of a pipe up to its end; one byte more than is allowed if they are too large.
  static func content(of file: URL) throws(VocabularyError) -> Data {
    do {
      var status = stat()
      guard stat(file.path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return try read(file) }
      let key = "\(status.st_dev) \(status.st_ino) \(file.path)"
      if let known = streams.withLock({ $0[key] }) { return known }
      let content = try read(file)
      streams.withLock { $0[key] = content }
      return content
    } catch {
      throw VocabularyError(file: file.path, location: nil, problem: "it cannot be read")
    }
  }

  private static func read(_ file: URL) throws -> Data {
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    var content = Data()
    // A device such as /dev/zero has no end.
    while content.count <= maxBytes,
      let part = try handle.read(upToCount: min(1 << 20, maxBytes + 1 - content.count)), !part.isEmpty
    {
      content += part
    }
    return content
  }

  /// Reads the contents of a vocabulary file.
  /// - Parameters:
  ///   - data: the contents, in UTF-8, or in UTF-16 with its mark.
  ///   - file: the name of the file in errors; its extension says how it is written.
  /// - Throws: `VocabularyError`, with the file and the location in it.
  public init(_ data: Data, file: String) throws(VocabularyError) {
    guard data.count <= Self.maxBytes else {
      throw VocabularyError(file: file, location: nil, problem: "it is larger than \(Self.maxBytes >> 20) MB")
    }
    // Excel's "Unicode text" is UTF-16, which begins with a mark.
    if data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF]),
      let text = String(data: data, encoding: .utf16)
    {
      self = try Vocabulary(Data(text.utf8), file: file)
      return
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw VocabularyError(
        file: file, location: nil, problem: "it is not UTF-8; convert it, for example with iconv")
    }
    if let form = VocabularyList.Form(file, data) {
      self = try VocabularyList.vocabulary(text, form, file: file)
      return
    }
    do {
      self = try JSONDecoder().decode(Vocabulary.self, from: try JSON5Text.json(data))
    } catch {
      throw VocabularyError(error, file: file)
    }
  }

  static let maxBytes = 64 << 20
}
