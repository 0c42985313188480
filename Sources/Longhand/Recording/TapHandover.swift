import AVFAudio
import Foundation

/// Hands what a tap hears over to a recording, in the recording's format, until it fails or is closed.
///
/// `@unchecked Sendable`: `lock` guards everything that changes. It is held while sound is converted and handed over, so
/// that nothing is handed over after `close`.
final class TapHandover: @unchecked Sendable {
  private let lock = NSLock()
  private var conversion: TapConversion
  private var take: (@Sendable (CapturedSound) -> Void)?

  /// Hands over to `take`, as a recording of `format` has it.
  init(as format: RecordingFormat, to take: @escaping @Sendable (CapturedSound) -> Void) {
    conversion = TapConversion(to: format)
    self.take = take
  }

  /// The tap heard something.
  func give(_ buffer: AVAudioPCMBuffer, at time: AVAudioTime) {
    lock.withLock {
      guard take != nil else { return }
      do {
        let place = time.isSampleTimeValid ? time.sampleTime : nil
        for sound in try conversion.convert(buffer, at: place) { take?(sound) }
      } catch {
        end("\(error)")
      }
    }
  }

  /// There will be no more sound.
  func fail(_ why: String) { lock.withLock { end(why) } }

  /// Hands over nothing any more.
  func close() { lock.withLock { take = nil } }

  private func end(_ why: String) {
    take?(.failed(why))
    take = nil
  }
}
