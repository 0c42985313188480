import Foundation
import Longhand

/// A page of the system's settings on which a person who refused a permission can grant it.
enum PrivacySettings: Equatable {
  case microphone, speechRecognition

  /// The page of the permission whose refusal caused an error; nil for other errors.
  init?(refusedBy error: any Error) {
    switch error {
    case CaptureError.notPermitted: self = .microphone
    case TranscriptionError.notAuthorized: self = .speechRecognition
    default: return nil
    }
  }

  /// The page of this app on iOS, which has both permissions; the page of the permission on macOS. Nil where the system has
  /// none.
  var url: URL? {
    #if os(iOS)
      // The value of UIApplication.openSettingsURLString.
      URL(string: "app-settings:")
    #elseif os(macOS)
      URL(string: "x-apple.systempreferences:com.apple.preference.security?\(anchor)")
    #else
      nil
    #endif
  }

  /// The name of the page on macOS.
  var anchor: String {
    switch self {
    case .microphone: "Privacy_Microphone"
    case .speechRecognition: "Privacy_SpeechRecognition"
    }
  }
}
