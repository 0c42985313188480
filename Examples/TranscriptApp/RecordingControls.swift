import Foundation

/// What the controls of the app say and show: a pure value, which also compiles where there is no SwiftUI.
struct RecordingControls: Equatable {
  /// What the app does.
  enum Phase: Equatable { case ready, starting, recording, stopping }

  private(set) var phase = Phase.ready
  /// Why a recording did not begin or did not go on; nil if it did.
  private(set) var problem: String?
  /// The settings with which it would have begun; nil if they were not the cause.
  private(set) var settings: PrivacySettings?

  /// The title of the button, which is also what VoiceOver calls it.
  var buttonTitle: String { phase == .recording || phase == .stopping ? "Stop" : "Record" }
  /// What VoiceOver says that the button does.
  var buttonHint: String {
    buttonTitle == "Stop"
      ? "Ends the recording. The transcript stays." : "Records the microphone and writes what is said."
  }
  /// Whether the button can be pressed.
  var isEnabled: Bool { phase == .ready || phase == .recording }

  /// The app begins something else.
  /// - Returns: what VoiceOver announces; nil for nothing.
  mutating func enter(_ next: Phase) -> String? {
    defer { phase = next }
    switch next {
    case .starting:
      (problem, settings) = (nil, nil)
      return nil
    case .recording: return phase == .recording ? nil : "Recording started"
    case .stopping: return nil
    case .ready: return phase == .recording || phase == .stopping ? "Recording stopped" : nil
    }
  }

  /// The recording ends with an error.
  /// - Returns: what VoiceOver announces.
  mutating func fail(_ error: any Error) -> String {
    let stopped = enter(.ready).map { "\($0). " } ?? ""
    (problem, settings) = (error.localizedDescription, PrivacySettings(refusedBy: error))
    return stopped + error.localizedDescription
  }
}

/// The level of the audio as a bar and in words.
struct LevelReading: Equatable {
  /// In dBFS; minus infinity for digital silence.
  let decibels: Double

  private static let lowest = -60.0

  /// The length of the bar, from 0 to 1.
  var fraction: Double { min(1, max(0, 1 - decibels / Self.lowest)) }

  /// What VoiceOver says of it.
  var description: String {
    switch decibels {
    case ..<Self.lowest: "Silent"
    case ..<(-40): "Quiet"
    case ..<(-3): "Good"
    default: "Too loud"
    }
  }

  /// Seconds that the bar takes to a new level; 0 for people who want less motion.
  static func animation(reducesMotion: Bool) -> TimeInterval { reducesMotion ? 0 : 0.1 }
}
