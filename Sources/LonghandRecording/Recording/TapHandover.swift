import AVFAudio
import FileSupport
import Foundation

/// Converts the buffers of a tap to a recording's format and passes them on, until the tap fails or is closed.
///
/// `@unchecked Sendable`: `lock` guards everything that changes. It is held while audio is converted and passed on, so
/// that nothing is passed on after `close`.
final class TapHandover: @unchecked Sendable {
  private let lock = NSLock()
  private var conversion: TapConversion
  private var take: (@Sendable (CapturedAudio) -> Void)?

  /// Passes audio on to `take`, in the recording's `format`.
  init(as format: RecordingFormat, to take: @escaping @Sendable (CapturedAudio) -> Void) {
    conversion = TapConversion(to: format)
    self.take = take
  }

  /// Receives a buffer of the tap.
  func give(_ buffer: AVAudioPCMBuffer, at time: AVAudioTime) {
    lock.withLock {
      guard take != nil else { return }
      do {
        let position = time.isSampleTimeValid ? time.sampleTime : nil
        for audio in try conversion.convert(buffer, at: position) { take?(audio) }
      } catch {
        end(error.explanation)
      }
    }
  }

  /// Reports that the tap failed.
  func fail(_ why: String) { lock.withLock { end(why) } }

  /// Stops passing audio on.
  func close() { lock.withLock { take = nil } }

  private func end(_ why: String) {
    take?(.failed(why))
    take = nil
  }
}
