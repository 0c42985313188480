import RecognitionCore
import AVFAudio
import CoreMedia
import Foundation

/// Turns speech into text, word by word.
///
/// ```swift
/// import Speech
///
/// let transcriber = SpeechTranscriber(
///   locale: Locale(identifier: "en-US"), preset: .timeIndexedTranscriptionWithAlternatives)
/// let file = try AVAudioFile(forReading: URL(fileURLWithPath: "talk.wav"))
/// let analyzer = try await SpeechAnalyzer(
///   inputAudioFile: file, modules: [transcriber], finishAfterFile: true)
/// for try await result in transcriber.results {
///   print(result.range.start.seconds, String(result.text.characters))
///   for other in result.alternatives.dropFirst() { print("  or:", String(other.characters)) }
/// }
/// ```
///
/// On Linux the text has capitals and punctuation if the model writes them, as Whisper does; this transcriber adds none.
/// ``DictationTranscriber`` adds punctuation from the pauses and the words.
final public class SpeechTranscriber: SpeechModule, LocaleDependentSpeechModule {
  let core: TranscriberCore<Result>

  /// Creates a transcriber for a language, with the options of a preset.
  public convenience init(locale: Locale, preset: SpeechTranscriber.Preset) {
    self.init(
      locale: locale, transcriptionOptions: preset.transcriptionOptions,
      reportingOptions: preset.reportingOptions, attributeOptions: preset.attributeOptions)
  }

  /// Creates a transcriber for a language. The analysis fails with `SFSpeechError.noModel` if the language has no model.
  public init(
    locale: Locale, transcriptionOptions: Set<TranscriptionOption>, reportingOptions: Set<ReportingOption>,
    attributeOptions: Set<ResultAttributeOption>
  ) {
    core = TranscriberCore(
      TranscriptionDemand(
        locale: locale, wantsHypotheses: reportingOptions.contains(.volatileResults),
        wantsAlternatives: reportingOptions.contains(.alternativeTranscriptions),
        cutsOften: reportingOptions.contains(.fastResults)),
      options: .init(
        marksTimes: attributeOptions.contains(.audioTimeRange),
        marksConfidence: attributeOptions.contains(.transcriptionConfidence),
        redacts: transcriptionOptions.contains(.etiquetteReplacements)))
  }

  /// Whether this machine can transcribe. On Linux: whether the executable of a speech service exists.
  public static var isAvailable: Bool { SpeechServicePool.shared.hasExecutable }

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
  final public var results: some Sendable & AsyncSequence<SpeechTranscriber.Result, any Error> {
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

extension SpeechTranscriber: Transcriber {}

extension SpeechTranscriber.Result: TranscriberResult {
  init(_ output: TranscriptComposer.Output) {
    self.init(
      range: output.range, resultsFinalizationTime: output.finalizationTime,
      alternatives: output.alternatives,
      utterance: output.utterance)
  }
}
