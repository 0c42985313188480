import CoreMedia
import Foundation

/// Makes a transcriber's results of what is recognized: a pure value.
///
/// A final result covers the audio from the end of the final before it to the end of its utterance, so that
/// finals tile the audio. An utterance in which no word was heard gives a result, an empty one, only if it has
/// to revoke a volatile one; its audio then belongs to the next final otherwise. A volatile result begins where
/// all before is final, and its range only grows, so that the next one replaces it whole.
struct TranscriptComposer {
  /// How results are written.
  struct Options: Sendable, Equatable {
    var style = TranscriptionStyle()
    var reportsVolatile = false
    var reportsAlternatives = false
    var marksTimes = false
    var marksConfidence = false
    var redacts = false
  }

  /// A result, whichever transcriber it is of.
  struct Output: Equatable {
    var range: CMTimeRange
    var finalizationTime: CMTime
    /// Never empty.
    var alternatives: [AttributedString]
  }

  private let options: Options
  private var writer: TranscriptionWriter
  /// Where the last final result ends.
  private var tiled: Int
  /// Before this nothing changes any more.
  private var settled: Int
  /// Where the volatile result ends that clients show; nil if they show none.
  private var shown: Int?

  /// - Parameter place: where the audio begins, in samples of 16 kHz.
  init(options: Options, start place: Int) {
    self.options = options
    writer = TranscriptionWriter(style: options.style)
    tiled = place
    settled = place
  }

  /// What has been heard of what is being said.
  mutating func hear(_ words: [RecognizedWord]) -> Output? {
    guard options.reportsVolatile, let last = words.last else { return nil }
    var draft = writer.continuing
    let text = write(words, end: nil, isFinal: false, with: &draft)
    let end = max(Self.place(last.end), shown ?? 0, settled + SpeechSegmenter.frameLength)
    shown = end
    return output(settled..<end, [text], finalization: settled)
  }

  /// An utterance is final.
  mutating func settle(_ utterance: RecognizedUtterance) -> Output? {
    guard let best = utterance.candidates.first else { return settle(without: utterance.audio.range) }
    let others = options.reportsAlternatives ? utterance.candidates.dropFirst() : []
    var next = writer.continuing
    var alternatives = [write(best.words, end: utterance.end, isFinal: true, with: &next)]
    for candidate in others {
      var draft = writer.continuing
      let text = write(candidate.words, end: utterance.end, isFinal: true, with: &draft)
      let isNew = !alternatives.contains { $0.characters.elementsEqual(text.characters) }
      if isNew { alternatives.append(text) }
    }
    writer = next
    return final(through: utterance.audio.range.upperBound, alternatives)
  }

  /// An utterance will have no result.
  mutating func settle(without range: Range<Int>) -> Output? {
    guard shown == nil else { return final(through: range.upperBound, [AttributedString()]) }
    settled = max(settled, range.upperBound)
    return nil
  }

  /// Everything before `place` is final.
  mutating func commit(through place: Int) -> Output? {
    guard place > settled else { return nil }
    return settle(without: settled..<place)
  }

  private mutating func final(through place: Int, _ alternatives: [AttributedString]) -> Output {
    let end = max(place, shown ?? 0, tiled)
    defer {
      tiled = end
      settled = max(settled, end)
      shown = nil
    }
    return output(tiled..<end, alternatives, finalization: end)
  }

  private func output(_ range: Range<Int>, _ alternatives: [AttributedString], finalization: Int) -> Output {
    Output(
      range: CMTimeRange(
        start: AnalysisTimeline.time(of: range.lowerBound), end: AnalysisTimeline.time(of: range.upperBound)),
      finalizationTime: AnalysisTimeline.time(of: finalization), alternatives: alternatives)
  }

  /// The text of some words: a run for each, which the space before it and the mark after it belong to.
  private func write(
    _ words: [RecognizedWord], end: TimeInterval?, isFinal: Bool, with draft: inout TranscriptionWriter
  ) -> AttributedString {
    var words = words
    if options.redacts {
      for index in words.indices { words[index].text = EtiquetteFilter.redacted(words[index].text) }
    }
    draft.write(words, end: end)
    let text = draft.text as NSString
    var result = AttributedString()
    var written = 0
    for segment in draft.segments {
      let reach = NSMaxRange(segment.substringRange)
      var run = AttributedString(
        text.substring(with: NSRange(location: written, length: reach - written)))
      if options.marksTimes {
        let word = Self.place(segment.timestamp)..<Self.place(segment.timestamp + segment.duration)
        run.audioTimeRange = CMTimeRange(
          start: AnalysisTimeline.time(of: word.lowerBound), end: AnalysisTimeline.time(of: word.upperBound))
      }
      if options.marksConfidence, isFinal {
        run.transcriptionConfidence = min(1, max(0, Double(segment.confidence)))
      }
      result.append(run)
      written = reach
    }
    if written < text.length { result.append(AttributedString(text.substring(from: written))) }
    return result
  }

  private static func place(_ seconds: TimeInterval) -> Int {
    Int((seconds * Double(SpeechSegmenter.sampleRate)).rounded())
  }
}
