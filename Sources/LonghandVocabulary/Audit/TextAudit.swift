import Foundation
import LanguageModeling
import LonghandTranscripts
import SentenceFormatting

/// Compares a transcript that someone else made with what is heard in the audio, and says only what the evidence allows.
///
/// Both are aligned word by word, or character by character where the writing has no spaces between words. What the text has and nothing in the audio stands for, nobody said; what was recognized surely
/// and is not in the text, it leaves out. Where both have words, the text is wrong only if the recognizer is sure, has the
/// text's words in none of its alternatives, and both sound different.
package struct TextAudit {
  let claim: ClaimedText
  let heard: Transcript
  let words: [ClaimedText.Word]
  let spoken: [Word]
  /// The first word of each segment, among `spoken`, and their end.
  let segmentStarts: Set<Int>
  let claimedUnits: [TextUnit]
  let heardUnits: [TextUnit]
  let language: NumberLanguage?
  /// For each unit of the text the recognized one; nil where there is none.
  let matches: [Int?]

  /// - Parameters:
  ///   - claim: the text.
  ///   - heard: what was recognized, with alternatives.
  package init(_ claim: ClaimedText, heard: Transcript) {
    let claim = claim.inCharacters
    (self.claim, self.heard, words) = (claim, heard, claim.words)
    // What a person wrote is sure.
    let segments = heard.segments.map { segment in
      segment.words.flatMap(\.unspacedParts).map { word in
        var word = word
        if segment.isCorrected { word.confidence = 1 }
        return word
      }
    }
    spoken = segments.flatMap(\.self)
    segmentStarts = Set(segments.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) })
    language = NumberLanguage(heard.locale)
    claimedUnits = TextUnit.units(words.map(\.text)[...], language)
    heardUnits = TextUnit.units(spoken.map(\.text)[...], language)
    matches = Self.matches(claimedUnits, heardUnits)
  }

  /// - Parameter maxShift: seconds by which the times of the text may differ from those of its words.
  package func report(maxShift: TimeInterval = 1) -> AuditReport {
    let places = gaps.flatMap(findings)
    var starts: [Int] = []
    var next = 0
    for part in claim.parts {
      starts.append(next)
      next += part.words.count
    }
    let said = wordTimes
    let others = times(starts, said, maxShift) + speakers(starts, said)
    return AuditReport(
      words: words, starts: starts,
      findings: (places + others).sorted {
        ($0.words.lowerBound, $0.start) < ($1.words.lowerBound, $1.start)
      },
      spans: spans(places), source: heard.source, duration: heard.duration, locale: heard.locale,
      model: heard.model?.name)
  }

  private static func matches(_ claimed: [TextUnit], _ heard: [TextUnit]) -> [Int?] {
    var matches = [Int?](repeating: nil, count: claimed.count)
    var (row, column) = (0, 0)
    for operation in WordAlignment(passagesOf: claimed.map(\.text), and: heard.map(\.text)).operations {
      if operation == .match { matches[row] = column }
      if operation != .insertion { row += 1 }
      if operation != .deletion { column += 1 }
    }
    // A number is said as a whole, or not.
    for _ in 0..<2 {
      let unsaid = Set(zip(claimed, matches).filter { $1 == nil }.map(\.0.owners))
      let unwritten = Set(Set(heard.indices).subtracting(matches.compactMap(\.self)).map { heard[$0].owners })
      for (index, match) in matches.enumerated() {
        guard let match, unsaid.contains(claimed[index].owners) || unwritten.contains(heard[match].owners)
        else {
          continue
        }
        matches[index] = nil
      }
    }
    matches.removeIslands()
    return matches
  }

  /// Units between two matches, of which at least one list has some.
  struct Gap {
    var claimed: Range<Int>
    var heard: Range<Int>
  }

  private var gaps: [Gap] {
    var gaps: [Gap] = []
    var last = (row: 0, column: 0)
    for (row, match) in (matches + [heardUnits.count]).enumerated() {
      guard let column = match else { continue }
      let gap = Gap(claimed: last.row..<row, heard: last.column..<column)
      if !gap.claimed.isEmpty || !gap.heard.isEmpty { gaps.append(gap) }
      last = (row + 1, column + 1)
    }
    return gaps
  }

  private func spans(_ findings: [AuditReport.Finding]) -> [AuditReport.Span] {
    var states = [AuditReport.State](repeating: .supported, count: spoken.count)
    for finding in findings {
      let state: AuditReport.State =
        switch finding.kind {
        case .notInText: .notInText
        case .heardOtherwise, .notSaid: .contradicted
        case .unclear, .time, .speaker: .unclear
        }
      for word in finding.heardWords { states[word] = state }
    }
    var spans: [AuditReport.Span] = []
    func add(_ start: TimeInterval, _ end: TimeInterval, _ state: AuditReport.State) {
      guard end > start else { return }
      if let last = spans.last, last.state == state {
        spans[spans.count - 1].end = end
      } else {
        spans.append(.init(start: start, end: end, state: state))
      }
    }
    var next = 0
    for span in heard.spans {
      var reached = span.start
      var state: AuditReport.State =
        switch span.kind {
        case .transcribed: next < states.count ? states[next] : .supported
        case .silent, .nonspeech: .noSpeech
        case .wordless, .pending, .failed, .gap: .unclear
        }
      // Words that begin in a stretch of speech divide it.
      while next < spoken.count, spoken[next].start < span.end {
        if span.kind == .transcribed {
          add(reached, spoken[next].start, state)
          (reached, state) = (max(reached, spoken[next].start), states[next])
        }
        next += 1
      }
      add(reached, span.end, state)
    }
    return spans
  }
}
