import LonghandTranscripts
import Punctuation
import SentenceFormatting

/// Asks a punctuation model for marks and capitals, which are kept with the words, see `WordMarks`.
///
/// The words stay the recognizer's: `SentenceFormatter` writes the marks. If the model fails, or writes other words, the
/// rules write the marks, and a warning says so.
struct PunctuationStage: FinalStage {
  private let punctuator: any Punctuator
  private var context = PunctuationContext()

  /// - Parameter punctuator: is asked once about each final.
  init(_ punctuator: any Punctuator) { self.punctuator = punctuator }

  mutating func take(_ result: FinalResult) async -> FinalResult {
    let index = result.selection.index
    guard result.candidates.indices.contains(index),
      let words = PunctuationContext.words(of: result.candidates[index])
    else {
      context = PunctuationContext()
      return result
    }
    var result = result
    do {
      let text = (context.words + words).joined(separator: " ")
      let marks = try context.take(words, from: try await punctuator.write(text))
      result.candidates.mark(index, by: marks)
    } catch {
      context.add(words, [])
      if !Task.isCancelled {
        result.warnings.append(.punctuationFailed(result.start...result.end, "\(error)"))
      }
    }
    return result
  }
}

/// The words before a segment, which a punctuation model sees too.
struct PunctuationContext {
  /// The model's text cannot be used.
  struct OtherWords: Error, CustomStringConvertible {
    let description = "The model wrote other words than it was given."
  }

  /// The most words before a segment. The library cuts texts every 200 pieces of words.
  private static let maxWords = 40
  /// The longest word in bytes; the library ends its process on words of nearly 200 pieces.
  private static let maxLength = 100

  /// In lower case.
  private(set) var words: [String] = []
  private var marks: [WordMarks?] = []

  /// The words of a candidate as a model is asked for them; nil if it has marks already, or if a model cannot take them.
  static func words(of candidate: Candidate) -> [String]? {
    let words = candidate.words.map { $0.text.lowercased() }
    let isPlain = words.allSatisfy { word in
      !word.isEmpty && word.utf8.count <= maxLength
        && !word.unicodeScalars.contains {
          $0.properties.isWhitespace || $0.properties.generalCategory == .control
        }
    }
    return words.isEmpty || !isPlain || candidate.text.hasMarksOrCapitals ? nil : words
  }

  /// Reads the model's text of the words so far and of new ones, which are then known too.
  /// - Returns: the marks of the new words.
  /// - Throws: `OtherWords`.
  mutating func take(_ new: [String], from text: String) throws(OtherWords) -> [WordMarks] {
    guard let marks = WordMarks.marks(ofLast: new.count, of: words + new, in: text) else {
      throw OtherWords()
    }
    add(new, marks)
    return marks
  }

  /// Adds words with their marks; none if they are not known. Of those within the bound, what is before the first sentence
  /// that begins there is forgotten.
  mutating func add(_ new: [String], _ known: [WordMarks]) {
    let count = min(Self.maxWords, words.count + new.count)
    words = (words + new).suffix(count)
    marks = (marks + (known.isEmpty ? new.map { _ in nil } : known)).suffix(count)
    guard let start = marks.firstIndex(where: { $0?.before?.endsSentence == true }) else { return }
    words.removeFirst(start)
    marks.removeFirst(start)
  }
}

extension [Candidate] {
  /// Gives marks to the words of a candidate, and to the same words of the others.
  fileprivate mutating func mark(_ index: Int, by marks: [WordMarks]) {
    let known = Dictionary(zip(self[index].words, marks)) { first, _ in first }
    for candidate in indices {
      for word in self[candidate].words.indices {
        self[candidate].words[word].marks = known[self[candidate].words[word]]
      }
    }
    for (word, marks) in zip(self[index].words.indices, marks) { self[index].words[word].marks = marks }
  }
}
