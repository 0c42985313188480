import FileSupport
import Foundation

/// An error of a transcription.
public enum TranscriptionError: Error, Hashable, Sendable {
  /// The file does not exist or cannot be read; the text says why.
  case unreadable(String)
  /// The file has no audio that can be decoded; the text says why.
  case undecodable(String)
  /// The file has no samples.
  case noAudio
  /// The recognizer does not support the language.
  case unsupportedLocale(String)
  /// The recognizer, its model or a library is missing; the text says which, and `hint` how to install it.
  case notInstalled(String, hint: String)
  /// The program may not recognize speech; the text says why, and what to do.
  case notAuthorized(String)
  /// The language can be recognized by a server only, so that the audio would leave the device.
  case leavesDevice(String)
  /// The recognizer failed on the whole file; the text says why.
  case recognizerFailed(String)
  /// The recognizer does not take so many words and phrases to expect.
  case tooManyPhrases(Int, limit: Int)
}

extension TranscriptionError {
  /// What to do if the recognizer or its model is missing.
  #if os(Linux)
    package static let installation =
      "Run '\(Installation.current.repair)' to install it; 'longhand doctor' shows what is missing."
  #else
    static let installation =
      "Connect to the internet, so that the system can install it, or add the language in System Settings > Keyboard > "
      + "Dictation > Languages; 'longhand doctor' shows the languages that are there."
  #endif
  /// How many phrases a recognizer takes, in the same words wherever it is said.
  package static func rule(ofPhrases limit: Int) -> String {
    #if os(Linux)
      let phrases = "those of --context and, with sherpa-onnx, the vocabulary's terms"
    #else
      let phrases = "those of --context"
    #endif
    return "at most \(limit) phrases can be expected, \(phrases); with more, nothing is transcribed"
  }
  /// What to do if there are more phrases than a recognizer takes.
  package static let fewerPhrases =
    "Keep the terms that are said most often and recognized wrongly; 'entities' of the vocabulary have no limit."
  /// What to do if only a server could recognize.
  package static let staysOnDevice =
    "Nothing was sent. Add the language in Settings > General > Keyboard > Dictation Languages, or allow the server "
    + "with --allow-server."
}

extension TranscriptionError: CustomStringConvertible {
  /// What is wrong and, if something is missing, how to install it.
  public var description: String {
    switch self {
    case .unreadable(let why): "the audio cannot be read: \(why)"
    case .undecodable(let why): "no audio can be decoded: \(why)"
    case .noAudio: "there is no audio"
    case .unsupportedLocale(let locale): "no installed model recognizes the language \(locale)"
    case .notInstalled(let what, let hint): "\(what.last == "." ? String(what.dropLast()) : what). \(hint)"
    case .notAuthorized(let why): why
    case .leavesDevice(let locale):
      "the recognition of \(locale) would leave this device, because its model is not on it. \(Self.staysOnDevice)"
    case .recognizerFailed(let why): "the recognizer failed: \(why)"
    case .tooManyPhrases(let count, let limit):
      "there are \(count) phrases, and \(Self.rule(ofPhrases: limit)). \(Self.fewerPhrases)"
    }
  }
}
