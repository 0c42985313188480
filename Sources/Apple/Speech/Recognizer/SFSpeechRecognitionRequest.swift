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
  /// A custom language model; needs `requiresOnDeviceRecognition`. On Linux a task with one reports
  /// `SFSpeechError.noModel` until models can be prepared there.
  open var customizedLanguageModel: SFSpeechLanguageModel.Configuration? {
    get { languageModel }
    set { languageModel = newValue?.copy() as? SFSpeechLanguageModel.Configuration }
  }
  private var languageModel: SFSpeechLanguageModel.Configuration?

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
