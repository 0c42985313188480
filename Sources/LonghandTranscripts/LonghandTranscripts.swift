// What a transcript is: segments, words, candidates and speakers, text in sentences, and every format. It stands on nothing
// that records, recognizes or stores, so that all others can speak of transcripts.
