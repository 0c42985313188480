import Foundation
import RecognitionProtocol

/// A running recognition of a recording or a stream.
package protocol Recognition: AnyObject, Sendable {
  /// Begins. Events come from then on, until `RecognitionEvent.ended`.
  func start()
  /// Takes no more audio. The audio so far is still recognized. A recording is always read to its end.
  func finish()
  /// Stops at once. No event comes after the call but those that are on their way.
  func cancel()
}

/// A recognition as an analyzer uses it: samples have positions, and results can be forced. Every call
/// returns at once. Calls take effect in their order.
package protocol AnalysisRecognizer: Recognition {
  /// Takes more audio: 16 kHz, mono.
  func append(_ samples: [Int16])
  /// Ends the open utterance, and reports `RecognitionEvent.flushed` when everything so far has its result.
  /// - Parameter isLast: no more audio comes, and the last samples are not kept for what follows.
  func flush(_ token: Int, isLast: Bool)
  /// Goes on with audio whose first sample is at `position`.
  func skip(to position: Int)
  /// Gives up whole utterances that end before `position`.
  func drop(before position: Int)
  /// Decodes audio that is not yet cut into utterances with another configuration of the same language and
  /// mode.
  func reconfigure(_ wanted: ServiceConfiguration)
}

/// What happens while audio is recognized. Events come one at a time and in order.
package enum RecognitionEvent: Sendable {
  /// The first speech was found.
  case speechDetected
  /// The words so far of the utterance that is being spoken. They replace those before.
  case hypothesis([RecognizedWord])
  /// An utterance is final. Utterances come in the order of the audio and never change.
  case utterance(RecognizedUtterance)
  /// An utterance could not be recognized.
  case failure(samples: Range<Int>, reason: String)
  /// So many seconds of audio are decoded; results may wait for what follows.
  case decoded(TimeInterval)
  /// So many seconds of audio are done.
  case processed(TimeInterval)
  /// Everything before the flush with this token has its result.
  case flushed(Int)
  /// No more audio is taken. Results may still come.
  case audioEnded
  /// The last event, with the error that ended the recognition early.
  case ended((any Error)?)
}
