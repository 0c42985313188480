import Foundation

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
}
