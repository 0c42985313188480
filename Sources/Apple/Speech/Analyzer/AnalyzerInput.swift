import AVFAudio
import CoreMedia

/// A stretch of audio for a `SpeechAnalyzer`.
///
/// `@unchecked Sendable`, as on Apple platforms: whoever hands a buffer in does not change it any more.
public struct AnalyzerInput: @unchecked Sendable {
  /// The audio; the analyzer does not convert it: `SpeechAnalyzer.bestAvailableAudioFormat(compatibleWith:)`.
  public let buffer: AVAudioPCMBuffer
  /// Where the buffer begins on the analyzer's timeline; nil right after the buffer before, or at 0 if it is the
  /// first.
  public let bufferStartTime: CMTime?

  /// Audio that follows what came before.
  public init(buffer: AVAudioPCMBuffer) {
    self.init(buffer: buffer, bufferStartTime: nil)
  }

  /// Audio that begins at a time. It must not be before the end of what came before:
  /// `SFSpeechError.audioDisordered`.
  public init(buffer: AVAudioPCMBuffer, bufferStartTime: CMTime?) {
    self.buffer = buffer
    self.bufferStartTime = bufferStartTime
  }
}
