import Foundation
import LonghandTranscripts
import Speech

/// Makes the engine for options.
package struct EngineFactory: Sendable {
  private let options: ResolvedOptions

  /// Makes engines for `options`.
  package init(_ options: ResolvedOptions) { self.options = options }

  /// An engine that also chooses among the candidates and writes marks.
  ///
  /// `automatic` uses the analyzer if it is available for the language, else recognition tasks. On Apple platforms,
  /// recognition tasks also replace an analyzer that fails for good. Asks the user for the permission to recognize speech
  /// if that was not decided yet, and the system to install the analyzer's model, see `SpeechAssets`.
  /// - Parameter reportsPartials: whether it reports text that may still change.
  /// - Throws: `TranscriptionError.unsupportedLocale`, `.notAuthorized`, `.notInstalled`, `.tooManyPhrases`.
  package func engine(
    reportsPartials: Bool = true
  ) async throws(TranscriptionError) -> any TranscriptionEngine {
    try await Permission.recognition()
    try await options.checkPhrases()
    return EnginePipeline(try await recognizer(reportsPartials: reportsPartials), stages)
  }

  /// Chooses among the candidates of the engine if they are hypotheses of one search, in order of likelihood; with the
  /// system's language model where there is one.
  package func reranker() -> CandidateReranker {
    CandidateReranker(
      policy: options.reranking, alternativesAreHypotheses: options.listsHypotheses,
      locale: options.expectedLocale,
      judge: options.reranking == .disabled ? nil : CandidateReranker.systemJudge)
  }

  private var stages: [any FinalStage] {
    var stages: [any FinalStage] = []
    if let writing = WritingStage(options.detectsLanguage ? nil : options.locale) { stages.append(writing) }
    // Other languages than English have marks by pauses only.
    if options.locale.isEnglish || options.detectsLanguage { stages.append(VoiceStage()) }
    if options.reranking != .disabled || ElectionLog.isOn { stages.append(RerankingStage(reranker())) }
    if let punctuator = options.punctuator { stages.append(PunctuationStage(punctuator)) }
    return stages
  }

  /// Checks that a recognizer is there for the language.
  /// - Throws: `TranscriptionError.unsupportedLocale`; on Apple platforms, also what the installation of a model throws.
  package func checkLanguage() async throws(TranscriptionError) {
    _ = try await recognizer(reportsPartials: false)
  }

  private func recognizer(
    reportsPartials: Bool
  ) async throws(TranscriptionError) -> any TranscriptionEngine {
    let hasTasks = SFSpeechRecognizer(locale: options.expectedLocale) != nil
    #if !os(Linux)
      if #available(macOS 26, iOS 26, *), options.engine != .rolling {
        do { try await SpeechAssets.install(for: options.locale) } catch {
          // Recognition tasks have models of their own.
          guard options.engine == .automatic, hasTasks else { throw error }
        }
      }
    #endif
    if #available(macOS 26, iOS 26, *), options.engine != .rolling, await canAnalyze(hasTasks: hasTasks) {
      let analyzer = AnalyzerEngine(options, reportsPartials: reportsPartials)
      #if os(Linux)
        return analyzer
      #else
        guard options.engine == .automatic, hasTasks else { return analyzer }
        // The recognizer has failed before, so that it gets no more attempts than an analyzer.
        var pace = RollingEngine.Pace()
        pace.limits.failures = AnalyzerEngine.attempts - 1
        return FallbackEngine(
          analyzer, else: RollingEngine(options, reportsPartials: reportsPartials, pace: pace))
      #endif
    }
    guard options.engine != .analyzer, hasTasks, !options.detectsLanguage else {
      throw .unsupportedLocale(options.locale.identifier(.bcp47))
    }
    return RollingEngine(options, reportsPartials: reportsPartials)
  }

  /// Whether an analyzer can transcribe the language. A language whose model could be installed cannot be transcribed yet.
  @available(macOS 26, iOS 26, *)
  private func canAnalyze(hasTasks: Bool) async -> Bool {
    guard options.engine == .analyzer || SpeechTranscriber.isAvailable,
      let supported = await SpeechTranscriber.supportedLocale(equivalentTo: options.expectedLocale)
    else { return false }
    if hasTasks { return true }
    return await SpeechTranscriber.installedLocales.contains(supported)
  }
}
