import CoreMedia
import Foundation
import SpeechServiceProtocol

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
    /// Whether words that were rejected are an alternative to an empty text.
    var reportsRejected = false
  }

  /// The source of an alternative whose words were rejected.
  static let rejected = "rejected"

  /// A result of any transcriber.
  struct Output: Equatable {
    var range: CMTimeRange
    var finalizationTime: CMTime
    /// Never empty.
    var alternatives: [AttributedString]
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
    guard let best = utterance.candidates.first else {
      guard options.reportsRejected, !utterance.rejected.isEmpty else {
        return finalize(withoutResult: utterance.audio.range)
      }
      var draft = writer.continuing
      var text = write(utterance.rejected, end: utterance.end, isFinal: true, with: &draft)
      text[AttributeScopes.SpeechAttributes.OriginAttribute.self] = Self.rejected
      return final(through: utterance.audio.range.upperBound, [AttributedString(), text])
    }
    let others = options.reportsAlternatives ? utterance.candidates.dropFirst() : []
    var next = writer.continuing
    var alternatives = [write(best.words, end: utterance.end, isFinal: true, with: &next)]
    alternatives[0].mark(best.source)
    for candidate in others {
      var draft = writer.continuing
      var text = write(candidate.words, end: utterance.end, isFinal: true, with: &draft)
      text.mark(candidate.source)
      let isNew = !alternatives.contains { $0.characters.elementsEqual(text.characters) }
      if isNew { alternatives.append(text) }
    }
    writer = next
    return final(through: utterance.audio.range.upperBound, alternatives)
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

  private mutating func final(through position: Int, _ alternatives: [AttributedString]) -> Output {
    let end = max(position, volatileEnd ?? 0, covered)
    defer {
      covered = end
      finalized = max(finalized, end)
      volatileEnd = nil
    }
    return output(covered..<end, alternatives, finalization: end)
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
}

extension AttributedString {
  /// Marks the whole text with its source.
  fileprivate mutating func mark(_ source: ServiceHypothesis.Source) {
    guard source != .best else { return }
    self[AttributeScopes.SpeechAttributes.OriginAttribute.self] = source.rawValue
  }
}

/// Replaces all letters but the first of coarse words by asterisks.
private enum EtiquetteFilter {
  private static let stems = ["fuck", "shit", "cunt", "motherfuck", "bullshit"]
  private static let words: Set<String> = [
    "bitch", "bitches", "bastard", "bastards", "asshole", "assholes", "dick", "dickhead", "piss", "pissed",
    "prick", "whore", "slut", "wanker", "bollocks", "goddamn", "goddamned",
  ]

  static func redacted(_ word: String) -> String {
    let plain = word.lowercased()
    guard words.contains(plain) || stems.contains(where: plain.hasPrefix) else { return word }
    return word.prefix(1) + String(repeating: "*", count: word.count - 1)
  }
}
