import Foundation

/// A word that was recognized, on the clock of the audio.
struct RecognizedWord: Sendable, Equatable {
  var text: String
  /// Seconds from the start of the audio.
  var start: TimeInterval
  /// Seconds from the start of the audio.
  var end: TimeInterval
  /// 0 to 1; 0 in a hypothesis that may still change.
  var confidence: Double
}

/// One reading of an utterance.
struct RecognizedCandidate: Sendable, Equatable {
  var words: [RecognizedWord]
  /// 0 to 1.
  var confidence: Double
}

/// An utterance and what was heard in it.
struct RecognizedUtterance: Sendable {
  var audio: UtteranceAudio
  /// The best first; empty if no word was heard.
  var candidates: [RecognizedCandidate]
}

/// What happens while audio is recognized. Events come one at a time and in order.
enum RecognitionEvent: Sendable {
  /// Speech was heard for the first time.
  case speechDetected
  /// What has been heard of the utterance that is being spoken; replaces the one before.
  case hypothesis([RecognizedWord])
  /// An utterance is final. Utterances come in the order of the audio and never change.
  case utterance(RecognizedUtterance)
  /// An utterance could not be recognized, for this reason.
  case failure(samples: Range<Int>, reason: String)
  /// So many seconds of audio are done.
  case processed(TimeInterval)
  /// Everything that had been taken when this token was given has its result.
  case flushed(Int)
  /// No more audio is taken; results still come.
  case audioEnded
  /// The last event; with the error that ended the recognition early.
  case ended((any Error)?)
}
