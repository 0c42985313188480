// The words that a user expects: vocabularies, the second text with their names, and the scores of a known text. It is apart
// because only preparing a vocabulary for the recognizer needs Speech.
