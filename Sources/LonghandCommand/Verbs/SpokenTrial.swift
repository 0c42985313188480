import Foundation
import Longhand

/// `longhand vocabulary check --speak`: the terms of a vocabulary are said by voices, and transcribed.
struct SpokenTrial {
  #if os(Linux)
    private let vocabulary: Vocabulary
    private let jobs: JobCount
    private let progress: ProgressMeter.Style
    private let console: Console
    private let voices: [FliteVoice]
    private let model: LanguageModelFolder

    /// - Returns: nil if nothing can be said, which is noted on the console.
    init?(
      of vocabulary: Vocabulary, _ reference: VocabularyReference, _ jobs: JobCount,
      _ progress: ProgressMeter.Style, _ console: Console
    ) async throws {
      guard vocabulary.locale.hasPrefix("en"), !vocabulary.terms.isEmpty else {
        console.note("--speak says terms in English, and the vocabulary has none.")
        return nil
      }
      do {
        voices = try FliteVoice.all()
      } catch {
        console.note(
          "--speak needs the program flite, which was not found. Install it, for example with 'sudo apt install flite'."
        )
        return nil
      }
      (self.vocabulary, self.jobs, self.progress, self.console) = (vocabulary, jobs, progress, console)
      model = try await DomainOption.vocabulary(reference, weight: nil).languageModel()
    }

    /// What became of all terms.
    func reports() async throws -> [SpokenTermOutcome] { try await reports { _ in } }

    /// Prints what became of each term as soon as it is known, and then which of them are found without the vocabulary.
    func print() async throws {
      try console.output.write("\nSpoken by \(voices.count) voices:\n")
      let reports = try await reports { outcome in
        var line = "\(outcome.term): found in \(outcome.found) of \(outcome.voices)"
        if !outcome.heard.isEmpty {
          line += ", otherwise " + outcome.heard.map { "\"\($0)\"" }.joined(separator: ", ")
        }
        if let remedy = outcome.remedy { line += "; \(remedy)" }
        try console.errors.around { try console.output.write(line.escapingControls + "\n") }
      }
      let most = reports.count { $0.found * 2 > $0.voices }
      try console.output.write("Found in most voices: \(most) of \(reports.count) terms.\n")
      let known = reports.filter { $0.foundWithout == $0.voices }.map(\.term)
      if !known.isEmpty {
        let names = known.joined(separator: ", ").escapingControls
        try console.output.write("Found in all voices without the vocabulary, too: \(names).\n")
      }
    }

    private func reports(
      _ receive: (SpokenTermOutcome) throws -> Void
    ) async throws -> [SpokenTermOutcome] {
      jobs.setServiceCount()
      var options = TranscriptionOptions.checking(vocabulary)
      // The voices speak English, whether the file names it or not.
      options.locale = Locale(identifier: vocabulary.locale)
      options.languageModel = model
      var outcomes = try await outcomes(Array(vocabulary.terms.indices), options, receive)
      // A term that needs the vocabulary is not found without it.
      let found = outcomes.indices.filter { outcomes[$0].found == outcomes[$0].voices }
      options.languageModel = nil
      for (index, without) in zip(found, try await self.outcomes(found, options) { _ in }) {
        outcomes[index].foundWithout = without.found
      }
      return outcomes
    }

    /// What becomes of some terms, in their order.
    private func outcomes(
      _ terms: [Int], _ options: TranscriptionOptions, _ receive: (SpokenTermOutcome) throws -> Void
    ) async throws -> [SpokenTermOutcome] {
      guard !terms.isEmpty else { return [] }
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("longhand-voices-\(UUID().uuidString)")
      TemporaryFiles.add(folder.path)
      defer { TemporaryFiles.remove(folder.path) }
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let trial = VocabularyTrial(of: vocabulary, options, voices: voices)
      let meter = ProgressMeter(
        names: terms.map { vocabulary.terms[$0].text }, style: progress, errors: console.errors)
      defer { meter.clear() }
      var outcomes: [SpokenTermOutcome] = []
      try await BoundedWork.run(
        Array(terms.indices), atOnce: jobs.count,
        work: { number in
          defer { meter.finish(number) }
          meter.begin(number)
          return try await trial.outcome(of: terms[number], in: folder) {
            meter.update(number, processed: $0.processed, duration: $0.duration)
          }
        },
        receive: { outcome in
          outcomes.append(outcome)
          try receive(outcome)
        })
      return outcomes
    }
  #else
    init?(
      of vocabulary: Vocabulary, _ reference: VocabularyReference, _ jobs: JobCount,
      _ progress: ProgressMeter.Style, _ console: Console
    ) async throws {
      console.note("--speak needs the program flite, which Longhand uses on Linux only.")
      return nil
    }

    func reports() async throws -> [SpokenTermOutcome] { [] }
    func print() async throws {}
  #endif
}

extension TranscriptionOptions {
  /// How a vocabulary is tried: with the model that the environment names, else with the best one, in the vocabulary's language.
  static func checking(_ vocabulary: Vocabulary) -> TranscriptionOptions {
    var options = TranscriptionOptions()
    if let name = ProcessInfo.processInfo.environment["LONGHAND_MODEL"], !name.isEmpty {
      options.model = .named(name)
    }
    // A file that names no language is in American English by its form, but may be a list of words of any language.
    let isNamed = vocabulary.locale != Vocabulary(name: "").locale
    options.locale = isNamed ? Locale(identifier: vocabulary.locale) : unnamedLanguage(options.model)
    return options
  }
}
