import Foundation
import SentenceFormatting

/// What a transcript, by whoever or whatever made it, says was said: its words in order, and what it says of their times and
/// speakers.
package struct ClaimedText: Sendable, Equatable {
  /// A piece of the text, such as a caption or a paragraph.
  package struct Part: Sendable, Equatable {
    package var words: [Word]
    /// Seconds from the start of the audio; nil if the text has no times.
    package var start: TimeInterval?
    /// Seconds from the start of the audio; nil if the text has no times.
    package var end: TimeInterval?
    package var speaker: String?
  }

  /// A word with its marks.
  package struct Word: Sendable, Equatable {
    package var text: String
    /// Where it stands in the contents, in bytes of UTF-8; nil if a changed copy of the contents cannot be written.
    package var place: Range<Int>?
  }

  package var parts: [Part]

  /// The words of all parts, in order.
  package var words: [Word] { parts.flatMap(\.words) }

  /// The text with a word for each character of writing without spaces.
  var inCharacters: Self {
    var text = self
    for index in parts.indices { text.parts[index].words = parts[index].words.flatMap(\.unspacedParts) }
    return text
  }
}

extension ClaimedText.Word {
  fileprivate var unspacedParts: [Self] {
    let parts = text.unspacedParts
    // A word with an entity, such as "&amp;", is longer in the contents.
    guard parts.count > 1, place.map({ $0.count == text.utf8.count }) ?? true else { return [self] }
    var start = place?.lowerBound
    return parts.map { part in
      let place = start.map { $0..<$0 + part.utf8.count }
      start = place?.upperBound
      return Self(text: part, place: place)
    }
  }
}
