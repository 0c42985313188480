import RecognitionCore
import CoreMedia
import Foundation

/// Composes a transcriber's results from recognition events: a pure value.
///
/// A final result covers the audio from the end of the final result before it to the end of its utterance, so that
/// final results leave no gaps. An utterance without words has an empty result only if that must revoke a volatile one;
/// otherwise its audio belongs to the next final result. A volatile result starts where the final audio ends, and its
/// range only grows, so that the next one replaces it completely.
struct TranscriptComposer {
  /// How results are written.
  struct Options: Sendable, Equatable {
    var style = TranscriptionStyle()
    var reportsVolatile = false
    var reportsAlternatives = false
    var marksTimes = false
    var marksConfidence = false
    var redacts = false
    /// Whether results carry their utterances, also those whose words were rejected.
    var reportsUtterances = false
  }

  /// A result of any transcriber.
  struct Output: Equatable {
    var range: CMTimeRange
    var finalizationTime: CMTime
    /// Never empty.
    var alternatives: [AttributedString]
    /// The utterance as it is written, without its audio; nil for a result that is not of an utterance.
    var utterance: RecognizedUtterance?
  }

  private let options: Options
  private var writer: TranscriptionWriter
  /// The end of the last final result.
  private var covered: Int
  /// The end of the audio that does not change any more.
  private var finalized: Int
  /// The end of the current volatile result; nil if there is none.
  private var volatileEnd: Int?

  /// - Parameter start: the start of the audio, in samples at 16 kHz.
  init(options: Options, start: Int) {
    self.options = options
    writer = TranscriptionWriter(style: options.style)
    covered = start
    finalized = start
  }

  /// The words so far of the utterance that is being spoken.
  mutating func update(_ words: [RecognizedWord]) -> Output? {
    guard options.reportsVolatile, let last = words.last else { return nil }
    var draft = writer.continuing
    let text = write(words, end: nil, isFinal: false, with: &draft)
    let end = max(Self.sample(at: last.end), volatileEnd ?? 0, finalized + SpeechSegmenter.frameLength)
    volatileEnd = end
    return output(finalized..<end, [text], finalization: finalized)
  }

  /// An utterance is final.
  mutating func finalize(_ utterance: RecognizedUtterance) -> Output? {
    var report = utterance
    report.audio.samples = []
    guard let best = utterance.candidates.first else {
      guard options.reportsUtterances, !(utterance.rejected.isEmpty && utterance.speech.isEmpty) else {
        return finalize(withoutResult: utterance.audio.range)
      }
      return final(through: utterance.audio.range.upperBound, [AttributedString()], of: report)
    }
    let others = options.reportsAlternatives ? utterance.candidates.dropFirst() : []
    var written = writer.continuing
    written.go(onIn: utterance.language)
    report.candidates = []
    var alternatives: [AttributedString] = []
    for candidate in [best] + others {
      var draft = written
      let text = write(candidate.words, end: utterance.end, isFinal: true, with: &draft)
      guard !alternatives.contains(where: { $0.characters.elementsEqual(text.characters) }) else { continue }
      if alternatives.isEmpty { writer = draft }
      alternatives.append(text)
      if options.reportsUtterances { report.candidates.append(candidate.written(by: draft, options)) }
    }
    return final(through: utterance.audio.range.upperBound, alternatives, of: report)
  }

  /// A range of audio gets no result.
  mutating func finalize(withoutResult range: Range<Int>) -> Output? {
    guard volatileEnd == nil else { return final(through: range.upperBound, [AttributedString()]) }
    finalized = max(finalized, range.upperBound)
    return nil
  }

  /// Everything before `position` is final.
  mutating func finalize(through position: Int) -> Output? {
    guard position > finalized else { return nil }
    return finalize(withoutResult: finalized..<position)
  }

  /// - Parameter utterance: as it is written; nil if there is none.
  private mutating func final(
    through position: Int, _ alternatives: [AttributedString], of utterance: RecognizedUtterance? = nil
  ) -> Output {
    let end = max(position, volatileEnd ?? 0, covered)
    defer {
      covered = end
      finalized = max(finalized, end)
      volatileEnd = nil
    }
    var output = output(covered..<end, alternatives, finalization: end)
    if options.reportsUtterances { output.utterance = utterance }
    return output
  }

  private func output(_ range: Range<Int>, _ alternatives: [AttributedString], finalization: Int) -> Output {
    Output(
      range: CMTimeRange(
        start: AnalysisTimeline.time(of: range.lowerBound), end: AnalysisTimeline.time(of: range.upperBound)),
      finalizationTime: AnalysisTimeline.time(of: finalization), alternatives: alternatives)
  }

  /// The text of the words, one run for each. A run includes the space before the word and the punctuation after it.
  private func write(
    _ words: [RecognizedWord], end: TimeInterval?, isFinal: Bool, with draft: inout TranscriptionWriter
  ) -> AttributedString {
    var words = words
    if options.redacts {
      for index in words.indices { words[index].text = EtiquetteFilter.redacted(words[index].text) }
    }
    draft.write(words)
    if let end { draft.finish(at: end) }
    let text = draft.text as NSString
    var result = AttributedString()
    var written = 0
    for segment in draft.segments {
      let reach = NSMaxRange(segment.substringRange)
      var run = AttributedString(
        text.substring(with: NSRange(location: written, length: reach - written)))
      if options.marksTimes {
        let word = Self.sample(at: segment.timestamp)..<Self.sample(at: segment.timestamp + segment.duration)
        run.audioTimeRange = CMTimeRange(
          start: AnalysisTimeline.time(of: word.lowerBound), end: AnalysisTimeline.time(of: word.upperBound))
      }
      if options.marksConfidence, isFinal, let confidence = segment.knownConfidence {
        run.transcriptionConfidence = min(1, max(0, confidence))
      }
      result.append(run)
      written = reach
    }
    if written < text.length { result.append(AttributedString(text.substring(from: written))) }
    return result
  }

  private static func sample(at seconds: TimeInterval) -> Int {
    Int((seconds * Double(SpeechSegmenter.sampleRate)).rounded())
  }

  /// The time of the nearest sample.
  fileprivate static func rounded(_ seconds: TimeInterval) -> TimeInterval {
    AnalysisTimeline.time(of: sample(at: seconds)).seconds
  }
}

extension RecognizedCandidate {
  /// The candidate with the text and the words as they are written. Times are whole samples, as those of results are.
  fileprivate func written(
    by writer: TranscriptionWriter, _ options: TranscriptComposer.Options
  ) -> RecognizedCandidate {
    var candidate = self
    candidate.text = writer.text.trimmingCharacters(in: .whitespaces)
    if options.style.changesWords || options.redacts { candidate.words = writer.spelledWords }
    for index in candidate.words.indices {
      candidate.words[index].start = TranscriptComposer.rounded(candidate.words[index].start)
      candidate.words[index].end = TranscriptComposer.rounded(candidate.words[index].end)
    }
    return candidate
  }
}

extension TranscriptionWriter {
  /// The words as they are written, each with the marks around it.
  fileprivate var spelledWords: [RecognizedWord] {
    let text = text as NSString
    var written = 0
    return segments.compactMap { segment in
      let reach = NSMaxRange(segment.substringRange)
      defer { written = reach }
      let spelling = text.substring(with: NSRange(location: written, length: reach - written))
        .filter { !$0.isWhitespace }
      guard !spelling.isEmpty else { return nil }
      return RecognizedWord(
        text: spelling, start: segment.timestamp, end: segment.timestamp + segment.duration,
        confidence: segment.knownConfidence)
    }
  }
}

/// Replaces all letters but the first of coarse words by asterisks.
private enum EtiquetteFilter {
  private static let stems = ["fuck", "shit", "cunt", "motherfuck", "bullshit"]
  private static let words: Set<String> = [
    "bitch", "bitches", "bastard", "bastards", "asshole", "assholes", "dick", "dickhead", "piss", "pissed",
    "prick", "whore", "slut", "wanker", "bollocks", "goddamn", "goddamned",
  ]

  /// The marks around and within a word stay.
  static func redacted(_ word: String) -> String {
    var redacted = ""
    var rest = word[...]
    while let first = rest.first {
      let part = rest.prefix { $0.isLetter == first.isLetter }
      rest = rest.dropFirst(part.count)
      let plain = part.lowercased()
      let isCoarse = words.contains(plain) || stems.contains(where: plain.hasPrefix)
      redacted += isCoarse ? part.prefix(1) + String(repeating: "*", count: part.count - 1) : part
    }
    return redacted
  }
}
