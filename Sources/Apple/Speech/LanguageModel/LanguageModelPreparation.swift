import RecognitionCore
import FileSupport
import Foundation
import LanguageModeling
import RecognitionProtocol

/// Prepares a language model and a vocabulary from custom language model data.
struct LanguageModelPreparation: Sendable {
  private let asset: URL
  private let configuration: SFSpeechLanguageModel.Configuration
  private let client: String
  private let ignoresCache: Bool

  init(
    _ asset: URL, _ configuration: SFSpeechLanguageModel.Configuration, client: String = "",
    ignoresCache: Bool = false
  ) {
    self.asset = asset
    self.configuration = configuration
    self.client = client
    self.ignoresCache = ignoresCache
  }

  func run(_ completion: @escaping @Sendable ((any Error)?) -> Void) {
    DispatchQueue.global().async {
      do {
        try run()
        completion(nil)
      } catch {
        completion(error)
      }
    }
  }

  /// - Throws: `SFSpeechError.malformedSupplementalModel`, `CocoaError`, `CancellationError`.
  func run() throws {
    let locale = try prepare()
    // A problem, such as an invalid weight, is reported when the model is used.
    guard let model = try? configuration.attachment(locale: locale) else { return }
    SpeechServicePool.shared.warm(.init(locale: locale, model: .pocketSphinx, languageModel: model))
  }

  /// Writes the files unless they are up to date.
  /// - Returns: the language (BCP 47) of the model.
  private func prepare() throws -> String {
    let isInPlace = asset.standardizedFileURL == configuration.languageModel.standardizedFileURL
    // The data was prepared before if its own model has replaced it.
    if isInPlace, let model = try? PreparedLanguageModel(at: asset) { return model.header.locale }
    let digest = try digest()
    if !ignoresCache, let locale = preparedLocale(digest) { return locale }

    let asset = LanguageModelAsset(url: asset)
    let locale = Locale(identifier: try asset.read(nil).information.locale)
    guard let language = SpeechLocales.supported(equivalentTo: locale)?.identifier(.bcp47) else {
      throw SFSpeechError.malformedData(
        "\(self.asset.path) is for the language \(locale.identifier), which has no recognizer.")
    }
    let hasDictionary = SpeechLocales.hasDictionary(for: locale)
    var counts = NGramCounts()
    var spelling = DomainSpelling()
    func add(_ phrase: String, _ count: Int) throws {
      do {
        // Other languages say their numbers in words of their own.
        try counts.add(SpokenWords.words(of: phrase, spellsNumbers: hasDictionary), count: count)
      } catch {
        throw SFSpeechError.malformedData(
          "\(self.asset.path) has more than \(NGramCounts.maxWords) distinct words. Remove phrases.")
      }
    }
    let contents = try asset.read { phrase, count in
      spelling.add(phrase: phrase)
      try add(phrase, count)
    }
    for term in contents.pronunciations { spelling.add(term.grapheme) }
    let header = PreparedLanguageModel.Header(digest: digest, locale: language)
    if let term = contents.pronunciations.first, !hasDictionary {
      throw SFSpeechError.malformedData(
        "\(self.asset.path): \"\(term.grapheme)\" has a pronunciation, but there is no pronunciation dictionary for "
          + "\(locale.identifier(.bcp47)), only one for American English. Leave out the pronunciations and add the words as "
          + "phrases; the recognizer expects them by their spelling.")
    }
    let vocabulary = try vocabulary(contents.pronunciations)
    try Task.checkCancellation()
    if let file = configuration.vocabulary {
      try write(to: file) { try $0.write(Data("\(header.line)\n\(vocabulary)".utf8)) }
    }
    // The model comes last: if it exists, the preparation is complete.
    try write(to: configuration.languageModel) { file in
      try NGramModel(counts).writeARPA(
        header: header.line + "\n" + spelling.lines, shareAfterUnknown: NGramModel.standardShareAfterUnknown
      ) { part in
        try Task.checkCancellation()
        try file.write(part)
      }
    }
    return language
  }

  private func write(to url: URL, _ body: (AtomicFile) throws -> Void) throws {
    do {
      let file = try AtomicFile(url.path)
      try body(file)
      try file.publish()
    } catch let failure as AtomicFile.Failure {
      throw failure.cocoaError(path: url.path)
    }
  }

  /// Identifies the preparation: a digest of the data, the client and the format's version.
  private func digest() throws -> String {
    do {
      let data = try SHA256.hash(contentsOf: asset).hexadecimal
      return SHA256.hash(data: Data("\(PreparedLanguageModel.Header.version)\n\(client)\n\(data)".utf8))
        .hexadecimal
    } catch let error as CocoaError {
      throw SFSpeechError(
        .malformedSupplementalModel,
        userInfo: [
          NSLocalizedDescriptionKey: "\(asset.path) cannot be read: \(error.localizedDescription)",
          NSUnderlyingErrorKey: error,
        ])
    }
  }

  /// The language (BCP 47) of the files if they were prepared from the same data; otherwise nil.
  private func preparedLocale(_ digest: String) -> String? {
    guard let header = try? PreparedLanguageModel(at: configuration.languageModel).header,
      header.digest == digest
    else { return nil }
    guard let vocabulary = configuration.vocabulary else { return header.locale }
    return PreparedLanguageModel.header(of: vocabulary)?.digest == digest ? header.locale : nil
  }

  /// Lines with a word and its phones. Further pronunciations of a word are numbered from 2.
  private func vocabulary(_ terms: [SFCustomLanguageModelData.CustomPronunciation]) throws -> String {
    var counts: [String: Int] = [:]
    var text = ""
    for term in terms {
      let words = SpokenWords.words(of: term.grapheme)
      guard words.count == 1 else {
        throw SFSpeechError.malformedData(
          "\(asset.path): \"\(term.grapheme)\" has a pronunciation, but is not one word.")
      }
      for pronunciation in term.phonemes {
        let (phones, unknown) = PhonemeMap.phones(of: pronunciation)
        if let (symbol, position) = unknown.first {
          throw SFSpeechError.malformedData(
            "\(asset.path): in the pronunciation \"\(pronunciation)\" of \"\(term.grapheme)\", phoneme \(position), "
              + "\"\(symbol)\", is not supported. SFCustomLanguageModelData.supportedPhonemes(locale:) lists those that are."
          )
        }
        guard !phones.isEmpty else { continue }
        counts[words[0], default: 0] += 1
        let number = counts[words[0]].map { $0 > 1 ? "(\($0))" : "" } ?? ""
        text += "\(words[0])\(number) \(phones.joined(separator: " "))\n"
      }
    }
    return text
  }
}
