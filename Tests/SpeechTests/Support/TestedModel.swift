@testable import RecognitionCore
import Foundation
import RecognitionProtocol
import TestSupport

@testable import Speech

/// A model by which the shared suites recognize: whatever the recognizer, what a client may rely on is the same.
enum TestedModel: String, CaseIterable, Sendable {
  /// Whisper is separate: its weights may not be installed, and it takes longer.
  static let allCases: [TestedModel] = [.embedded, .ctc, .streamingCTC, .transducer]
  /// All, for what a recognizer's process can do to its client.
  static let processes = allCases + (FileManager.default.fileExists(atPath: whisperFolder) ? [.whisper] : [])
  private static let whisperFolder =
    (ProcessInfo.processInfo.environment["PREFIX"] ?? "/usr/local") + "/share/longhand/models/whisper-tiny-en"

  case embedded = "pocketsphinx"
  case ctc = "toy-ctc"
  case streamingCTC = "toy-streaming-ctc"
  case transducer = "toy-tdt"
  case whisper = "whisper-tiny-en"

  private var toy: ToyModel.Kind? { ToyModel.Kind(rawValue: rawValue) }

  /// The model as a service loads it.
  var model: ModelReference {
    if let toy { return ModelReference(.sherpaOnnx, folder: toy.original.path, digest: rawValue) }
    guard self == .whisper else { return .pocketSphinx }
    // The suites speak of utterances; in windows they would be one.
    var recognizer = Recognizer.whisper
    recognizer.window = nil
    return ModelReference(recognizer, folder: Self.whisperFolder, digest: rawValue)
  }

  /// The model as recognizers take it.
  var speechModel: SpeechModel {
    SpeechModel(
      name: rawValue, sha256: self == .embedded ? nil : rawValue, isPunctuated: self == .whisper,
      isEmbedded: self == .embedded, detectsLanguage: false,
      reference: model)
  }

  /// The environment variable that says where the service's executable is, and the executable's name.
  var executable: (variable: String, name: String) {
    (model.recognizer.variable, model.recognizer.program)
  }

  /// A proxy that fails on demand, before the real service.
  var faulty: [String: String] {
    let products = ServiceFaultTests.products
    return [
      executable.variable: products.appendingPathComponent("scripted-speech-service").path,
      "SPEECH_FAULTY_SERVICE": products.appendingPathComponent(executable.name).path,
    ]
  }

  /// A context in which analyzers recognize by this model.
  var context: AnalysisContext {
    let context = AnalysisContext()
    context.model = speechModel
    return context
  }

  /// The same configuration with this model.
  func configured(_ configuration: ServiceConfiguration) -> ServiceConfiguration {
    var result = configuration
    result.model = model
    return result
  }

  /// Speech without long pauses, 16 kHz.
  func sentence() throws -> [Int16] {
    guard toy != nil else { return try Recordings.samples(Recordings.librivox("0870")) }
    return try ["words-01", "words-02", "words-10"].flatMap(Self.recording)
  }

  /// What is said in `sentence()`.
  var text: String {
    toy == nil
      ? Recordings.text0870 : "back pause three three yes six five four start two zero one"
  }

  /// Five utterances and the pauses between them, 16 kHz.
  func utterances() throws -> [Int16] {
    guard toy != nil else { return try Recordings.utterances() }
    let names = ["words-10", "words-02", "words-01", "words-08", "words-12"]
    return try names.map(Self.recording).reduce(Recordings.silence(0.5)) { $0 + $1 + Recordings.silence(1) }
  }

  /// What is said in `utterances()`, in part.
  var textOfUtterances: String {
    toy == nil
      ? Recordings.textOfUtterances
      : "start two zero one yes six five four back pause three three back five nine four four pause four six"
  }

  private static func recording(_ name: String) throws -> [Int16] {
    try Recordings.samples(ToyModel.models.appendingPathComponent("recordings/\(name).wav"))
  }
}
