import RecognitionProtocol

/// A recognizer with its model, which a `ServiceLoop` serves to a client. It is used from one thread.
package protocol ServiceRecognizer: AnyObject {
  /// What goes wrong, for the client: a sentence on one line.
  associatedtype Failure: Error, CustomStringConvertible

  /// Loads the model.
  init(configuration: ServiceConfiguration) throws(Failure)

  /// The recognizer and its model.
  var description: ServiceReply.Description { get }

  /// Whether the process must end after its answer, because it has too much memory.
  var isExhausted: Bool { get }

  /// Changes the configuration. Returns false if that needs another process; the configuration stays as it is.
  func reconfigure(_ wanted: ServiceConfiguration) throws(Failure) -> Bool

  /// Starts an utterance. One that has not been finished is forgotten.
  func begin()

  /// Processes more audio of the utterance. Returns a partial result when a new one is due.
  func append(_ samples: [Int16]) -> ServiceHypothesis?

  /// The utterance may end here: prepares its hypotheses, if that takes long.
  func pause()

  /// Ends the utterance and returns its hypotheses, the best first; empty if there was no word.
  func finish() throws(Failure) -> [ServiceHypothesis]

  /// Ends the utterance, and looks for words of the domain that may replace some that another recognizer wrote for it.
  /// Returns all words with those of the domain in their place, with the source `domain`, if there are any, and then
  /// those with a word of the domain about which the other recognizer is to be asked.
  func terms(in words: [ServiceHypothesis.Word]) throws(Failure) -> [ServiceHypothesis]

  /// Ends the utterance and aligns texts with it, each a list of words. Returns as many hypotheses, with a score, and
  /// without words where a text cannot be aligned.
  func align(_ texts: [[String]]) throws(Failure) -> [ServiceHypothesis]

  /// Forgets the utterance.
  func abandon()
}

extension ServiceRecognizer {
  /// Most recognizers need no limit.
  package var isExhausted: Bool { false }

  /// Most recognizers decode audio as it comes.
  package func pause() {}

  /// Most recognizers know no sounds.
  package func terms(in words: [ServiceHypothesis.Word]) throws(Failure) -> [ServiceHypothesis] {
    abandon()
    return []
  }

  /// Most recognizers align nothing.
  package func align(_ texts: [[String]]) throws(Failure) -> [ServiceHypothesis] {
    abandon()
    return texts.map { _ in ServiceHypothesis(words: [], confidence: nil) }
  }
}
