import Foundation
import SentenceFormatting

extension NormalizedTranscript {
  /// The second text with the capitals and marks of the first one, which is written in sentences. Names keep their spelling,
  /// and at the beginning of a sentence they have a capital.
  ///
  /// A text with marks of its own stays as it is: a language model or the recognizer wrote them.
  /// - Parameters:
  ///   - written: the transcript's text in sentences.
  ///   - original: the same without.
  func written(as written: String, of original: String) -> String {
    guard written != original, !text.hasSentenceEnd else { return text }
    var (result, rest, position) = ("", written[...], 0)
    var spans = spans[...]
    for character in original {
      var mark = ""
      while let next = rest.first, next != character, next.lowercased() != character.lowercased() {
        mark.append(next)
        rest.removeFirst()
      }
      guard let next = rest.popFirst() else { return text }
      while let span = spans.first, span.source.upperBound <= position,
        !span.source.isEmpty || span.source.lowerBound < position
      {
        spans.removeFirst()
      }
      defer { position += character.utf8.count }
      guard let span = spans.first, span.source.contains(position) else {
        result += mark + String(next)
        continue
      }
      guard position == span.source.lowerBound else { continue }
      let isFirst = next.isUppercase && character.isLowercase
      result += mark + (isFirst ? span.text.prefix(1).uppercased() + span.text.dropFirst() : span.text)
    }
    return result + rest
  }
}

extension Transcript {
  /// The transcript with a second text that is written in sentences, as `written` is.
  func normalizedInSentences(as written: Transcript) -> NormalizedTranscript? {
    func text(_ transcript: Transcript) -> String { transcript.segments.map(\.text).joined(separator: " ") }
    return normalized.map { normalized in
      var result = normalized
      result.text = normalized.written(as: text(written), of: text(self))
      return result
    }
  }
}
