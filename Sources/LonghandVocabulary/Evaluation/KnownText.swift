import Foundation
import LanguageModeling
import LonghandTranscripts
import SentenceFormatting

/// A text that is known, whose words get the times of the words that were recognized.
///
/// The text and the recognized words are aligned with the fewest differences, so that a sentence that is missing from the text or
/// from the audio does not move the others. Where they differ, a word of the text is in the audio if it sounds like what was
/// recognized in its place.
package struct KnownText: Sendable {
  /// Where a unit of the text is said.
  private struct Place {
    var start: TimeInterval
    var end: TimeInterval
    /// The index of the segment.
    var segment: Int
    var confidence: Double?
    /// The indices of the recognized words; empty if they only sound alike.
    var words = 0..<0
  }

  /// A recognized word.
  private struct Spoken {
    var word: Word
    var segment: Int
  }

  /// Recognized words that are not in the text are reported if there are so many at once. Fewer are often wrong.
  private static let minUnwritten = 3

  /// The words with their marks.
  private let tokens: [String]
  /// Whether white space is before each word.
  private let followsSpace: [Bool]
  /// The subtitles that the words are from; nil for a text without times.
  package let subtitles: SubtitleFile?

  /// A text of any length. Words are separated by white space; in writing without it, each character is a word.
  package init(_ text: String) {
    let words = text.split(whereSeparator: \.isWhitespace).map { String($0).unspacedParts }
    tokens = words.flatMap(\.self)
    followsSpace = words.flatMap { parts in parts.indices.map { $0 == 0 } }
    subtitles = nil
  }

  /// The words of subtitles.
  package init(_ subtitles: SubtitleFile) {
    tokens = subtitles.cues.flatMap(\.words)
    followsSpace = tokens.map { _ in true }
    self.subtitles = subtitles
  }

  /// Whether there are no words.
  package var isEmpty: Bool { tokens.isEmpty }

  /// The transcript with the words of this text in place of those that were recognized, which stay as candidates. Words that
  /// are not said are left out. Warnings name them, and what is said and is not in the text. With subtitles, each cue is a segment.
  /// - Returns: also the subtitles with the times of their words; nil for a text without times.
  package func alignment(
    with transcript: Transcript
  ) -> (transcript: Transcript, subtitles: SubtitleFile?) {
    let language = NumberLanguage(transcript.locale)
    let spoken = transcript.segments.enumerated().flatMap { index, segment in
      segment.words.map { Spoken(word: $0, segment: index) }
    }
    let wanted = TextUnit.units(tokens[...], language)
    var start = 0
    let found = transcript.segments.flatMap { segment in
      defer { start += segment.words.count }
      return TextUnit.units(
        spoken[start..<start + segment.words.count].map(\.word.text)[...], language, from: start)
    }
    var (places, unwritten) = Self.places(of: wanted, at: found, Self.places(of: found, spoken))
    places.removeIslands()
    let times = times(wanted, places, spoken)
    var result = transcript
    let subtitles = subtitles.map { retimed($0, times) }
    result.segments = subtitles.map { segments(times, of: $0) } ?? segments(times, of: transcript)
    result.warnings += unsaid(times, duration: transcript.duration)
    result.warnings += unwritten.map { units in
      let words = spoken[
        found[units.lowerBound].owners.lowerBound..<found[units.upperBound - 1].owners.upperBound
      ]
      .map(\.word)
      return .notInText(words)
    }
    return (result, subtitles)
  }

  /// The times of the words of each cue.
  private func byCue(_ times: [Place?], _ subtitles: SubtitleFile) -> [ArraySlice<Place?>] {
    var start = 0
    return subtitles.cues.map { cue in
      defer { start += cue.words.count }
      return times[start..<start + cue.words.count]
    }
  }

  private func retimed(_ subtitles: SubtitleFile, _ times: [Place?]) -> SubtitleFile {
    let places = byCue(times, subtitles)
    let words = zip(subtitles.cues, places).map { cue, places in
      zip(cue.words, places).map { word, place in
        SubtitleTiming.Word(text: word, time: place.map { ($0.start, $0.end) })
      }
    }
    return subtitles.retimed(
      SubtitleTiming.times(of: subtitles.cues, words), words: places.map { $0.map { $0?.start } })
  }

  /// A segment for each cue that has words which are said.
  private func segments(_ times: [Place?], of subtitles: SubtitleFile) -> [Segment] {
    zip(subtitles.cues, byCue(times, subtitles)).compactMap { cue, places -> Segment? in
      let words = zip(cue.words, places).compactMap { text, place in
        place.map { Word(text: text, start: $0.start, end: $0.end, confidence: $0.confidence) }
      }
      guard let first = words.first, let last = words.last else { return nil }
      return Segment(
        id: 0, start: min(cue.start, first.start), end: max(cue.end, last.end),
        candidates: [
          Candidate(
            text: words.map(\.text).joined(separator: " "), words: words, confidence: nil,
            source: Candidate.person)
        ])
    }.enumerated().map { index, segment in
      var segment = segment
      segment.id = index
      return segment
    }
  }

  /// The units of recognized words divide the time of their word.
  private static func places(of units: [TextUnit], _ spoken: [Spoken]) -> [Place] {
    let lengths = units.reduce(into: [Range<Int>: Double]()) { $0[$1.owners, default: 0] += $1.length }
    var done: [Range<Int>: Double] = [:]
    return units.map { unit in
      let words = spoken[unit.owners].map(\.word)
      let (start, end) = (words.first?.start ?? 0, words.last?.end ?? 0)
      let (length, before) = (lengths[unit.owners] ?? 1, done[unit.owners, default: 0])
      done[unit.owners] = before + unit.length
      func time(_ done: Double) -> TimeInterval {
        done < length ? start + (end - start) * done / length : end
      }
      return Place(
        start: time(before), end: time(before + unit.length), segment: spoken[unit.owners.lowerBound].segment,
        confidence: words.compactMap(\.confidence).min(), words: unit.owners)
    }
  }

  /// Where each unit of the text is, and the ranges of recognized units that are not in the text.
  private static func places(
    of wanted: [TextUnit], at found: [TextUnit], _ foundPlaces: [Place]
  ) -> ([Place?], unwritten: [Range<Int>]) {
    var places = [Place?](repeating: nil, count: wanted.count)
    var unwritten: [Range<Int>] = []
    var (row, column) = (0, 0)
    var (gapRow, gapColumn) = (0, 0)
    func endGap() {
      let (rows, columns) = (gapRow..<row, gapColumn..<column)
      let isSaid = fill(&places, rows, columns, wanted, found, foundPlaces)
      if !isSaid, columns.count >= minUnwritten { unwritten.append(columns) }
    }
    let alignment = WordAlignment(reference: wanted.map(\.text), hypothesis: found.map(\.text))
    for operation in alignment.operations {
      if operation == .match {
        endGap()
        places[row] = foundPlaces[column]
        (gapRow, gapColumn) = (row + 1, column + 1)
      }
      if operation != .insertion { row += 1 }
      if operation != .deletion { column += 1 }
    }
    endGap()
    return (places, unwritten)
  }

  /// Gives units of the text that differ from what was recognized its time, as far as both sound alike.
  /// - Returns: whether they all have times.
  private static func fill(
    _ places: inout [Place?], _ rows: Range<Int>, _ columns: Range<Int>, _ wanted: [TextUnit],
    _ found: [TextUnit],
    _ foundPlaces: [Place]
  ) -> Bool {
    guard !rows.isEmpty, !columns.isEmpty else { return rows.isEmpty && columns.isEmpty }
    if TextUnit.areAlike(wanted[rows], found[columns]) {
      let total = Double(wanted[rows].reduce(0) { $0 + $1.said.count })
      var done = 0.0
      for row in rows {
        let start = time(done / total, of: found[columns], foundPlaces[columns])
        done += Double(wanted[row].said.count)
        let end = time(done / total, of: found[columns], foundPlaces[columns])
        places[row] = Place(start: start.time, end: max(start.time, end.time), segment: start.segment)
      }
      return true
    }
    guard rows.count == columns.count, rows.count > 1 else { return false }
    for (row, column) in zip(rows, columns) {
      _ = fill(&places, row..<row + 1, column..<column + 1, wanted, found, foundPlaces)
    }
    return rows.allSatisfy { places[$0] != nil }
  }

  /// The time by which a share of the letters of recognized units is said.
  private static func time(
    _ share: Double, of units: ArraySlice<TextUnit>, _ places: ArraySlice<Place>
  ) -> (time: TimeInterval, segment: Int) {
    var rest = share * Double(units.reduce(0) { $0 + $1.said.count })
    var last = (time: 0.0, segment: 0)
    for (unit, place) in zip(units, places) {
      let length = Double(unit.said.count)
      if rest < length {
        return (place.start + (place.end - place.start) * rest / length, place.segment)
      }
      rest -= length
      last = (place.end, place.segment)
    }
    return last
  }

  /// The time of each written word; nil for a word that is not said. Marks alone have no length, and follow the word before.
  private func times(_ units: [TextUnit], _ places: [Place?], _ spoken: [Spoken]) -> [Place?] {
    var times = [Place?](repeating: nil, count: tokens.count)
    var hasUnits = [Bool](repeating: false, count: tokens.count)
    for (unit, place) in zip(units, places) {
      for owner in unit.owners { hasUnits[owner] = true }
      guard let place else { continue }
      var whole = times[unit.owners.lowerBound] ?? place
      whole.end = max(whole.end, place.end)
      whole.confidence = whole.confidence.flatMap { own in place.confidence.map { min(own, $0) } }
      if whole.words != place.words { whole.words = 0..<0 }
      times[unit.owners.lowerBound] = whole
    }
    for owners in Set(units.map(\.owners)) where owners.count > 1 {
      guard let whole = times[owners.lowerBound] else { continue }
      let said = spoken[whole.words].map(\.word)
      // Words that were recognized as they are written keep their times.
      let areSame =
        TextNormalizer().words(in: said.map(\.text).joined(separator: " "))
        == TextNormalizer().words(in: tokens[owners].joined(separator: " ")) && said.count == owners.count
      let parts = areSame ? said : Word.sharing(whole.start, whole.end, Array(tokens[owners]))
      for (owner, part) in zip(owners, parts) {
        times[owner] = Place(
          start: part.start, end: part.end, segment: whole.segment,
          confidence: areSame ? part.confidence : whole.confidence)
      }
    }
    for index in tokens.indices.dropFirst() where !hasUnits[index] {
      times[index] = times[index - 1].map { before in
        Place(start: before.end, end: before.end, segment: before.segment)
      }
    }
    return times
  }

  private func segments(_ times: [Place?], of transcript: Transcript) -> [Segment] {
    var words = [[Word]](repeating: [], count: transcript.segments.count)
    var texts = [String](repeating: "", count: transcript.segments.count)
    var isSpaced = false
    for (index, (token, place)) in zip(tokens, times).enumerated() {
      isSpaced = isSpaced || followsSpace[index]
      guard let place else { continue }
      texts[place.segment] += (isSpaced && !texts[place.segment].isEmpty ? " " : "") + token
      isSpaced = false
      words[place.segment].append(
        Word(text: token, start: place.start, end: place.end, confidence: place.confidence))
    }
    return zip(transcript.segments, zip(words, texts)).filter { !$1.0.isEmpty }.enumerated().map {
      index, pair in
      let (segment, (words, text)) = pair
      let known = Candidate(text: text, words: words, confidence: nil, source: Candidate.person)
      return Segment(
        id: index, start: min(segment.start, words[0].start),
        end: max(segment.end, words[words.count - 1].end), candidates: segment.candidates + [known],
        selection: .init(index: segment.candidates.count, rule: RerankingRule.correction.rawValue),
        revision: segment.revision, channel: segment.channel)
    }
  }

  /// A warning for each run of words that are not said.
  private func unsaid(_ times: [Place?], duration: TimeInterval) -> [TranscriptWarning] {
    var warnings: [TranscriptWarning] = []
    var reached = 0.0
    var run: [String] = []
    func end(at time: TimeInterval) {
      if !run.isEmpty { warnings.append(.notSaid(run, reached...max(reached, time))) }
      run = []
    }
    for (token, place) in zip(tokens, times) {
      guard let place else {
        run.append(token)
        continue
      }
      end(at: place.start)
      reached = max(reached, place.end)
    }
    end(at: duration)
    return warnings
  }
}

extension TranscriptWarning {
  /// Words of a text that were not found in the audio.
  fileprivate static func notSaid(_ words: [String], _ range: ClosedRange<TimeInterval>) -> Self {
    Self(
      code: .notSaid, message: "Not said: \(words.joinedWords())", start: range.lowerBound,
      end: range.upperBound)
  }

  /// Recognized words that are not in a text.
  fileprivate static func notInText(_ words: [Word]) -> Self {
    Self(
      code: .notInText, message: "Not in the text: \(words.map(\.text).joinedWords())",
      start: words.first?.start ?? 0, end: words.last?.end ?? 0)
  }
}
