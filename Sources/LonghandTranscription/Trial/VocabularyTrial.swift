#if os(Linux)
  import Foundation
  import LonghandTranscripts
  import LonghandVocabulary
  import Speech

  /// How well a recognizer finds the terms of a vocabulary: voices of a speech synthesizer say each of them in sentences.
  ///
  /// A voice says a word as its spelling or its pronunciation in the vocabulary says. So a term that people say in another way
  /// is found more seldom than here.
  package struct VocabularyTrial: Sendable {
    private let terms: [SpokenTerm]
    private let hasPronunciations: Bool
    private let transcriber: FileTranscriber
    private let voices: [FliteVoice]

    /// - Parameters:
    ///   - options: how the sentences are transcribed, with the vocabulary or without it.
    ///   - voices: who says the terms, `FliteVoice.all()`.
    package init(of vocabulary: Vocabulary, _ options: TranscriptionOptions, voices: [FliteVoice]) {
      terms = vocabulary.terms.map { SpokenTerm($0, of: vocabulary) }
      hasPronunciations = SpeechModel.hasDictionary(for: Locale(identifier: vocabulary.locale))
      transcriber = FileTranscriber(options: options)
      self.voices = voices
    }

    /// Lets all voices say a term, and transcribes it.
    /// - Parameters:
    ///   - index: the number of the term, from 0.
    ///   - folder: where the audio is while it is needed.
    ///   - progress: called with the progress.
    /// - Throws: `FliteVoice.Problem`, `TranscriptionError`, `CancellationError`.
    package func outcome(
      of index: Int, in folder: URL, progress: (FileTranscriber.Progress) -> Void = { _ in }
    ) async throws -> SpokenTermOutcome {
      let term = terms[index]
      var heard: [String] = []
      for (number, voice) in voices.enumerated() {
        let sentence = term.sentence(ofVoice: number)
        let file = folder.appendingPathComponent("\(index)-\(voice.name).wav")
        defer { try? FileManager.default.removeItem(at: file) }
        try await voice.say(sentence, to: file)
        let transcript = try await transcriber.transcribe(file) {
          progress($0.inStep(number, of: voices.count))
        }
        if let other = sentence.other(in: transcript.text) { heard.append(other) }
      }
      return SpokenTermOutcome(
        term: term.text, voices: voices.count, found: voices.count - heard.count, heard: Self.ranked(heard),
        remedy: heard.isEmpty ? nil : remedy(for: term, heard))
    }

    /// Different texts, the most frequent first.
    private static func ranked(_ texts: [String]) -> [String] {
      let counts = Dictionary(texts.map { ($0, 1) }, uniquingKeysWith: +)
      return counts.keys.filter { !$0.isEmpty }.sorted { (counts[$1] ?? 0, $0) < (counts[$0] ?? 0, $1) }
    }

    private func remedy(for term: SpokenTerm, _ heard: [String]) -> String {
      let written = Self.ranked(heard).first.map { "write '\($0)' as what it replaces, for the second text" }
      guard term.isWord, hasPronunciations, !term.hasPronunciation else {
        return written ?? "add a phrase with it"
      }
      return "add how it sounds, in X-SAMPA" + (written.map { "; or \($0)" } ?? "")
    }
  }

  extension SpokenTerm.Sentence {
    /// What a transcript has in place of the term; nil if it has the term.
    func other(in text: String) -> String? {
      let words = TextComparison.spoken.words(in: self.text)
      let found = TextComparison.spoken.words(TextComparison.spoken.words(in: text), against: words)
      guard
        TermScore(phrases: [TextComparison.spoken.words(in: term)], reference: words, hypothesis: found)
          .correct == 0
      else { return nil }
      // What is the same before the term and after it is not of it. It is shown as it is written.
      let (said, written) = (
        TextComparison.exact.words(in: self.text), TextComparison.exact.words(in: text)
      )
      let start = zip(said, written).prefix { $0 == $1 }.count
      let end = zip(said.dropFirst(start).reversed(), written.dropFirst(start).reversed())
        .prefix { $0 == $1 }.count
      return written[start..<written.count - end].joined(separator: " ")
    }
  }
#endif
