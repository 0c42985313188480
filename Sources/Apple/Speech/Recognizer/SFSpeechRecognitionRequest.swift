import Foundation

/// What to recognize, and how. Abstract: use `SFSpeechURLRecognitionRequest` or
/// `SFSpeechAudioBufferRecognitionRequest`.
///
/// What it says is read when a task is made of it; later changes have no effect on that task.
open class SFSpeechRecognitionRequest: NSObject {
  /// What kind of speech to expect; `unspecified` takes the recognizer's `defaultTaskHint`.
  open var taskHint: SFSpeechRecognitionTaskHint = .unspecified
  /// Whether results come while the speech goes on, or only the final one.
  open var shouldReportPartialResults = true
  /// Phrases that are likely to be said, at most 100; the rest is ignored, as Apple documents.
  open var contextualStrings: [String] = []
  /// Unused; there because clients set it.
  @available(*, deprecated, message: "Not used anymore")
  open var interactionIdentifier: String? {
    get { identifier }
    set { identifier = newValue }
  }
  private var identifier: String?
  /// Whether the audio must stay on this machine. On Linux it always does.
  open var requiresOnDeviceRecognition = false
  /// Whether sentences get capitals, full stops and commas, by the pauses between words. Spoken words are never
  /// added or changed, but for the marks that `SFSpeechRecognitionTaskHint.dictation` lets be spoken.
  open var addsPunctuation = false
  /// A custom language model, prepared by `SFSpeechLanguageModel`. Without `requiresOnDeviceRecognition` it has no
  /// effect, as on Apple's platforms; the log says so. A task with one that is not there, or for another language,
  /// reports `SFSpeechError.malformedSupplementalModel`.
  open var customizedLanguageModel: SFSpeechLanguageModel.Configuration? {
    get { languageModel }
    set { languageModel = newValue?.copy() as? SFSpeechLanguageModel.Configuration }
  }
  private var languageModel: SFSpeechLanguageModel.Configuration?

  /// The custom language model that is heeded.
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
    return Array(contextualStrings.prefix(100))
      + (hint == .confirmation ? ["yes", "no", "maybe", "okay"] : [])
  }
}
