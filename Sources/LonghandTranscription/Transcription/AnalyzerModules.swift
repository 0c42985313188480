import Foundation
import LonghandTranscripts
import Speech

/// The transcribers of an analyzer: `DictationTranscriber` if there is a language model of a domain, phrases are expected, or
/// spoken marks are to be written, because only this type does that; else `SpeechTranscriber`.
@available(macOS 26, iOS 26, *)
struct AnalyzerModules: Sendable {
  let locale: Locale
  /// The largest number of candidates to keep for a segment, at least 1.
  let alternatives: Int
  let languageModel: SFSpeechLanguageModel.Configuration?
  /// Words and phrases that are likely to be said.
  let phrases: [String]
  /// Whether the transcriber writes punctuation.
  let addsPunctuation: Bool

  /// Whether a detector has to report where somebody speaks, because the transcriber does not.
  static var needsDetector: Bool {
    #if os(Linux)
      false
    #else
      true
    #endif
  }

  /// What an analyzer with these modules must know.
  var context: AnalysisContext {
    let context = AnalysisContext()
    if !phrases.isEmpty { context.contextualStrings[.general] = phrases }
    return context
  }

  /// A result of a transcriber of either type.
  struct Result: Sendable {
    /// The candidates, the best first; empty for a result that is not final.
    var candidates: [Candidate] = []
    /// The words that were recognized and removed, and why.
    var rejected: [(words: [Word], rule: RejectedWords.Rule)] = []
    /// The seconds in which somebody speaks, where the transcriber reports it.
    var speech: [ClosedRange<TimeInterval>] = []
    /// The likeliest text.
    var text: String
    /// Seconds from the start of the audio.
    var range: ClosedRange<TimeInterval>
    var isFinal: Bool
    /// The language that was detected at first, and its probability.
    var firstLanguage: (code: String, probability: Double)?
    /// Another language (BCP 47) that it sounds like than the one in which it is written.
    var otherLanguage: String?

    init(text: String, range: ClosedRange<TimeInterval>, isFinal: Bool) {
      self.text = text.trimmingCharacters(in: .whitespaces)
      self.range = range
      self.isFinal = isFinal
    }

    init(_ result: some TextResult) {
      self.init(
        text: result.alternatives.first.map { String($0.characters) } ?? "", range: result.seconds,
        isFinal: result.isFinal)
      guard isFinal else { return }
      #if os(Linux)
        let language = result.utterance?.language.map(TranscriptionOptions.variety)
        candidates = result.utterance?.candidates.map { Candidate($0, language: language) } ?? []
        speech = result.utterance?.speech ?? []
        firstLanguage = language.flatMap { code in
          result.utterance?.languageProbability.map { (code, $0) }
        }
        otherLanguage = result.utterance?.otherLanguage
        for word in result.utterance?.rejected ?? [] {
          let rule = word.rejection.flatMap { RejectedWords.Rule(rawValue: $0.rawValue) } ?? .unsure
          if rejected.last?.rule != rule { rejected.append(([], rule)) }
          rejected[rejected.count - 1].words.append(Word(word))
        }
      #else
        candidates = result.alternatives.map(Candidate.init)
      #endif
    }

    /// What readers should know of the language.
    func languageWarnings(_ options: ResolvedOptions, of duration: TimeInterval) -> [TranscriptWarning] {
      guard !candidates.isEmpty else { return [] }
      return [
        firstLanguage.flatMap { options.request.warning($0.code, probability: $0.probability, of: duration) },
        otherLanguage.map { .otherLanguage(range, $0) },
      ].compactMap(\.self)
    }
  }

  /// A transcriber and its results.
  struct Transcriber: Sendable {
    let module: any SpeechModule
    let results: @Sendable (_ receive: (Result) -> Void) async throws -> Void
  }

  /// A transcriber that reports finals only. It decodes each utterance by itself, so that the text does not depend on
  /// what was recognized before.
  func final() -> Transcriber {
    transcriber(
      speech: alternatives > 1 ? [.alternativeTranscriptions] : [],
      dictation: alternatives > 1 ? [.alternativeTranscriptions] : [])
  }

  /// A transcriber that reports partial text at once, and corrects it later.
  func progressive() -> Transcriber {
    transcriber(
      speech: [.volatileResults, .fastResults], dictation: [.volatileResults, .frequentFinalization])
  }

  private func transcriber(
    speech: Set<SpeechTranscriber.ReportingOption>, dictation: Set<DictationTranscriber.ReportingOption>
  ) -> Transcriber {
    guard languageModel != nil || !phrases.isEmpty || addsPunctuation else {
      let transcriber = SpeechTranscriber(
        locale: locale, transcriptionOptions: [], reportingOptions: speech,
        attributeOptions: [.audioTimeRange, .transcriptionConfidence])
      return Transcriber(module: transcriber) { receive in
        for try await result in transcriber.results { receive(Result(result)) }
      }
    }
    let transcriber = DictationTranscriber(
      locale: locale,
      contentHints: Set(
        [languageModel.map { .customizedLanguage(modelConfiguration: $0) }].compactMap(\.self)),
      transcriptionOptions: addsPunctuation ? [.punctuation] : [], reportingOptions: dictation,
      attributeOptions: [.audioTimeRange, .transcriptionConfidence])
    return Transcriber(module: transcriber) { receive in
      for try await result in transcriber.results { receive(Result(result)) }
    }
  }
}

/// A result of a transcriber of either type.
@available(macOS 26, iOS 26, *)
protocol TextResult: SpeechModuleResult {
  /// The hypotheses, the best first.
  var alternatives: [AttributedString] { get }
  #if os(Linux)
    /// What was recognized, as it is written.
    var utterance: RecognizedUtterance? { get }
  #endif
}

@available(macOS 26, iOS 26, *)
extension SpeechTranscriber.Result: TextResult {}

@available(macOS 26, iOS 26, *)
extension DictationTranscriber.Result: TextResult {}

@available(macOS 26, iOS 26, *)
extension SpeechModuleResult {
  /// The range, in seconds from the start of the audio.
  var seconds: ClosedRange<TimeInterval> {
    range.start.seconds...max(range.start.seconds, range.end.seconds)
  }
}

extension Candidate {
  #if os(Linux)
    /// A candidate of an utterance, as it is written.
    init(_ candidate: RecognizedCandidate, language: String?) {
      self.init(text: candidate.text, words: candidate.words.map(Word.init))
      self.language = language
      source =
        candidate.election.map(Candidate.electedSource)
        ?? (candidate.source == .best ? nil : candidate.source.rawValue)
    }
  #else
    /// A hypothesis of a transcriber, whose runs with a time are its words.
    @available(macOS 26, iOS 26, *)
    init(_ text: AttributedString) {
      let words = text.runs.compactMap { run -> Word? in
        let spelling = text[run.range].characters.filter { !$0.isWhitespace }
        guard let range = run.audioTimeRange, !spelling.isEmpty else { return nil }
        return Word(
          text: String(spelling), start: range.start.seconds, end: range.end.seconds,
          confidence: run.transcriptionConfidence)
      }
      // A final that is not the first begins with the space that separates it from the one before.
      self.init(text: String(text.characters).trimmingCharacters(in: .whitespaces), words: words)
    }
  #endif

  /// A hypothesis of a recognition task. Zeros for every word mean that the recognizer reports no confidence.
  init(_ transcription: SFTranscription) {
    let isUnknown = transcription.segments.allSatisfy { $0.confidence == 0 }
    self.init(
      text: transcription.formattedString,
      words: transcription.segments.map { segment in
        Word(
          text: segment.substring, start: segment.timestamp, end: segment.timestamp + segment.duration,
          confidence: isUnknown ? nil : Double(segment.confidence))
      })
  }
}

#if os(Linux)
  extension Word {
    fileprivate init(_ word: RecognizedWord) {
      self.init(text: word.text, start: word.start, end: word.end, confidence: word.confidence)
    }
  }
#endif
