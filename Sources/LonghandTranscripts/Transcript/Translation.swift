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
  /// The translation as a transcript of its own, for documents that have it alone; nil if there is none. Passages have the speakers
  /// of the segments that they are made of, and those of echoes are left out.
  package var translated: Transcript? {
    guard let translation else { return nil }
    var sources = segments.reduce(into: [[TimeInterval]: [Segment]]()) { sources, segment in
      guard !segment.text.isEmpty else { return }
      for times in Set([segment, segment.withoutEcho ?? segment].map { [$0.start, $0.end] }) {
        sources[times, default: []].append(segment)
      }
    }
    var transcript = self
    transcript.locale = "en"
    transcript.segments = translation.passages.enumerated().compactMap { index, passage in
      let times = [passage.start, passage.end]
      let source = sources[times]?.first ?? self.segment(near: passage)
      // Segments of several channels may have the same times.
      if let count = sources[times]?.count, count > 1 { sources[times]?.removeFirst() }
      guard source?.isEcho != true else { return nil }
      var part = Segment(
        id: index, start: passage.start, end: passage.end,
        candidates: [Candidate(text: passage.text, words: [], confidence: nil)], channel: source?.channel)
      part.speaker = source?.speaker
      return part
    }
    (transcript.translation, transcript.normalized, transcript.names) = (nil, nil, [])
    return transcript
  }

  /// A segment at the time of a passage whose segment was changed since; nil if several speak then.
  private func segment(near passage: Translation.Passage) -> Segment? {
    let near = segments.filter {
      !$0.text.isEmpty && !$0.isEcho && $0.start < passage.end && passage.start < $0.end
    }
    return Set(near.map { $0.speaker?.speaker }).count == 1 && Set(near.map(\.channel)).count == 1
      ? near.first : nil
  }
}
