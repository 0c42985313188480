/// What a hostile recognizer does: answers that a recognizer must not give, and answers that do not come.
///
/// `scripted-speech-service` gives this answer to every utterance, if the environment variable `HostileAnswer.variable`
/// has its name.
package enum HostileAnswer: String, CaseIterable, Sendable {
  /// The environment variable with the name of the answer.
  package static let variable = "SPEECH_HOSTILE_ANSWER"

  // Words that cannot be.
  case backwardWord, unorderedWords, overlappingWords, infiniteTime, timeThatIsNoNumber, negativeTime,
    hugeTime
  case wordBeyondTheEnd, wordsInTheNextHour, manyWords, emptyWord, blankWord, twoWordsInOne,
    controlCharacters, nulCharacter
  case lineSeparator, reversedText, longWord, negativeConfidence, confidenceOverOne, infiniteConfidence
  case manyPossibleWords, thousandHypotheses, noHypotheses, hypothesisWithoutWords
  // Bytes that are no message.
  case wrongTypes, missingFields, notJSON, deepJSON, invalidUTF8, garbage, zeroLength, hugeLength,
    lengthTooShort, lengthTooLong
  case unknownKind, requestAsReply, largePayload
  // Messages that do not come, or not to their end.
  case stallInHeader, stallInPayload, drip, silence, silenceAtStart, readsNothing, endlessPartials
  // Messages at the wrong time.
  case answerBeforeQuestion, twoAnswers, answerToAnotherUtterance
  // Ends.
  case crashAtStart, exitAtStart, exitInMessage, exitSilently, crash
  // Reasons.
  case controlCharactersInReason, unavailable, refused
  // It does not say whether it has a model.
  case silenceAboutModel
  // Another way to a terminal.
  case controlCharactersInErrors
}
