import RecognitionProtocol

/// Work of an `UtteranceRecognition`, whose outcome is reported in the order of the audio.
struct UtteranceJob {
  enum Work {
    /// Get a service whose model is loaded. This is the first job.
    case preparation
    /// Report that everything before has its result.
    case flush(token: Int)
    /// Recognize the utterances of a window.
    case decoding(DecodingWindow, number: UInt32)
  }

  enum Status {
    case waiting
    case inWork
    case done
    /// The utterances of the window, in the languages of the decision, and the language that it sounds like.
    case recognized([RecognizedUtterance], LanguageTracker.Decision, heard: HeardLanguage?)
    case failed(String)

    var isWaiting: Bool { if case .waiting = self { true } else { false } }
    /// Whether its work is not done.
    var isOpen: Bool { if case .inWork = self { true } else { isWaiting } }
  }

  let id: Int
  let work: Work
  let configuration: ServiceConfiguration
  var status = Status.waiting
  /// Whether the tracker of languages has taken it.
  var isTracked = false
  /// The languages of the window; nil as long as they are not decided.
  var languages: LanguageTracker.Decision?

  var isPreparing: Bool {
    if case (.preparation, .inWork) = (work, status) { true } else { false }
  }
  var window: DecodingWindow? { if case .decoding(let window, _) = work { window } else { nil } }
}
