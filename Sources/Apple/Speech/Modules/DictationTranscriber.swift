import AVFAudio
import Foundation

/// Writes down what is dictated: with marks and capitals by the pauses and as they are spoken, and with the words that an
/// `AnalysisContext` expects.
final public class DictationTranscriber: SpeechModule, LocaleDependentSpeechModule {
  private let locale: Locale
  private let contentHints: Set<ContentHint>
  private let transcriptionOptions: Set<TranscriptionOption>
  private let reportingOptions: Set<ReportingOption>
  private let attributeOptions: Set<ResultAttributeOption>
  private let output = ModuleOutput<Result>()

  /// A transcriber of a language, with the options of a preset.
  public convenience init(locale: Locale, preset: DictationTranscriber.Preset) {
    self.init(
      locale: locale, contentHints: preset.contentHints,
      transcriptionOptions: preset.transcriptionOptions,
      reportingOptions: preset.reportingOptions, attributeOptions: preset.attributeOptions)
  }

  /// A transcriber of a language. Analysis with a language that has no model fails with `SFSpeechError.noModel`.
  public init(
    locale: Locale, contentHints: Set<ContentHint>, transcriptionOptions: Set<TranscriptionOption>,
    reportingOptions: Set<ReportingOption>,
    attributeOptions: Set<ResultAttributeOption>
  ) {
    self.locale = locale
    self.contentHints = contentHints
    self.transcriptionOptions = transcriptionOptions
    self.reportingOptions = reportingOptions
    self.attributeOptions = attributeOptions
  }

  /// The languages that can be recognized: on Linux American English.
  public static var supportedLocales: [Locale] { get async { SpeechLocales.supported } }

  /// The supported language nearest to `locale`; nil if there is none.
  public static func supportedLocale(equivalentTo locale: Locale) async -> Locale? {
    SpeechLocales.supported(equivalentTo: locale)
  }

  /// The languages whose models are on this machine.
  public static var installedLocales: [Locale] { get async { await SpeechLocales.installed } }

  /// The language that the transcriber was made for.
  final public var selectedLocales: [Locale] { [SpeechLocales.supported(equivalentTo: locale) ?? locale] }

  /// 16-bit integers and 32-bit floating point, one or two channels, at the usual rates from 8 to 48 kHz; 16 kHz
  /// mono 16-bit first. Empty if the language's model is not installed.
  final public var availableCompatibleAudioFormats: [AVAudioFormat] {
    get async { await AnalyzerAudioFormats.available(for: locale) }
  }

  /// What is said, once: results go to whoever iterates, and wait until then. Throws what the analysis failed of.
  final public var results: some Sendable & AsyncSequence<DictationTranscriber.Result, any Error> {
    output.stream
  }
}

extension DictationTranscriber: AnalysisModule {
  var demand: TranscriptionDemand? {
    TranscriptionDemand(
      locale: locale, wantsHypotheses: reportingOptions.contains(.volatileResults),
      wantsAlternatives: reportingOptions.contains(.alternativeTranscriptions), honoursContext: true,
      cutsOften: reportingOptions.contains(.frequentFinalization),
      customModel: contentHints.lazy.compactMap(\.customModel).first)
  }

  func claim(for analyzer: UUID) -> Bool { output.claim(for: analyzer) }

  func makeSink(at place: Int) -> any ModuleSink {
    let options = TranscriptComposer.Options(
      style: TranscriptionStyle(
        addsSentenceMarks: transcriptionOptions.contains(.punctuation),
        writesSpokenMarks: transcriptionOptions.contains(.punctuation)),
      reportsVolatile: reportingOptions.contains(.volatileResults),
      reportsAlternatives: reportingOptions.contains(.alternativeTranscriptions),
      marksTimes: attributeOptions.contains(.audioTimeRange),
      marksConfidence: attributeOptions.contains(.transcriptionConfidence),
      redacts: transcriptionOptions.contains(.etiquetteReplacements))
    return TranscriberSink(options, at: place, output: output) { Result($0) }
  }
}
