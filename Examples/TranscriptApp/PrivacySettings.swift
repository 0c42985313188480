import Foundation

/// The page of the system's settings on which a person who refused a permission can grant it.
enum PrivacySettings {
  /// Of this app on iOS; of all apps that recognize speech on macOS. The microphone's page there ends in
  /// `Privacy_Microphone`. Nil where the system has none.
  static var url: URL? {
    #if os(iOS)
      // The value of UIApplication.openSettingsURLString.
      URL(string: "app-settings:")
    #elseif os(macOS)
      URL(string: "x-apple.systempreferences:com.apple.preference.security?Privacy_SpeechRecognition")
    #else
      nil
    #endif
  }
}
