#if os(Linux)
  import Foundation
  import LonghandVocabulary
  import Speech

  /// A term of a vocabulary, and the sentences in which it is said.
  struct SpokenTerm: Sendable {
    /// A sentence with the term.
    struct Sentence: Sendable, Hashable {
      var before: String
      var term: String
      var after: String
      /// The phones of the term, in ARPAbet; nil if the spelling decides.
      var phones: String?

      /// The words.
      var text: String { [before, term, after].filter { !$0.isEmpty }.joined(separator: " ") }

      /// The sentence in SSML.
      var markup: String {
        let term = Self.escaped(term)
        let said = phones.map { "<phoneme ph=\"\($0)\">\(term)</phoneme>" } ?? term
        return "<speak>\(Self.escaped(before)) \(said) \(Self.escaped(after))</speak>"
      }

      private static func escaped(_ text: String) -> String {
        text.replacing("&", with: " and ").replacing(/[<>"]/, with: " ")
      }
    }

    /// Sentences that fit any noun. In each, the term has words on both sides.
    private static let carriers = [
      ("we talked about", "this morning"), ("please write", "on the first page"),
      ("they have mentioned", "yesterday"), ("she wants to know more about", "today"),
    ]

    /// The term, as it is written.
    let text: String
    private let phones: [String]
    private let examples: [(before: String, after: String)]

    /// - Parameter vocabulary: its phrases that have the term are said first.
    init(_ term: Vocabulary.Term, of vocabulary: Vocabulary) {
      text = term.text
      phones = term.pronunciations.map {
        PhonemeMap.phones(of: $0).phones.joined(separator: " ").lowercased()
      }
      let own = vocabulary.phrases.compactMap { Self.parts(of: $0.text, around: term.text) }
      examples = Array(own.prefix(Self.carriers.count)) + Self.carriers
    }

    /// What a voice says; several voices say the term in several ways and sentences.
    /// - Parameter voice: the number of the voice, from 0.
    func sentence(ofVoice voice: Int) -> Sentence {
      let (before, after) = examples[voice % examples.count]
      return Sentence(
        before: before, term: text, after: after,
        phones: phones.isEmpty ? nil : phones[voice % phones.count])
    }

    /// Whether it is one word; only words have pronunciations.
    var isWord: Bool { !text.contains(where: \.isWhitespace) }

    /// Whether the vocabulary says how it sounds.
    var hasPronunciation: Bool { !phones.isEmpty }

    /// A phrase without the term in it; nil if it does not have the term, or nothing else.
    private static func parts(of phrase: String, around term: String) -> (String, String)? {
      let words = phrase.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
      let own = term.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
      guard words.count > own.count,
        let first = words.indices.first(where: { words[$0...].starts(with: own) })
      else { return nil }
      return (
        words[..<first].joined(separator: " "), words[(first + own.count)...].joined(separator: " ")
      )
    }
  }
#endif
