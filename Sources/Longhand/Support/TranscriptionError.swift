import Foundation

/// Why a file could not be transcribed.
public enum TranscriptionError: Error, Hashable, Sendable {
  /// There is no such file, or it may not be read.
  case unreadable(String)
  /// The file is no sound that can be decoded; the text says why.
  case undecodable(String)
  /// The file holds not a single sample.
  case noAudio
  /// The language is not one that the recognizer knows.
  case unsupportedLocale(String)
  /// The recognizer, its model or a library is missing; the text says which and `hint` what to type.
  case notInstalled(String, hint: String)
  /// The recognizer failed on the whole file.
  case recognizerFailed(String)
}
