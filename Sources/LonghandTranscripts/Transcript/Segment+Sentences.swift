import Foundation
import SentenceFormatting

extension Segment {
  /// Seconds of the longest segment that is joined of several utterances, and of the longest pause in it.
  private static let maxJoined = (length: 20.0, pause: 1.5)
  /// The most candidates of a joined segment.
  private static let maxCandidates = 12

  /// The segment with the utterance after it, if that goes on with the same sentence; nil if it does not, or if the recognizer
  /// writes no marks. Words and times stay as they are.
  package func joined(with next: Segment) -> Segment? {
    guard channel == next.channel, language == next.language,
      chosen.sourceWithoutElection == next.chosen.sourceWithoutElection,
      chosen.composition == nil,
      next.start - end <= Self.maxJoined.pause, next.end - start <= Self.maxJoined.length,
      let last = text.split(whereSeparator: \.isWhitespace).last, !last.endsSentence,
      next.text.split(whereSeparator: \.isWhitespace).first?.isCommonWithCapital == false,
      text.hasMarks || next.text.hasMarks
    else { return nil }
    var joined = self
    joined.end = next.end
    var pairs = [(candidates[0], next.candidates[0])]
    if selection.index > 0 || next.selection.index > 0 { pairs.append((chosen, next.chosen)) }
    joined.selection.index = pairs.count - 1
    if selection.rule == Selection.recognizer.rule { joined.selection.rule = next.selection.rule }
    joined.selection.judgement = selection.judgement ?? next.selection.judgement
    for index in 1..<max(2, candidates.count, next.candidates.count) {
      if let other = candidates.uncomposed(index) { pairs.append((other, next.chosen)) }
      if let other = next.candidates.uncomposed(index) { pairs.append((chosen, other)) }
    }
    joined.candidates = []
    for (first, second) in pairs.prefix(Self.maxCandidates) {
      let candidate = first.joined(with: second)
      // The selected one stands before those that repeat it.
      guard
        joined.candidates.count <= joined.selection.index
          || !joined.candidates.contains(where: { $0.text == candidate.text })
      else { continue }
      joined.candidates.append(candidate)
    }
    joined.candidates = joined.candidates.inOrderOfConfidence
    return joined
  }
}

extension Segment {
  /// The segment up to the end of its last whole sentence, and the beginning of the next one; nil if it has no such end. Each
  /// candidate is divided at the same time.
  package var dividedAfterSentence: (Segment, Segment)? {
    guard let last = words.dropLast().lastIndex(where: \.text.endsSentence),
      words.map(\.text).joinedWords() == text
    else { return nil }
    let time = (words[last].end + words[last + 1].start) / 2
    guard var first = part(start..<max(start, time)), var second = part(time..<max(time, end)) else {
      return nil
    }
    (first.end, second.start) = (words[last].end, words[last + 1].start)
    return (first, second)
  }

  private func part(_ time: Range<TimeInterval>) -> Segment? {
    var part = self
    part.candidates = []
    for (index, candidate) in candidates.enumerated() {
      let words = candidate.words.filter { time.contains(($0.start + $0.end) / 2) }
      var own = Candidate(text: words.map(\.text).joinedWords(), words: words)
      (own.source, own.language) = (candidate.source, candidate.language)
      if index == selection.index {
        part.selection.index = part.candidates.count
      } else if candidate.composition != nil || words.isEmpty {
        continue
      } else if let same = part.candidates.firstIndex(where: { $0.text == own.text }) {
        if own.isOutvoted, part.candidates[same].source == nil { part.candidates[same].source = own.source }
        continue
      }
      part.candidates.append(own)
    }
    part.candidates.removeVoidElection()
    part.candidates = part.candidates.inOrderOfConfidence
    return part.words.isEmpty ? nil : part
  }
}

extension [Candidate] {
  /// The candidate at an index, if there is one that is not composed of others.
  fileprivate func uncomposed(_ index: Int) -> Candidate? {
    indices.contains(index) && self[index].composition == nil ? self[index] : nil
  }
}

extension Candidate {
  /// The candidate with one of the next utterance.
  fileprivate func joined(with next: Candidate) -> Candidate {
    var joined = self
    joined.text = [text, next.text].joinedWords()
    joined.words += next.words
    let (count, others) = (Double(max(1, words.count)), Double(max(1, next.words.count)))
    joined.confidence = confidence.flatMap { own in
      next.confidence.map { (own * count + $0 * others) / (count + others) }
    }
    joined.source = joinedSource(with: next)
    return joined
  }
}
