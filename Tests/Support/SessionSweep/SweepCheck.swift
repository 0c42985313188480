import Foundation
import Longhand
import ScriptedSpeech

/// Compares the content of a library with the known speech: a pure value.
struct SweepCheck: Sendable {
  /// The largest difference, in seconds, between a word's time and the time at which it was said.
  private static let tolerance = 0.15
  private static let rate = Double(SpokenTones.sampleRate)

  let talk: SweepTalk
  /// The gaps of the recording.
  let gaps: [RecordingGap]
  var problems: [String] = []

  init(talk: SweepTalk, gaps: [RecordingGap]) {
    self.talk = talk
    self.gaps = gaps.filter { $0.frames > 0 }
  }

  /// Checks that the file plays to its end, and that every sample outside the gaps is the spoken one.
  mutating func checkSound(_ file: Data) {
    let recorded = file.dropFirst(WaveHeader.length)
    let stated = WaveHeader.dataBytes(in: file.prefix(WaveHeader.length)).map { Int($0) }
    let spoken = talk.samples.withUnsafeBytes { Data($0) }
    guard recorded.count == spoken.count, stated == spoken.count else {
      return problems.append(
        "\(recorded.count) bytes are recorded and \(stated ?? 0) stated, \(spoken.count) were spoken")
    }
    var place = 0
    for gap in gaps + [RecordingGap(start: Int64(talk.samples.count), frames: 1, reason: .device)] {
      let end = min(talk.samples.count, Int(gap.start))
      if place < end, recorded.dropFirst(2 * place).prefix(2 * (end - place)) != spoken[2 * place..<2 * end] {
        problems.append(
          "the audio at \(Double(place) / Self.rate)-\(Double(end) / Self.rate) s is not what was spoken")
      }
      place = max(place, Int(gap.start + gap.frames))
    }
  }

  /// - Parameters:
  ///   - committed: the reported segments.
  ///   - written: their texts in sentences, as far as they were shown.
  ///   - duration: the duration of the recording, in seconds.
  ///   - isComplete: whether pending coverage is a problem.
  mutating func check(
    _ stored: SweepStored, committed: [Segment], written: [String], duration: TimeInterval,
    isComplete: Bool = false
  ) {
    if abs(duration - talk.duration) > 0.001 {
      problems.append("it lasts \(duration) s, \(talk.duration) s were spoken")
    }
    checkCoverage(stored.spans, duration: duration)
    if isComplete, stored.spans.contains(where: { $0.kind == .pending }) {
      problems.append("some of it is still pending")
    }
    for (segment, committed) in zip(stored.segments, committed) where segment != committed {
      problems.append("segment \(segment.id) is '\(segment.text)', and was committed as '\(committed.text)'")
    }
    if stored.segments.count < committed.count {
      problems.append("\(committed.count) segments were committed, \(stored.segments.count) are there")
    }
    for (index, pair) in zip(stored.written, written).enumerated() where pair.0 != pair.1 {
      problems.append("segment \(index) reads '\(pair.0)', and was shown as '\(pair.1)'")
    }
    for id in stored.revised { problems.append("segment \(id) was changed") }
    checkWords(stored)
  }

  /// Checks the layers after the store of a long talk: the view, the exports, and how much is silent.
  /// - Parameter exported: the documents of the session.
  mutating func checkLayers(_ stored: SweepStored, _ events: SweepEvents, _ exported: [String]) {
    let texts = stored.segments.map(\.text)
    if events.shown != texts { problems.append("the view shows other text than the store has") }
    for document in exported {
      var rest = document[...]
      for text in texts {
        guard let range = rest.range(of: text) else {
          problems.append("'\(text)' is missing in an export")
          break
        }
        rest = rest[range.upperBound...]
      }
    }
    let coverage = Coverage(stored.spans)
    if coverage.silent + coverage.wordless + coverage.nonspeech < 0.65 * talk.duration {
      problems.append("only \(coverage.silent) of \(talk.duration) s are silent")
    }
    if coverage.failed + coverage.pending > 0 { problems.append("not all of it has text") }
    let lost = Double(gaps.reduce(0) { $0 + $1.frames }) / Self.rate
    if abs(coverage.gaps - lost) > 1e-6 {
      problems.append("\(lost) s were lost, \(coverage.gaps) s are gaps")
    }
  }

  private mutating func checkCoverage(_ spans: [CoverageSpan], duration: TimeInterval) {
    var end = 0.0
    for span in spans {
      if abs(span.start - end) > 1e-6 {
        problems.append("coverage of \(end) s is followed by that of \(span.start) s")
      }
      end = span.end
    }
    if abs(end - duration) > 1e-6 { problems.append("coverage ends at \(end) s of \(duration) s") }
  }

  private mutating func checkWords(_ stored: SweepStored) {
    var found: Set<Int> = []
    var last = -1
    for word in stored.segments.flatMap(\.words) {
      let about = "'\(word.text)' at \(word.start)-\(word.end) s"
      guard let index = spoken(word) else {
        problems.append("\(about) was not said then")
        continue
      }
      if !found.insert(index).inserted {
        problems.append("\(about) is there twice")
      } else if index < last {
        problems.append("\(about) is not in its place")
      }
      last = max(last, index)
    }
    for (index, word) in talk.words.enumerated() where !found.contains(index) && !isExcused(word, stored) {
      let name = SpokenTones.vocabulary[word.number]
      problems.append("'\(name)' at \(word.start)-\(word.end) s is missing")
    }
  }

  /// The spoken word that a recognized word matches.
  private func spoken(_ word: Word) -> Int? {
    let number = SpokenTones.vocabulary.firstIndex(of: word.text.lowercased())
    // The spoken words are in order: none before the first that ends late enough.
    var (first, end) = (0, talk.words.count)
    while first < end {
      let middle = (first + end) / 2
      if talk.words[middle].end < word.end - Self.tolerance { first = middle + 1 } else { end = middle }
    }
    while first < talk.words.count, talk.words[first].start <= word.start + Self.tolerance {
      let spoken = talk.words[first]
      if spoken.number == number, abs(spoken.start - word.start) <= Self.tolerance,
        abs(spoken.end - word.end) <= Self.tolerance
      {
        return first
      }
      first += 1
    }
    return nil
  }

  /// Whether a missing word is accounted for, by a gap of the recording or by the coverage. A word that a gap cuts counts
  /// as missing.
  private func isExcused(_ word: SpokenTones.Word, _ stored: SweepStored) -> Bool {
    let isCut = gaps.contains { gap in
      Double(gap.start) / Self.rate < word.end && word.start < Double(gap.start + gap.frames) / Self.rate
    }
    let middle = (word.start + word.end) / 2
    return isCut
      || stored.spans.contains { span in
        span.start <= middle && middle <= span.end
          && (span.kind == .failed || span.kind == .pending || span.kind == .gap)
      }
  }
}

/// The stored content of a session.
struct SweepStored: Sendable {
  let segments: [Segment]
  /// Their texts in sentences.
  let written: [String]
  let spans: [CoverageSpan]
  /// The IDs of segments with more than one text.
  let revised: [Int]

  init(_ library: Library, _ session: String) throws {
    let transcript = try library.store.transcript(of: session)
    segments = transcript.segments
    written = transcript.writtenInSentences().segments.map(\.text)
    spans = try library.store.coverageSpans(of: session)
    revised = try segments.map(\.id).filter { try library.store.revisions(of: $0, in: session).count != 1 }
  }
}
