import Foundation
import LonghandRecording
import LonghandVocabulary
import Speech

/// How audio is transcribed.
public struct TranscriptionOptions: Sendable, Hashable {
  /// The spoken language; `detectedLanguage` if it is to be detected.
  public var locale: Locale
  /// What is known from earlier work on the recording of languages that are detected.
  package var languages: [LanguageTurn] = []
  /// The largest number of candidates to keep for a segment, at least 1.
  public var alternatives: Int
  /// Which generation of the Speech framework recognizes.
  public var engine: EngineSelection
  /// Which installed model recognizes.
  public var model = ModelChoice.best
  /// The language model of a domain, used beside the general one.
  public var languageModel: LanguageModelFolder?
  /// Whether the recognizer writes punctuation and capitals, also marks that are spoken, such as "comma"; else it writes words
  /// only, and sentences are a layer over them.
  public var addsPunctuation = false
  /// What kind of speech it is, for recognition tasks.
  public var taskHint = TaskHint.unspecified
  /// What counts as a pause between recognition tasks.
  public var silence = SilenceOptions()
  /// How channels are transcribed; nil to compare two channels of a file, and to mix those of a live recording.
  public var channels: ChannelMode?
  /// The numbers of the audio tracks of a file that are transcribed, from 1; nil for all. Several tracks are like channels.
  public var tracks: [Int]?
  /// The names of the speakers, in the order of the channels.
  public var speakerNames: [String] = []
  /// The number of voices to separate after the transcription; nil for no voices. Where channels are transcribed one by one,
  /// the voices in each are found, whatever the number.
  public var voices: VoiceCount?
  /// The file of the remembered voices, whose names the separated voices get, see `RememberedVoices`; nil to
  /// recognize no voice.
  public var rememberedVoices: URL?
  /// Whether there is a second text in English, see `Translation`. The model must know it.
  public var translates = false
  /// What a person chose for this recording, which is kept with it; nil if nothing was chosen.
  package var choice: RecognitionChoice?
  /// Words and phrases that are likely to be said.
  public var contextualStrings: [String] = []
  /// What writes the second text of a recording's segments; nil for the vocabulary of `languageModel` alone. With a language
  /// model, the text is written by the vocabulary at first, and then again by the model's answer to each segment.
  public var normalizer: TranscriptNormalizer?
  /// Whether audio may be sent to a server where the language has no model on this device. Never needed on Linux.
  public var allowsServer = false
  /// Whether another candidate than the recognizer's first choice may be chosen.
  public var reranking: CandidateRerankingPolicy

  /// Creates options; the defaults are those of the command line.
  public init(
    locale: Locale = Locale(identifier: "en-US"), alternatives: Int = 5,
    engine: EngineSelection = .automatic, languageModel: LanguageModelFolder? = nil,
    reranking: CandidateRerankingPolicy = .conservative
  ) {
    self.locale = locale
    self.alternatives = alternatives
    self.engine = engine
    self.languageModel = languageModel
    self.reranking = reranking
  }

  /// The languages that can be transcribed now, such as `en-US` (BCP 47), in order.
  public static var availableLocales: [String] {
    get async {
      var locales = SFSpeechRecognizer.supportedLocales()
      if #available(macOS 26, iOS 26, *) { locales.formUnion(await SpeechTranscriber.installedLocales) }
      return Set(locales.map { $0.identifier(.bcp47) }).sorted()
    }
  }

  /// The terms of the domain in its spelling: the words that are likely to be said, and those of the vocabulary.
  public var spelledTerms: [String] {
    contextualStrings + (languageModel?.spellings?.writtenNames ?? [])
  }
}

/// What kind of speech it is, as `SFSpeechRecognitionTaskHint` names it.
public enum TaskHint: String, CaseIterable, Hashable, Sendable {
  /// No particular kind.
  case unspecified
  /// Free speech; marks that are spoken are written, if punctuation is wanted.
  case dictation
  /// A few words to search for.
  case search
  /// A word such as "yes" or "no".
  case confirmation

  var ofTheFramework: SFSpeechRecognitionTaskHint {
    switch self {
    case .unspecified: .unspecified
    case .dictation: .dictation
    case .search: .search
    case .confirmation: .confirmation
    }
  }
}

/// Which generation of the Speech framework recognizes.
public enum EngineSelection: String, CaseIterable, Hashable, Sendable {
  /// The analyzer where it is available for the language, else recognition tasks.
  case automatic
  /// `SpeechAnalyzer` with a detector of speech.
  case analyzer
  /// `SFSpeechRecognizer` and its recognition tasks.
  case rolling
}
