import Foundation
import Speech

/// A transcriber of an analyzer, whichever of the two it is: dictation where there is a language model of a domain,
/// since only that takes one.
struct AnalyzerModules: Sendable {
  let locale: Locale
  /// The most candidates to keep for a segment, at least 1.
  let alternatives: Int
  let languageModel: SFSpeechLanguageModel.Configuration?

  /// Something that a transcriber heard.
  struct Heard: Sendable {
    /// The readings, the best first.
    var readings: [AttributedString]
    /// Seconds from the start of the sound that they are of.
    var range: ClosedRange<TimeInterval>
    var isFinal: Bool
  }

  /// A transcriber and what it hears.
  struct Transcriber: Sendable {
    let module: any SpeechModule
    let results: @Sendable (_ receive: (Heard) -> Void) async throws -> Void
  }

  /// One that tells only what is final: each piece is decoded for itself, so that its text does not depend on what was
  /// heard before.
  func final() -> Transcriber {
    transcriber(
      speech: alternatives > 1 ? [.alternativeTranscriptions] : [],
      dictation: alternatives > 1 ? [.alternativeTranscriptions] : [])
  }

  /// One that tells at once, and changes its mind.
  func progressive() -> Transcriber {
    transcriber(
      speech: [.volatileResults, .fastResults], dictation: [.volatileResults, .frequentFinalization])
  }

  private func transcriber(
    speech: Set<SpeechTranscriber.ReportingOption>, dictation: Set<DictationTranscriber.ReportingOption>
  ) -> Transcriber {
    guard let languageModel else {
      let transcriber = SpeechTranscriber(
        locale: locale, transcriptionOptions: [], reportingOptions: speech,
        attributeOptions: [.audioTimeRange, .transcriptionConfidence])
      return Transcriber(module: transcriber) { receive in
        for try await result in transcriber.results {
          receive(Heard(readings: result.alternatives, range: result.seconds, isFinal: result.isFinal))
        }
      }
    }
    let transcriber = DictationTranscriber(
      locale: locale, contentHints: [.customizedLanguage(modelConfiguration: languageModel)],
      transcriptionOptions: [], reportingOptions: dictation,
      attributeOptions: [.audioTimeRange, .transcriptionConfidence])
    return Transcriber(module: transcriber) { receive in
      for try await result in transcriber.results {
        receive(Heard(readings: result.alternatives, range: result.seconds, isFinal: result.isFinal))
      }
    }
  }
}

extension SpeechModuleResult {
  /// Its range, from the start of the sound.
  var seconds: ClosedRange<TimeInterval> {
    range.start.seconds...max(range.start.seconds, range.end.seconds)
  }
}
