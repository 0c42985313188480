import Foundation

/// A node that leads into or out of the machine.
open class AVAudioIONode: AVAudioNode {
  /// Whether echo is removed from the voice; never on Linux.
  open var isVoiceProcessingEnabled: Bool { false }

  /// Removes echo from the voice. Linux has no such processing here: throws when asked to enable it. Sound
  /// servers offer it as a source of its own (PulseAudio's `module-echo-cancel`), which can be recorded like
  /// any other.
  open func setVoiceProcessingEnabled(_ enabled: Bool) throws {
    guard enabled else { return }
    throw AudioError.make(
      .unspecified,
      "voice processing is the sound server's on Linux: load its module-echo-cancel and record from that source"
    )
  }
}
