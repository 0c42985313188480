import Foundation
import LonghandTranscripts
import SentenceFormatting

/// What the evidence allows to say of a place where the text and what was recognized differ.
extension TextAudit {
  /// What decides, for Whisper *base*. The constants were set before the first run of `Benchmarks/Audit`, and not changed by it.
  private enum Limit {
    /// Words in a row from which they count without a whole sentence.
    static let run = 3
    /// The confidence from which the recognizer's words contradict the text.
    static let contradiction = 0.8
    /// The mean confidence of words from which they were said.
    static let speech = 0.6
    /// Figures of the longest number that is compared as a whole.
    static let number = 8
    /// Seconds of speech without words in which a word of the text may be.
    static let word: TimeInterval = 0.15
  }

  func findings(_ gap: Gap) -> [AuditReport.Finding] {
    let (claimed, heard) = (claimedUnits[gap.claimed], heardUnits[gap.heard])
    // Numbers that sound alike are different numbers.
    let areNumbers = [claimed, heard].allSatisfy { $0.contains { $0.text.allSatisfy(\.isNumber) } }
    if areNumbers, max(claimed.count, heard.count) <= Limit.number { return [otherwise(gap)] }
    if TextUnit.areAlike(claimed, heard) { return alike(gap) }
    if let parts = divided(gap) { return parts.flatMap(findings) }
    let areSentences =
      min(claimed.count, heard.count) >= Limit.run && isSentence(owners(of: gap.claimed, in: claimedUnits))
      && isHeardSentence(owners(of: gap.heard, in: heardUnits))
    if areSentences { return [unsaid(gap), left(out: gap)] }
    // As many words on both sides stand for each other, unless they are too many.
    if claimed.count == heard.count, claimed.count > 1, claimed.count <= Limit.run {
      return zip(gap.claimed, gap.heard).flatMap {
        findings(Gap(claimed: $0..<$0 + 1, heard: $1..<$1 + 1))
      }
    }
    let isMore = (claimed: claimed.count >= 3 * heard.count, heard: heard.count >= 3 * claimed.count)
    let areMany = min(claimed.count, heard.count) > Limit.run
    if heard.isEmpty || (isMore.claimed && isLong(gap.claimed)) { return [unsaid(gap)] }
    if claimed.isEmpty || (isMore.heard && heard.count > Limit.run) { return [left(out: gap)] }
    if areMany { return [unsaid(gap), left(out: gap)] }
    return [otherwise(gap)]
  }

  /// The gap without whole sentences of one side: they stand before or after words for which there are as many on the other side.
  private func divided(_ gap: Gap) -> [Gap]? {
    guard !gap.claimed.isEmpty, !gap.heard.isEmpty, gap.claimed.count != gap.heard.count else { return nil }
    let isHeard = gap.heard.count > gap.claimed.count
    let (longer, shorter) = isHeard ? (gap.heard, gap.claimed) : (gap.claimed, gap.heard)
    let units = isHeard ? heardUnits : claimedUnits
    func ends(before unit: Int) -> Bool {
      let owner = units[unit - 1].owners.upperBound - 1
      let text = isHeard ? spoken[owner].text : words[owner].text
      return units[unit].owners != units[unit - 1].owners
        && (text.endsSentence || isHeard && segmentStarts.contains(units[unit].owners.lowerBound))
    }
    func parts(_ edge: Int, isFirst: Bool) -> [Gap] {
      let (own, rest) =
        isFirst
        ? (longer.lowerBound..<edge, edge..<longer.upperBound)
        : (edge..<longer.upperBound, longer.lowerBound..<edge)
      let place = isFirst ? shorter.upperBound..<shorter.upperBound : shorter.lowerBound..<shorter.lowerBound
      let both = isHeard ? Gap(claimed: shorter, heard: own) : Gap(claimed: own, heard: shorter)
      let other = isHeard ? Gap(claimed: place, heard: rest) : Gap(claimed: rest, heard: place)
      return isFirst ? [both, other] : [other, both]
    }
    let first = longer.lowerBound + shorter.count
    if ends(before: first) { return parts(first, isFirst: true) }
    let last = longer.upperBound - shorter.count
    return ends(before: last) ? parts(last, isFirst: false) : nil
  }

  /// Whether units of the text are many, or a sentence.
  private func isLong(_ units: Range<Int>) -> Bool {
    units.count >= Limit.run || isSentence(owners(of: units, in: claimedUnits))
  }

  /// Both sound alike: a spelling, or words that the recognizer can hardly tell apart.
  private func alike(_ gap: Gap) -> [AuditReport.Finding] {
    let difference = TextUnit.difference(claimedUnits[gap.claimed], heardUnits[gap.heard]) ?? 0
    guard difference > 0 else { return [] }
    return [finding(.unclear, gap, "both sound alike")]
  }

  private func unsaid(_ gap: Gap) -> AuditReport.Finding {
    let range = time(of: gap)
    let speech = gap.heard.isEmpty ? unexplained(in: range) : 0
    if speech > Limit.word * Double(gap.claimed.count) {
      return finding(.unclear, gap, "there is speech in which no words were recognized")
    }
    guard isLong(gap.claimed) else {
      return finding(.unclear, gap, "not recognized; short words are easily missed")
    }
    if !gap.heard.isEmpty, (confidence(gap.heard) ?? 0) < Limit.speech {
      return finding(.unclear, gap, "the recognizer is not sure of what is said here")
    }
    return finding(
      .notSaid, gap, gap.heard.isEmpty ? "nothing is said here" : "other words are said here")
  }

  private func left(out gap: Gap) -> AuditReport.Finding {
    let owners = owners(of: gap.heard, in: heardUnits)
    let isLong = gap.heard.count >= Limit.run || isHeardSentence(owners)
    guard isLong, (confidence(gap.heard) ?? 0) >= Limit.speech else {
      return finding(.unclear, gap, "the recognizer is not sure that this is said")
    }
    return finding(.notInText, gap, "the text leaves this out")
  }

  private func otherwise(_ gap: Gap) -> AuditReport.Finding {
    if hasAlternative(gap) {
      return finding(.unclear, gap, "the recognizer considered the text's words, too")
    }
    guard (confidence(gap.heard) ?? 0) >= Limit.contradiction else {
      return finding(.unclear, gap, "the recognizer is not sure of its words")
    }
    return finding(.heardOtherwise, gap, "the recognizer is sure of other words")
  }

  private func finding(_ kind: AuditReport.Kind, _ gap: Gap, _ reason: String) -> AuditReport.Finding {
    let claimed = owners(of: gap.claimed, in: claimedUnits)
    let heard = owners(of: gap.heard, in: heardUnits)
    let range = time(of: gap)
    return AuditReport.Finding(
      kind: kind, start: range.lowerBound, end: range.upperBound,
      claimed: words[claimed].map(\.text).joinedWords(),
      heard: spoken[heard].map(\.text).joinedWords(),
      confidence: confidence(gap.heard), reason: reason,
      words: claimed, heardWords: heard, isNumberOrName: isNumberOrName(claimed, heard))
  }

  /// The words of units; an empty range at their place if there are none.
  private func owners(of range: Range<Int>, in units: [TextUnit]) -> Range<Int> {
    guard let first = units[range].first, let last = units[range].last else {
      let place = range.lowerBound > 0 ? units[range.lowerBound - 1].owners.upperBound : 0
      return place..<place
    }
    return first.owners.lowerBound..<max(first.owners.upperBound, last.owners.upperBound)
  }

  /// The mean confidence of recognized units; nil if it is not known of any word.
  private func confidence(_ units: Range<Int>) -> Double? {
    let values = spoken[owners(of: units, in: heardUnits)].compactMap(\.confidence)
    return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  private func time(of gap: Gap) -> ClosedRange<TimeInterval> {
    let heard = owners(of: gap.heard, in: heardUnits)
    if let first = spoken[heard].first, let last = spoken[heard].last {
      return first.start...max(first.start, last.end)
    }
    let start = heard.lowerBound > 0 ? spoken[heard.lowerBound - 1].end : 0
    let end = heard.lowerBound < spoken.count ? spoken[heard.lowerBound].start : self.heard.duration
    return start...max(start, end)
  }

  /// Seconds of speech, or of what could not be heard, in which no words were recognized.
  private func unexplained(in range: ClosedRange<TimeInterval>) -> TimeInterval {
    heard.spans.reduce(0) { sum, span in
      guard [.wordless, .failed, .gap, .pending].contains(span.kind) else { return sum }
      return sum + max(0, min(span.end, range.upperBound) - max(span.start, range.lowerBound))
    }
  }

  /// Whether words of the text are one sentence or several.
  private func isSentence(_ range: Range<Int>) -> Bool {
    guard let last = words[range].last else { return false }
    let begins = range.lowerBound == 0 || words[range.lowerBound - 1].text.endsSentence
    return begins && last.text.endsSentence
  }

  private func isHeardSentence(_ range: Range<Int>) -> Bool {
    guard let last = spoken[range].last else { return false }
    let begins =
      range.lowerBound == 0 || spoken[range.lowerBound - 1].text.endsSentence
      || segmentStarts.contains(range.lowerBound)
    return begins && (last.text.endsSentence || segmentStarts.contains(range.upperBound))
  }

  /// Whether the recognizer has the text's words in one of its alternatives, between the same neighbours.
  private func hasAlternative(_ gap: Gap) -> Bool {
    let range = time(of: gap)
    let wanted = claimedUnits[gap.claimed].map(\.text)
    let segment = heard.segments.first { $0.start <= range.lowerBound && $0.end >= range.lowerBound }
    guard let segment, !segment.isCorrected else { return false }
    return segment.recognizedCandidates.contains { candidate in
      let units = TextUnit.units(candidate.words.map(\.text)[...], language).map(\.text)
      return units.indices.contains { units[$0...].starts(with: wanted) }
    }
  }

  private func isNumberOrName(_ claimed: Range<Int>, _ heard: Range<Int>) -> Bool {
    func isNamed(_ texts: [String], _ before: String?) -> Bool {
      texts.enumerated().contains { index, text in
        text.contains(where: \.isNumber)
          || text.first?.isUppercase == true && !["I", "I'm", "I'll", "I've", "I'd"].contains(text)
            && (index > 0 ? texts[index - 1] : before)?.endsSentence == false
      }
    }
    let before = claimed.lowerBound > 0 ? words[claimed.lowerBound - 1].text : nil
    let said = heard.lowerBound > 0 ? spoken[heard.lowerBound - 1].text : nil
    return isNamed(words[claimed].map(\.text), before) || isNamed(spoken[heard].map(\.text), said)
  }
}
