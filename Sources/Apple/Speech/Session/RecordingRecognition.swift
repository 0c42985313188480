import AVFAudio
import RecognitionProtocol

/// Recognizes a sound file: a thread of its own reads it, no further ahead than the recognition needs.
final class RecordingRecognition: Recognition {
  private let url: URL
  private let utterances: UtteranceRecognition

  init(
    url: URL, configuration: ServiceConfiguration, pool: SpeechServicePool = .shared,
    emit: @escaping @Sendable (RecognitionEvent) -> Void
  ) {
    self.url = url
    utterances = UtteranceRecognition(configuration: configuration, pool: pool, emit: emit)
  }

  func start() {
    utterances.start()
    let thread = Thread { self.read() }
    thread.stackSize = 2 << 20
    thread.start()
  }

  /// No effect: the file is taken whole from the start.
  func finish() {}

  func cancel() { utterances.cancel() }

  /// The services that decode right now.
  var services: [SpeechServiceProcess] { utterances.services }

  private func read() {
    do {
      var reader = try AudioFileReader(url: url)
      while let samples = try reader.next() {
        utterances.append(samples)
        guard utterances.waitForRoom() else { return }
      }
      utterances.finish()
    } catch {
      utterances.finish(throwing: error)
    }
  }
}
