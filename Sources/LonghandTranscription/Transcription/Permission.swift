import Foundation
import LonghandTranscripts
import Speech

/// The user's permissions to recognize and to record speech. Apple's platforms ask the user, once.
enum Permission {
  /// Asks for the permission to recognize speech, unless that was decided before.
  /// - Throws: `TranscriptionError.notAuthorized`.
  static func recognition() async throws(TranscriptionError) {
    var status = SFSpeechRecognizer.authorizationStatus()
    if status == .notDetermined {
      status = await withCheckedContinuation { continuation in
        SFSpeechRecognizer.requestAuthorization { continuation.resume(returning: $0) }
      }
    }
    if let problem = problem(status) { throw .notAuthorized(problem) }
  }

  /// Why a program with this status cannot recognize speech, and what to do; nil if it can.
  static func problem(_ status: SFSpeechRecognizerAuthorizationStatus) -> String? {
    switch status {
    case .authorized: nil
    case .denied:
      "speech recognition was not allowed. Allow it in Settings > Privacy & Security > Speech Recognition"
    case .restricted:
      "this device does not allow speech recognition; a profile or a parental control forbids it. Ask who manages it"
    case .notDetermined:
      "speech recognition was not allowed yet. Answer the question that the system asks, and try again"
    @unknown default:
      "speech recognition is not allowed. Look at Settings > Privacy & Security > Speech Recognition"
    }
  }
}
