import Foundation
import Speech

extension FileTranscriber.Options {
  /// The engine that was chosen: `automatic` takes the analyzer where it knows the language, else recognition tasks.
  /// - Parameter reportsPartials: whether it tells what may still change.
  /// - Throws: `TranscriptionError.unsupportedLocale`.
  public func engine(reportsPartials: Bool = true) async throws(TranscriptionError) -> any TranscriptionEngine
  {
    let engine = try await plainEngine(reportsPartials: reportsPartials)
    return reranking == .disabled ? engine : RerankedEngine(engine, reranker())
  }

  /// What chooses among the candidates of these options' engines, which all offer readings of the same speech, in order
  /// of likelihood; with the system's language model where there is one.
  func reranker() -> CandidateReranker {
    CandidateReranker(policy: reranking, judge: reranking == .disabled ? nil : LanguageModelJudge.available)
  }

  private func plainEngine(reportsPartials: Bool) async throws(TranscriptionError) -> any TranscriptionEngine
  {
    let isKnown = await SpeechTranscriber.supportedLocale(equivalentTo: locale) != nil
    switch engine {
    case .analyzer where isKnown: return AnalyzerEngine(self, reportsPartials: reportsPartials)
    case .automatic where isKnown && SpeechTranscriber.isAvailable:
      return AnalyzerEngine(self, reportsPartials: reportsPartials)
    case .rolling, .automatic:
      guard SFSpeechRecognizer(locale: locale) != nil else { fallthrough }
      return RollingEngine(self, reportsPartials: reportsPartials)
    case .analyzer: throw .unsupportedLocale(locale.identifier(.bcp47))
    }
  }
}
