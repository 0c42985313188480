import Foundation

/// Recognizes speech in one language.
///
/// On Linux the recognizer stands on PocketSphinx in a process of its own, `speech-service`, and nothing leaves
/// the machine.
open class SFSpeechRecognizer: NSObject {
  /// The languages that have a model.
  open class func supportedLocales() -> Set<Locale> { [Locale(identifier: "en-US")] }

  /// Always `authorized`: on Linux there is nobody to ask.
  open class func authorizationStatus() -> SFSpeechRecognizerAuthorizationStatus { .authorized }

  /// Answers `authorized`, from another thread.
  open class func requestAuthorization(
    _ handler: @escaping (SFSpeechRecognizerAuthorizationStatus) -> Void
  ) {
    let box = UncheckedBox(value: handler)
    DispatchQueue.global().async { box.value(.authorized) }
  }

  /// The language that is listened for.
  open private(set) var locale: Locale
  /// Whether recognition is possible now: whether the service's executable is there.
  open var isAvailable: Bool { pool.executable != nil }
  /// Whether audio can stay on this machine. On Linux always; it can be set because it can on Apple platforms.
  open var supportsOnDeviceRecognition = true
  /// Hears when `isAvailable` changes. On Linux nothing changes it while a program runs.
  open weak var delegate: (any SFSpeechRecognizerDelegate)?
  /// What requests that do not say expect.
  open var defaultTaskHint: SFSpeechRecognitionTaskHint = .unspecified
  /// Where handlers and delegates are called.
  open var queue: OperationQueue = .main
  /// Where services come from.
  var pool = SpeechServicePool.shared

  /// A recognizer of the current locale; nil if there is no model for it.
  public convenience init?(_defaultLocale: Void = ()) { self.init(locale: .current) }

  /// A recognizer of `locale`; nil if there is no model for it. `en` and other forms of American English are
  /// taken.
  public init?(locale: Locale) {
    guard let supported = Self.supportedLocales().first(where: { Self.isSame($0, as: locale) }) else {
      return nil
    }
    self.locale = supported
    super.init()
  }

  static func isSame(_ supported: Locale, as locale: Locale) -> Bool {
    guard supported.language.languageCode == locale.language.languageCode else { return false }
    // Without a region, or with the region "world", which stands where the system says nothing, any will do.
    guard let region = locale.region, region.identifier != "001" else { return true }
    return region == supported.region
  }

  /// Recognizes what `request` asks for. The handler gets partial results, if the request wants them, and at
  /// last a final result or an error; all on `queue`.
  @discardableResult
  open func recognitionTask(
    with request: SFSpeechRecognitionRequest,
    resultHandler: @escaping (SFSpeechRecognitionResult?, (any Error)?) -> Void
  ) -> SFSpeechRecognitionTask {
    let adapter = HandlerResultAdapter(
      wantsPartialResults: request.shouldReportPartialResults, handler: resultHandler)
    return SFSpeechRecognitionTask(request: request, recognizer: self, adapter: adapter)
  }

  /// Recognizes what `request` asks for, utterance by utterance. The task does not retain the delegate; it is
  /// called on `queue`.
  @discardableResult
  open func recognitionTask(
    with request: SFSpeechRecognitionRequest, delegate: any SFSpeechRecognitionTaskDelegate
  ) -> SFSpeechRecognitionTask {
    let adapter = DelegateResultAdapter(
      wantsPartialResults: request.shouldReportPartialResults, delegate: delegate)
    return SFSpeechRecognitionTask(request: request, recognizer: self, adapter: adapter)
  }
}
