import AVFAudio
import SpeechServiceProtocol

/// Recognizes a sound file: a thread of its own reads it, no further ahead than the recognition needs.
final class RecordingRecognition: Recognition {
  private let url: URL
  private let pieces: PieceRecognition

  init(
    url: URL, configuration: ServiceConfiguration, pool: SpeechServicePool = .shared,
    emit: @escaping @Sendable (RecognitionEvent) -> Void
  ) {
    self.url = url
    pieces = PieceRecognition(configuration: configuration, pool: pool, emit: emit)
  }

  func start() {
    pieces.start()
    let thread = Thread { self.read() }
    thread.stackSize = 2 << 20
    thread.start()
  }

  /// No effect: the file is taken whole from the start.
  func finish() {}

  func cancel() { pieces.cancel() }

  /// The services that decode right now.
  var services: [SpeechServiceProcess] { pieces.services }

  private func read() {
    do {
      var reader = try AudioFileReader(url: url)
      while let samples = try reader.next() {
        pieces.append(samples)
        guard pieces.waitForRoom() else { return }
      }
      pieces.finish()
    } catch {
      pieces.finish(throwing: error)
    }
  }
}
