import Foundation
import LonghandTranscripts
import SentenceFormatting

/// Whether the text has the times of its words, and changes the speaker between sentences only.
extension TextAudit {
  /// When each word of the text is said; nil where it is not recognized.
  var wordTimes: [ClosedRange<TimeInterval>?] {
    var times = [ClosedRange<TimeInterval>?](repeating: nil, count: words.count)
    for (unit, match) in zip(claimedUnits, matches) {
      guard let match else { continue }
      let said = spoken[heardUnits[match].owners]
      guard let first = said.first, let last = said.last else { continue }
      for owner in unit.owners { times[owner] = first.start...max(first.start, last.end) }
    }
    return times
  }

  /// Parts of the text whose times are not those of their words, joined where they follow each other and are off alike.
  /// - Parameter said: when each word is said.
  func times(
    _ starts: [Int], _ said: [ClosedRange<TimeInterval>?], _ maxShift: TimeInterval
  ) -> [AuditReport.Finding] {
    var runs: [(shifts: [TimeInterval], finding: AuditReport.Finding, isOpen: Bool)] = []
    for (part, start) in zip(claim.parts, starts) {
      guard let claimed = part.start, let first = said[start],
        let last = said[start..<start + part.words.count].last(where: { $0 != nil }) ?? nil
      else { continue }
      let shift = claimed - first.lowerBound
      let isCut = part.end.map { last.upperBound - $0 > maxShift } ?? false
      guard abs(shift) > maxShift || isCut else {
        if !runs.isEmpty { runs[runs.count - 1].isOpen = false }
        continue
      }
      let words = start..<start + part.words.count
      let off = abs(shift) > maxShift ? shift : (part.end ?? claimed) - last.upperBound
      if let run = runs.last, run.isOpen, let before = run.shifts.last, abs(before - off) <= maxShift / 2 {
        runs[runs.count - 1].shifts.append(off)
        runs[runs.count - 1].finding.end = last.upperBound
        runs[runs.count - 1].finding.words = run.finding.words.lowerBound..<words.upperBound
        continue
      }
      let finding = AuditReport.Finding(
        kind: .time, start: first.lowerBound, end: last.upperBound,
        claimed: part.words.map(\.text).joinedWords(), reason: "", words: words)
      runs.append(([off], finding, true))
    }
    return runs.map { run in
      var finding = run.finding
      let middle = run.shifts.sorted()[run.shifts.count / 2]
      let seconds = String(format: "%.1f", abs(middle))
      let what = run.shifts.count == 1 ? "the time is" : "the times of \(run.shifts.count) parts are"
      finding.reason = "\(what) \(seconds) s too \(middle < 0 ? "early" : "late")"
      return finding
    }
  }

  /// Places where the text changes the speaker inside a sentence.
  func speakers(_ starts: [Int], _ said: [ClosedRange<TimeInterval>?]) -> [AuditReport.Finding] {
    // A text without marks does not say where its sentences end.
    guard words.contains(where: \.text.endsSentence) else { return [] }
    return claim.parts.indices.dropFirst().compactMap { index in
      let (before, part) = (claim.parts[index - 1], claim.parts[index])
      guard let left = before.speaker, let right = part.speaker, left != right, let end = before.words.last,
        let first = part.words.first, !end.text.endsSentence, !end.text.endsClause,
        first.text.first?.isLowercase == true, let time = said[starts[index]]
      else { return nil }
      return AuditReport.Finding(
        kind: .speaker, start: time.lowerBound, end: time.upperBound, claimed: "\(end.text) | \(first.text)",
        reason: "\(left) and \(right) share a sentence", words: starts[index] - 1..<starts[index] + 1)
    }
  }
}
