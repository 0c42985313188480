import Foundation
import LonghandTranscripts

/// A language in which a recording goes on from a time.
package struct LanguageTurn: Sendable, Hashable {
  /// Seconds from the start of the audio.
  var start: TimeInterval
  /// BCP 47.
  var language: String
  /// The channel, from 0; nil for the mix of all.
  var channel: Int?
}

extension LanguageTurn {
  /// What a final says of the language; nil for other events, and where the language was not detected.
  init?(_ event: TranscriptionEvent) {
    guard case .final(let start, _, let candidates, _) = event.unwrapped.event,
      let language = candidates.first?.language
    else { return nil }
    self.init(start: start, language: language)
  }
}

extension [LanguageTurn] {
  /// The language of what was said last before a time; nil if nothing was.
  func locale(before time: TimeInterval) -> Locale? {
    filter { $0.start < time }.max { $0.start < $1.start }.map { Locale(identifier: $0.language) }
  }
}

extension [Segment] {
  /// The languages of the segments, in their order.
  package var languageTurns: [LanguageTurn] {
    compactMap { segment in
      segment.language.map { LanguageTurn(start: segment.start, language: $0, channel: segment.channel) }
    }
  }

  /// Says where the language changes, if it does.
  /// - Parameter duration: the length of the audio in seconds.
  package func languageWarnings(_ duration: TimeInterval) -> [TranscriptWarning] {
    let turns = Dictionary(grouping: self, by: \.channel).values.flatMap { segments in
      segments.languageTurns.reduce(into: [LanguageTurn]()) { turns, turn in
        if turns.last?.language != turn.language { turns.append(turn) }
      }
    }.sorted { $0.start < $1.start }
    guard Set(turns.map(\.language)).count > 1 else { return [] }
    return [.languages(0...duration, turns.map { ($0.start, Locale(identifier: $0.language)) })]
  }
}
