import Foundation

/// Hears when a recognizer becomes available, or stops being so.
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
