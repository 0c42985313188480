import Foundation

/// What to recognize, and how. An abstract class: use `SFSpeechURLRecognitionRequest` or
/// `SFSpeechAudioBufferRecognitionRequest`.
///
/// A task reads the request when it starts. Later changes have no effect on it.
open class SFSpeechRecognitionRequest: NSObject {
  /// What kind of speech to expect; `unspecified` takes the recognizer's `defaultTaskHint`.
  open var taskHint: SFSpeechRecognitionTaskHint = .unspecified
  /// Whether partial results are reported, or only the final one.
  open var shouldReportPartialResults = true
  /// Phrases that are likely to be said. At most 1,000 are used; Apple advises at most 100.
  open var contextualStrings: [String] = []
  /// Unused. It exists for clients that set it.
  @available(*, deprecated, message: "Not used anymore")
  open var interactionIdentifier: String? {
    get { identifier }
    set { identifier = newValue }
  }
  private var identifier: String?
  /// Whether the audio must stay on this machine. On Linux it always does.
  open var requiresOnDeviceRecognition = false
  /// Whether sentences get capitals and marks, by the pauses between words and the words themselves. Words are never
  /// added or changed, except for the spoken marks of `SFSpeechRecognitionTaskHint.dictation`.
  open var addsPunctuation = false
  /// A custom language model, prepared by `SFSpeechLanguageModel`. Without `requiresOnDeviceRecognition` it
  /// has no effect, as on Apple's platforms; the log says so. A task whose model is missing or for another
  /// language reports `SFSpeechError.malformedSupplementalModel`.
  open var customizedLanguageModel: SFSpeechLanguageModel.Configuration? {
    get { languageModel }
    set { languageModel = newValue?.copy() as? SFSpeechLanguageModel.Configuration }
  }
  private var languageModel: SFSpeechLanguageModel.Configuration?

  /// The custom language model in use.
  var attachedModel: SFSpeechLanguageModel.Configuration? {
    guard let languageModel else { return nil }
    guard requiresOnDeviceRecognition else {
      NSLog("Speech: customizedLanguageModel is ignored, because requiresOnDeviceRecognition is false.")
      return nil
    }
    return languageModel
  }

  /// How the text is written, for this request made to a recognizer with this default.
  func style(defaultHint: SFSpeechRecognitionTaskHint) -> TranscriptionStyle {
    let hint = taskHint == .unspecified ? defaultHint : taskHint
    return TranscriptionStyle(
      addsSentenceMarks: addsPunctuation && hint != .search && hint != .confirmation,
      writesSpokenMarks: addsPunctuation && hint == .dictation)
  }

  /// The phrases that are likely to be said, for this request made to a recognizer with this default.
  func likelyPhrases(defaultHint: SFSpeechRecognitionTaskHint) -> [String] {
    let hint = taskHint == .unspecified ? defaultHint : taskHint
    return contextualStrings.accepted
      + (hint == .confirmation ? ["yes", "no", "maybe", "okay"] : [])
  }
}

/// Requests the recognition of an audio file, of any container and codec that FFmpeg reads.
open class SFSpeechURLRecognitionRequest: SFSpeechRecognitionRequest {
  /// The file.
  open private(set) var url: URL

  /// A request for the file at `URL`.
  public init(url URL: URL) {
    url = URL
    super.init()
  }
}

/// What kind of speech to expect.
public enum SFSpeechRecognitionTaskHint: Int, Sendable {
  /// No particular kind.
  case unspecified = 0
  /// Free speech; with `addsPunctuation`, spoken marks such as "comma" and "new line" are written as marks.
  case dictation = 1
  /// A few words to search for: no sentence marks are added.
  case search = 2
  /// A word such as "yes", "no" or "maybe", which becomes likelier than other words.
  case confirmation = 3
}
