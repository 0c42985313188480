import Foundation
import RecognitionProtocol

/// Recognizes a recording: a thread of its own reads it, no further ahead than the recognition needs.
package final class RecordingRecognition: Recognition {
  private let open: @Sendable () throws -> () throws -> [Int16]?
  private let utterances: UtteranceRecognition

  /// - Parameter open: opens the recording and returns what reads it: each call returns the next samples, 16 kHz, mono, and
  ///   nil at the end.
  package init(
    _ open: @escaping @Sendable () throws -> () throws -> [Int16]?, configuration: ServiceConfiguration,
    pool: SpeechServicePool = .shared,
    emit: @escaping @Sendable (RecognitionEvent) -> Void
  ) {
    self.open = open
    utterances = UtteranceRecognition(configuration: configuration, pool: pool, emit: emit)
  }

  package func start() {
    utterances.start()
    let thread = Thread { self.read() }
    thread.stackSize = 2 << 20
    thread.start()
  }

  /// No effect: the file is taken whole from the start.
  package func finish() {}

  package func cancel() { utterances.cancel() }

  /// The services that decode right now.
  var services: [SpeechServiceProcess] { utterances.services }

  private func read() {
    do {
      let next = try open()
      while let samples = try next() {
        utterances.append(samples)
        guard utterances.waitForRoom() else { return }
      }
      utterances.finish()
    } catch {
      utterances.finish(throwing: error)
    }
  }
}
