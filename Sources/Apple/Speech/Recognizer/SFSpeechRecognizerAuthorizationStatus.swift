/// Whether the user lets the program recognize speech. On Linux there is nobody to ask: always `authorized`.
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
