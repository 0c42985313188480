import Foundation
import LanguageModeling
import SentenceFormatting

/// How numbers are written in an output. The recognizer's words stay as they are in the transcript.
///
/// English, German, French, Spanish, Italian, Portuguese, Dutch and Russian have both forms; other languages stay as they are. A
/// number stays where its other form is not clear, such as "A4", or "one" in "one of them".
public enum NumberForm: String, CaseIterable, Sendable {
  /// In words: "nineteen ninety nine".
  case spoken
  /// In figures from ten on, and in rows of three or more numbers: "1999".
  case written
}

extension Transcript {
  /// The transcript with numbers in one form. The words of a number share its time, and a number of several words lasts from the
  /// first to the last one.
  package func withNumbers(_ form: NumberForm) -> Transcript {
    var languages: [String: NumberForms?] = [:]
    var result = self
    var isBeginning = true
    for index in segments.indices {
      let code = segments[index].language ?? locale
      let forms = languages[code] ?? NumberLanguage(code).map(NumberForms.init)
      languages[code] = .some(forms)
      if let forms { result.segments[index].setNumbers(form, forms, isBeginning: isBeginning) }
      isBeginning = segments[index].text.endsSentence
    }
    return result
  }
}

extension Segment {
  /// - Parameter isBeginning: whether a sentence begins with the segment.
  fileprivate mutating func setNumbers(_ form: NumberForm, _ forms: NumberForms, isBeginning: Bool) {
    let text = TimedText(self)
    let tokens = text.tokens
    let said = text.isTimed ? words.indices.filter { !LineText.of(words[$0].text).isEmpty } : []
    let changes = (form == .spoken ? forms.spoken : forms.written)(tokens.map(\.text)).filter { change in
      !text.isTimed
        || said[change.range].allSatisfy { words[$0].hasSameOrigin(as: words[said[change.range.lowerBound]]) }
    }
    guard !changes.isEmpty else { return }
    let hasCapitals = self.text.hasMarksOrCapitals
    var (newTokens, newWords): ([TimedText.Token], [Word]) = ([], [])
    var next = 0
    func keep(to end: Int) {
      newTokens += tokens[next..<end]
      if text.isTimed { newWords += said[next..<end].map { words[$0] } }
      next = end
    }
    for change in changes {
      keep(to: change.range.lowerBound)
      var parts = change.words
      let begins = next > 0 ? tokens[next - 1].text.endsSentence : isBeginning
      if hasCapitals, begins { parts[0] = parts[0].withCapital }
      var token = tokens[next]
      for (index, part) in parts.enumerated() {
        token.text = part
        token.isSpaced = index > 0 || token.isSpaced
        newTokens.append(token)
      }
      if text.isTimed { newWords += Word.sharing(parts, of: said[change.range].map { words[$0] }) }
      next = change.range.upperBound
    }
    keep(to: tokens.count)
    newWords.giveLengths(within: range)
    candidates[selection.index].text = TimedText.text(newTokens)
    candidates[selection.index].words = newWords
  }
}

extension Word {
  fileprivate func hasSameOrigin(as other: Word) -> Bool {
    speaker == other.speaker && isEcho == other.isEcho
  }

  /// Words in place of others, with their time and the least of their confidences.
  fileprivate static func sharing(_ texts: [String], of words: [Word]) -> [Word] {
    guard let first = words.first, let last = words.last else { return [] }
    return sharing(first.start, max(first.start, last.end), texts).map { part in
      var word = first
      (word.text, word.start, word.end) = (part.text, part.start, part.end)
      word.confidence = words.compactMap(\.confidence).min()
      (word.voice, word.marks) = (nil, nil)
      return word
    }
  }
}

extension String {
  /// With a capital as its first letter.
  fileprivate var withCapital: String {
    guard let first = firstIndex(where: \.isLetter), allSatisfy({ !$0.isNumber }) else { return self }
    return self[..<first] + String(self[first...]).withFirstCapital
  }
}
