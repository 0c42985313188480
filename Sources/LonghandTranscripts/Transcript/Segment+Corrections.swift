import Foundation
import SentenceFormatting

extension Segment {
  /// Whether a person wrote or confirmed the text. It is then no candidate of the recognizer.
  public var isCorrected: Bool { chosen.source == Candidate.person }

  /// The rule of a text that a person writes in place of this one. What was written with its marks keeps them.
  package var personsRule: RerankingRule {
    selection.rule == RerankingRule.paragraph.rawValue ? .paragraph : .correction
  }

  /// The candidates that the recognizer produced.
  public var recognizedCandidates: [Candidate] { candidates.filter { $0.source != Candidate.person } }

  /// The indices of the words that a person wrote: those in which the text differs from the most similar candidate of the
  /// recognizer. Empty if the text is the recognizer's.
  public var correctedWords: Set<Int> {
    guard isCorrected else { return [] }
    let differences = recognizedCandidates.map { candidate in
      Set(Self.differences(of: words, from: candidate.words).flatMap(\.own))
    }
    return differences.min { $0.count < $1.count } ?? Set(words.indices)
  }

  /// Words of a segment that differ from those that were recognized.
  package struct Difference: Sendable, Hashable {
    /// The indices of the segment's words; empty where words are left out.
    package var own: Range<Int>
    /// The indices of the words that were recognized; empty where words are added.
    package var other: Range<Int>
  }

  /// Where words are outside of the longest common subsequence of two lists, in order. A mark makes no other word.
  package static func differences(of words: [Word], from others: [Word]) -> [Difference] {
    let (own, other) = (words.map(\.bareText), others.map(\.bareText))
    var lengths = Array(repeating: Array(repeating: 0, count: other.count + 1), count: own.count + 1)
    for row in own.indices.reversed() {
      for column in other.indices.reversed() {
        lengths[row][column] =
          own[row] == other[column]
          ? lengths[row + 1][column + 1] + 1 : max(lengths[row + 1][column], lengths[row][column + 1])
      }
    }
    var (row, column): (Int, Int) = (0, 0)
    var differences: [Difference] = []
    func difference(to end: (row: Int, column: Int), from start: (row: Int, column: Int)) {
      guard start != end else { return }
      differences.append(Difference(own: start.row..<end.row, other: start.column..<end.column))
    }
    var start = (row: 0, column: 0)
    while row < own.count, column < other.count {
      if own[row] == other[column] {
        difference(to: (row, column), from: start)
        (row, column) = (row + 1, column + 1)
        start = (row, column)
      } else if lengths[row + 1][column] >= lengths[row][column + 1] {
        row += 1
      } else {
        column += 1
      }
    }
    difference(to: (own.count, other.count), from: start)
    return differences
  }

  /// The segment with other words in place of some of its own; nil if nothing would be left. The new words share the
  /// time of the old ones, and have no confidence. There are spaces between them, also in writing that has none between words.
  package func replacing(_ range: Range<Int>, with words: [String]) -> Candidate? {
    let old = self.words[range]
    guard let first = old.first, let last = old.last else { return nil }
    let new = Word.sharing(first.start, last.end, words)
    let all = Array(self.words[..<range.lowerBound]) + new + Array(self.words[range.upperBound...])
    guard !all.isEmpty else { return nil }
    return Candidate(
      text: text(replacing: range, with: words.joined(separator: " ")), words: all, confidence: nil,
      source: Candidate.person, language: language)
  }

  /// The text with others in place of some of its words; what is between the words stays.
  func text(replacing range: Range<Int>, with replacement: String) -> String {
    guard let places = text.places(of: words) else {
      let all =
        words[..<range.lowerBound].map(\.text) + [replacement] + words[range.upperBound...].map(\.text)
      return all.filter { !$0.isEmpty }.joinedWords()
    }
    let before = text[..<places[range.lowerBound].lowerBound]
    let after = text[places[range.upperBound - 1].upperBound...]
    guard replacement.isEmpty else { return before + replacement + after }
    return (before + after.drop { $0.isWhitespace }).trimmingCharacters(in: .whitespaces)
  }
}

extension Segment {
  /// The segment with its second text in place of the first, and with words that share the time of those they replace, and have
  /// their speaker. What would replace words of two speakers, or echoes and other words, is left out.
  func inSecondText(_ second: NormalizedTranscript) -> Segment {
    var changed = self
    guard !words.isEmpty else {
      changed.candidates[selection.index].text = second.text
      return changed
    }
    let speakers = speakerRuns.flatMap { run in run.words.map { _ in run.speaker } }
    // From the end, so that the ranges before keep their places.
    for (range, spans) in groups(of: second.spans, speakers).reversed() {
      guard let places = text.places(of: words[..<range.upperBound]) else { continue }
      func offset(_ place: String.Index) -> Int { text.utf8.distance(from: text.startIndex, to: place) }
      let start = offset(places[range.lowerBound].lowerBound)
      let end = offset(places[range.upperBound - 1].upperBound)
      func part(_ range: Range<Int>) -> String {
        String(decoding: text.utf8.dropFirst(range.lowerBound).prefix(range.count), as: UTF8.self)
      }
      var (new, position) = ("", start)
      for span in spans {
        let source = span.source.clamped(to: position..<end)
        new += part(position..<source.lowerBound) + span.text
        position = source.upperBound
      }
      new += part(position..<end)
      let parts = new.split(whereSeparator: \.isWhitespace).map(String.init)
      guard var candidate = changed.replacing(range, with: parts) else { continue }
      let old = words[range]
      for index in range.lowerBound..<range.lowerBound + parts.count {
        candidate.words[index].speaker = speakers[range.lowerBound]
        candidate.words[index].speakerConfidence = old.compactMap(\.speakerConfidence).min()
        candidate.words[index].isEcho = words[range.lowerBound].isEcho
      }
      (changed.candidates, changed.selection) = (
        [candidate], Selection(index: 0, rule: changed.selection.rule)
      )
    }
    return changed
  }

  /// The words that spans replace, in order. Spans in the same word belong together.
  /// - Parameter speakers: who says each word, as readers see it.
  private func groups(
    of spans: [NormalizedTranscript.Span], _ speakers: [String?]
  ) -> [(words: Range<Int>, spans: [NormalizedTranscript.Span])] {
    var groups: [(words: Range<Int>, spans: [NormalizedTranscript.Span])] = []
    for span in spans {
      let range = words(in: span.source)
      guard let first = range.first,
        range.allSatisfy({ speakers[$0] == speakers[first] && words[$0].isEcho == words[first].isEcho })
      else { continue }
      if let last = groups.last, first < last.words.upperBound {
        groups[groups.count - 1] = (
          last.words.lowerBound..<max(last.words.upperBound, range.upperBound), last.spans + [span]
        )
      } else {
        groups.append((range, [span]))
      }
    }
    return groups
  }
}

extension Transcript {
  /// The transcript with the second text of its segments in place of the first.
  /// - Parameter second: the second texts by the IDs of the segments.
  public func inSecondText(_ second: [Int: NormalizedTranscript]) -> Transcript {
    var transcript = self
    transcript.segments = segments.map { segment in
      second[segment.id].map(segment.inSecondText) ?? segment
    }
    return transcript
  }
}

extension String {
  /// Where words are in the text, in order; nil if one is not there.
  func places(of words: some Sequence<Word>) -> [Range<Index>]? {
    var position = startIndex
    var places: [Range<Index>] = []
    for word in words {
      guard let place = range(of: word.text, options: .literal, range: position..<endIndex) else {
        return nil
      }
      places.append(place)
      position = place.upperBound
    }
    return places
  }
}

extension Word {
  /// Words that share the time from `start` to `end`, in seconds, by the numbers of their letters. They have no confidence.
  package static func sharing(_ start: TimeInterval, _ end: TimeInterval, _ texts: [String]) -> [Word] {
    let lengths = texts.map { Double($0.count + 1) }
    let scale = (end - start) / max(1, lengths.reduce(0, +))
    var position = start
    return zip(texts, lengths).map { text, length in
      let begin = position
      position = min(end, position + length * scale)
      return Word(text: text, start: begin, end: position, confidence: nil)
    }
  }

  /// The text in lower case without the marks around it.
  package var bareText: String { text.lowercased().trimmingCharacters(in: .punctuationCharacters) }
}
