import Foundation

/// How the words of a domain are written that have capitals in its phrases: recognizers find them in small letters. A word that
/// the domain also writes small stays small.
package struct DomainSpelling {
  /// How the line of a language model begins that has the spelling of a word.
  private static let mark = "# Spelling: "
  /// Bytes before the n-grams of a language model, at most.
  private static let maxPreamble = 4 << 20

  private var spellings: [String: String] = [:]
  private var small: Set<String> = []

  /// No spelling.
  package init() {}

  /// The spelling by the terms and the language model of a configuration.
  package init(_ configuration: ServiceConfiguration) {
    for phrase in configuration.contextualStrings { add(phrase) }
    let preamble = configuration.languageModel.map { Self.preamble(ofModelAt: $0.model) } ?? ""
    for line in preamble.split(separator: "\n") where line.hasPrefix(Self.mark) {
      add(line.dropFirst(Self.mark.count))
    }
  }

  /// Adds the words of a term.
  package mutating func add(_ term: some StringProtocol) {
    for word in term.split(whereSeparator: { !$0.isLetter && $0 != "'" }) {
      let lower = word.lowercased()
      if word == lower { small.insert(lower) } else { spellings[lower] = spellings[lower] ?? String(word) }
    }
  }

  /// Adds the words of a phrase, whose first may have its capital because a sentence begins.
  package mutating func add(phrase: String) {
    guard let space = phrase.firstIndex(where: \.isWhitespace) else { return add(phrase) }
    add(phrase[space...])
  }

  /// A line for each word that has capitals, to stand before the n-grams of a language model.
  package var lines: String {
    spellings.filter { !small.contains($0.key) }.values.sorted().map { Self.mark + $0 + "\n" }.joined()
  }

  /// A word of the domain as its phrases write it.
  package func written(_ word: String) -> String {
    let lower = word.lowercased()
    return small.contains(lower) ? word : spellings[lower] ?? word
  }

  /// The lines of a language model before its n-grams; empty if it cannot be read.
  package static func preamble(ofModelAt path: String) -> String {
    guard let file = FileHandle(forReadingAtPath: path) else { return "" }
    defer { try? file.close() }
    var data = Data()
    while data.count < maxPreamble, data.suffix(1024).range(of: Data("\\1-grams:".utf8)) == nil,
      let more = try? file.read(upToCount: 512), !more.isEmpty
    {
      data += more
    }
    return String(decoding: data, as: UTF8.self)
  }
}
