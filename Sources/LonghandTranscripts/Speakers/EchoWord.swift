import Foundation

/// A word of one channel that is the echo of another channel: speech of a loudspeaker that leaked into a microphone.
///
/// It stays in its segment, and readers leave it out unless it is requested.
package struct EchoWord: Sendable, Hashable, Codable {
  /// The channel with the echo, from 0.
  package var channel: Int
  /// Seconds from the start of the audio.
  package var start: TimeInterval
  /// Seconds from the start of the audio; not before `start`.
  package var end: TimeInterval
  /// The word as it was recognized. Another word at this time is no echo.
  package var word: String

  package init(channel: Int, start: TimeInterval, end: TimeInterval, word: String) {
    self.channel = channel
    self.start = start
    self.end = end
    self.word = word
  }

  /// A word without what two recognitions of it may differ in.
  package static func key(of word: String) -> String {
    word.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// Whether a word of this channel is the echo.
  func isAbout(_ word: Word) -> Bool {
    start...max(start, end) ~= (word.start + word.end) / 2
      && Self.key(of: self.word) == Self.key(of: word.text)
  }
}

extension [EchoWord] {
  /// The segments without the echoes; those that are nothing else are left out.
  package func removed(from segments: [Segment]) -> [Segment] {
    segments.compactMap { marked($0).withoutEcho }
  }

  /// The segment with its echoes marked. What a person wrote is none.
  package func marked(_ segment: Segment) -> Segment {
    guard let channel = segment.channel, segment.chosen.source != Candidate.person else { return segment }
    let near = filter {
      $0.channel == channel && $0.start <= segment.end && segment.start <= Swift.max($0.start, $0.end)
    }
    guard !near.isEmpty else { return segment }
    var segment = segment
    for (index, word) in segment.words.enumerated() where near.contains(where: { $0.isAbout(word) }) {
      segment.candidates[segment.selection.index].words[index].isEcho = true
    }
    return segment
  }
}
