import RecognitionCore
import AVFAudio
import CoreMedia
import Foundation

/// Turns dictation into written text, with punctuation and capitals.
///
/// Punctuation comes from the pauses, the words, and spoken marks such as "comma". The words that an ``AnalysisContext``
/// lists become likelier, and so do the phrases of a custom language model.
///
/// ```swift
/// import Speech
///
/// let transcriber = DictationTranscriber(locale: Locale(identifier: "en-US"), preset: .longDictation)
/// let analyzer = SpeechAnalyzer(modules: [transcriber])
/// let context = AnalysisContext()
/// context.contextualStrings[.general] = ["Mister John Dashwood"]
/// try await analyzer.setContext(context)
/// let file = try AVAudioFile(forReading: URL(fileURLWithPath: "dictation.wav"))
/// try await analyzer.start(inputAudioFile: file, finishAfterFile: true)
/// var text = AttributedString()
/// for try await result in transcriber.results { text += result.text }
/// print(String(text.characters))
/// ```
final public class DictationTranscriber: SpeechModule, LocaleDependentSpeechModule {
  let core: TranscriberCore<Result>

  /// Creates a transcriber for a language, with the options of a preset.
  public convenience init(locale: Locale, preset: DictationTranscriber.Preset) {
    self.init(
      locale: locale, contentHints: preset.contentHints,
      transcriptionOptions: preset.transcriptionOptions,
      reportingOptions: preset.reportingOptions, attributeOptions: preset.attributeOptions)
  }

  /// Creates a transcriber for a language. The analysis fails with `SFSpeechError.noModel` if the language has no model.
  public init(
    locale: Locale, contentHints: Set<ContentHint>, transcriptionOptions: Set<TranscriptionOption>,
    reportingOptions: Set<ReportingOption>,
    attributeOptions: Set<ResultAttributeOption>
  ) {
    let punctuates = transcriptionOptions.contains(.punctuation)
    core = TranscriberCore(
      TranscriptionDemand(
        locale: locale, wantsHypotheses: reportingOptions.contains(.volatileResults),
        wantsAlternatives: reportingOptions.contains(.alternativeTranscriptions),
        cutsOften: reportingOptions.contains(.frequentFinalization),
        customModel: contentHints.lazy.compactMap(\.customModel).first),
      options: .init(
        style: TranscriptionStyle(addsSentenceMarks: punctuates, writesSpokenMarks: punctuates)
          .adapted(to: locale),
        marksTimes: attributeOptions.contains(.audioTimeRange),
        marksConfidence: attributeOptions.contains(.transcriptionConfidence),
        redacts: transcriptionOptions.contains(.etiquetteReplacements)))
  }

  /// The languages that can be recognized, by a model that is installed or that `AssetInventory` can install.
  public static var supportedLocales: [Locale] { get async { await SpeechLocales.offered } }

  /// The supported language nearest to `locale`; nil if there is none.
  public static func supportedLocale(equivalentTo locale: Locale) async -> Locale? {
    await SpeechLocales.offered(equivalentTo: locale)
  }

  /// The languages whose models are installed.
  public static var installedLocales: [Locale] { get async { await SpeechLocales.installed } }

  /// The language that the transcriber was created for.
  final public var selectedLocales: [Locale] { core.selectedLocales }

  /// 16-bit integers and 32-bit floating point, one or two channels, at the usual rates from 8 to 48 kHz; 16 kHz
  /// mono 16-bit first. Empty if the language's model is not installed.
  final public var availableCompatibleAudioFormats: [AVAudioFormat] {
    get async { await AnalyzerAudioFormats.available(for: core.demand.locale) }
  }

  /// The text of the speech. Each result is delivered once and waits until it is read. Throws the error that ended the
  /// analysis.
  final public var results: some Sendable & AsyncSequence<DictationTranscriber.Result, any Error> {
    core.output.stream
  }

  /// The text of the speech in a range of audio.
  ///
  /// Final results do not overlap: each starts where the one before ends. A volatile result replaces the volatile
  /// results before it. The text of every final result but the first starts with a space, so that texts can be joined.
  public struct Result: SpeechModuleResult, Sendable, CustomStringConvertible, Equatable, Hashable {
    /// The range of audio, on the analyzer's timeline.
    public let range: CMTimeRange
    /// The end of the audio whose results are final.
    public let resultsFinalizationTime: CMTime
    /// The likeliest text. It is empty if there was no speech after all; then it revokes the volatile results in
    /// `range`.
    public var text: AttributedString { alternatives.first ?? AttributedString() }
    /// The possible texts, the likeliest first; never empty.
    public let alternatives: [AttributedString]
    /// What was recognized, as it is written; nil unless the analyzer's context asks for it.
    package var utterance: RecognizedUtterance?

    /// The range in seconds, whether it is final, and the text.
    public var description: String { describe(String(text.characters)) }
  }
}

extension DictationTranscriber: Transcriber {}

extension DictationTranscriber.Result: TranscriberResult {
  init(_ output: TranscriptComposer.Output) {
    self.init(
      range: output.range, resultsFinalizationTime: output.finalizationTime,
      alternatives: output.alternatives,
      utterance: output.utterance)
  }
}
