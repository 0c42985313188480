import Foundation

/// A second text of a recording in English, made by the recognizer's model from the sound. It is the model's text and not what
/// was said: no promise about words holds for it. The transcript stays as it is.
public struct Translation: Sendable, Hashable, Codable {
  /// The translation of a part of the recording.
  public struct Passage: Sendable, Hashable, Codable {
    /// Seconds from the start of the audio.
    public var start: TimeInterval
    /// Seconds from the start of the audio; not before `start`.
    public var end: TimeInterval
    /// English; where English is spoken, the text of the transcript.
    public var text: String

    package init(start: TimeInterval, end: TimeInterval, text: String) {
      (self.start, self.end, self.text) = (start, end, text)
    }
  }

  /// The model that made it, by its name.
  public var model: String
  /// In the order of the audio.
  public var passages: [Passage]

  package init(model: String, passages: [Passage]) { (self.model, self.passages) = (model, passages) }

  /// What documents call it.
  package var label: String {
    "Translated into English by \(model), a text of the model and not the words that were said"
  }
  /// The whole text.
  public var text: String { passages.map(\.text).filter { !$0.isEmpty }.joined(separator: " ") }
}

extension Transcript {
  /// The translation as a transcript of its own, for documents that have it alone; nil if there is none.
  package var translated: Transcript? {
    guard let translation else { return nil }
    var transcript = self
    transcript.locale = "en"
    transcript.segments = translation.passages.enumerated().map { index, passage in
      Segment(
        id: index, start: passage.start, end: passage.end,
        candidates: [Candidate(text: passage.text, words: [], confidence: nil)])
    }
    (transcript.translation, transcript.normalized, transcript.names) = (nil, nil, [])
    return transcript
  }
}
