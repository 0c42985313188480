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
  /// The recognizer failed on the whole file; the text says why.
  case recognizerFailed(String)
}
