import RecognitionCore
import Foundation
import RecognitionProtocol

/// Recognizes speech in one language.
///
/// On Linux the recognizer is the best model that is installed for the language: Whisper, or PocketSphinx, in a process of
/// its own. No audio leaves the machine.
open class SFSpeechRecognizer: NSObject {
  /// The languages that have a model.
  open class func supportedLocales() -> Set<Locale> { Set(SpeechLocales.supported) }

  /// What the user has decided. Linux has no such permission: `authorized`, unless `AuthorizationPolicy` says otherwise.
  open class func authorizationStatus() -> SFSpeechRecognizerAuthorizationStatus {
    AuthorizationPolicy.current.status
  }

  /// Asks the user, unless the user has decided, and calls the handler with the decision, on another thread.
  open class func requestAuthorization(
    _ handler: @escaping (SFSpeechRecognizerAuthorizationStatus) -> Void
  ) {
    let box = UncheckedBox(value: handler)
    DispatchQueue.global().async { box.value(AuthorizationPolicy.ask()) }
  }

  /// The language that is recognized.
  open private(set) var locale: Locale
  /// Whether recognition is possible now: whether the service's executable and the language's model are there.
  open var isAvailable: Bool { Self.isAvailable(locale, model, pool) }
  /// Whether audio can stay on this machine. On Linux always; it can be set because it can on Apple
  /// platforms.
  open var supportsOnDeviceRecognition = true
  /// Is notified on `queue` when `isAvailable` changes, such as when a model is installed or removed. On Linux this takes
  /// up to a second.
  open weak var delegate: (any SFSpeechRecognizerDelegate)? {
    didSet { watch() }
  }
  private var watcher: AvailabilityWatcher?
  /// The hint of requests that have none.
  open var defaultTaskHint: SFSpeechRecognitionTaskHint = .unspecified
  /// The queue that handlers and delegates are called on.
  open var queue: OperationQueue = .main {
    didSet { watch() }
  }
  /// Where services come from.
  var pool = SpeechServicePool.shared {
    didSet { watch() }
  }
  /// The model that recognizes; nil for the best that is installed for the language when a task begins. Apple's framework
  /// has no such choice.
  package var model: SpeechModel? {
    didSet { watch() }
  }

  /// A recognizer for the current locale; nil if it has no model.
  public convenience init?(_defaultLocale: Void = ()) { self.init(locale: .current) }

  /// A recognizer for `locale`; nil if it has no model. `en` and other forms of American English are
  /// accepted.
  public init?(locale: Locale) {
    guard let supported = SpeechLocales.supported(equivalentTo: locale) else { return nil }
    self.locale = supported
    super.init()
  }

  private static func isAvailable(_ locale: Locale, _ model: SpeechModel?, _ pool: SpeechServicePool) -> Bool
  {
    guard let model = model ?? SpeechModel.used(for: locale) else { return false }
    return pool.executable(for: model.reference.recognizer) != nil
  }

  /// Watches for the delegate, with the present queue and model.
  private func watch() { watcher = delegate == nil ? nil : makeWatcher() }

  private func makeWatcher() -> AvailabilityWatcher {
    // The recognizer is used on `queue` only, where its owner gets the delegate's calls.
    weak let recognizer = self
    let box = UncheckedBox(value: { recognizer })
    return AvailabilityWatcher(isAvailable: { [locale, model, pool] in Self.isAvailable(locale, model, pool) }
    ) {
      [queue] isAvailable in
      queue.addOperation {
        guard let recognizer = box.value() else { return }
        recognizer.delegate?.speechRecognizer(recognizer, availabilityDidChange: isAvailable)
      }
    }
  }

  /// Starts a recognition. The handler gets partial results, if the request wants them, and at the end a
  /// final result or an error, on `queue`.
  @discardableResult
  open func recognitionTask(
    with request: SFSpeechRecognitionRequest,
    resultHandler: @escaping (SFSpeechRecognitionResult?, (any Error)?) -> Void
  ) -> SFSpeechRecognitionTask {
    let adapter = HandlerResultAdapter(
      wantsPartialResults: request.shouldReportPartialResults, handler: resultHandler)
    return SFSpeechRecognitionTask(request: request, recognizer: self, adapter: adapter)
  }

  /// Starts a recognition with a result for each utterance. The task does not retain the delegate, which is
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

/// Is notified when a recognizer becomes available or unavailable.
public protocol SFSpeechRecognizerDelegate: NSObjectProtocol {
  /// The recognizer's `isAvailable` has changed. On Linux, as requirements cannot be optional, a default does
  /// nothing.
  func speechRecognizer(_ speechRecognizer: SFSpeechRecognizer, availabilityDidChange available: Bool)
}

extension SFSpeechRecognizerDelegate {
  /// Does nothing.
  public func speechRecognizer(_ speechRecognizer: SFSpeechRecognizer, availabilityDidChange available: Bool)
  {}
}

/// Whether the user lets the program recognize speech. On Linux `authorized`, unless
/// `SFSpeechRecognizer.AuthorizationPolicy` says otherwise.
public enum SFSpeechRecognizerAuthorizationStatus: Int, Sendable {
  /// Not asked yet.
  case notDetermined = 0
  /// The user said no.
  case denied = 1
  /// The device does not allow it.
  case restricted = 2
  /// The user said yes.
  case authorized = 3
}
