@testable import RecognitionCore
import Foundation
import Testing

@testable import Speech

@Suite("Preparing a custom language model") struct LanguageModelPreparationTests {
  private let folder: URL
  private var asset: URL { folder.appendingPathComponent("chess.bin") }
  private var model: URL { folder.appendingPathComponent("model") }
  private var vocabulary: URL { folder.appendingPathComponent("vocabulary") }
  private var configuration: SFSpeechLanguageModel.Configuration {
    .init(languageModel: model, vocabulary: vocabulary)
  }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("preparation-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func isNew(_ file: URL, since date: Date) throws -> Bool {
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    return try #require(attributes[.modificationDate] as? Date) > date
  }

  /// Makes the files look old.
  private func age() throws -> Date {
    let old = Date(timeIntervalSinceNow: -1000)
    for file in [model, vocabulary] {
      try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: file.path)
    }
    return old + 1
  }

  private func problem(_ work: () async throws -> Void) async -> String {
    do {
      try await work()
      return ""
    } catch let error as SFSpeechError {
      #expect(error.code == .malformedSupplementalModel)
      return error.localizedDescription
    } catch { return "\(error)" }
  }

  @Test func filesArePreparedOnce() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await ChessData.data().export(to: asset)
    try await SFSpeechLanguageModel.prepareCustomLanguageModel(for: asset, configuration: configuration)
    let arpa = try String(contentsOf: model, encoding: .utf8).split(separator: "\n").map(String.init)
    // The names in their spelling; the first words of phrases are no names.
    #expect(arpa[1..<4] == ["# Spelling: Albin", "# Spelling: Tartakower", "# Spelling: Winawer"])
    #expect(arpa[4] == "\\data\\")
    #expect(arpa.last == "\\end\\")
    // The pieces, the ranks, and the words of the openings, with the three that are no words.
    #expect(arpa[5] == "ngram 1=\(3 + 6 + 8 + 1 + 8)")
    let words = try String(contentsOf: vocabulary, encoding: .utf8).split(separator: "\n").dropFirst()
    #expect(Array(words) == ["winawer W IH N AW ER", "tartakower T AA R T AH K AW ER"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 3)

    let before = try age()
    try await SFSpeechLanguageModel.prepareCustomLanguageModel(for: asset, configuration: configuration)
    #expect(try !isNew(model, since: before))
    #expect(try !isNew(vocabulary, since: before))
    try await SFSpeechLanguageModel.prepareCustomLanguageModel(
      for: asset, configuration: configuration, ignoresCache: true)
    #expect(try isNew(model, since: before))
    #expect(try isNew(vocabulary, since: before))

    _ = try age()
    try FileManager.default.removeItem(at: vocabulary)
    try await SFSpeechLanguageModel.prepareCustomLanguageModel(for: asset, configuration: configuration)
    #expect(try isNew(model, since: before))
    #expect(try isNew(vocabulary, since: before))
    _ = try age()
    try await ChessData.data(version: "2").export(to: asset)
    try await SFSpeechLanguageModel.prepareCustomLanguageModel(for: asset, configuration: configuration)
    #expect(try isNew(model, since: before))
  }

  @available(*, deprecated, message: "Tests what is deprecated.")
  @Test func filesOfAnotherClientArePreparedAgain() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await ChessData.data().export(to: asset)
    for (client, isNew) in [("a", true), ("a", false), ("b", true)] {
      let before = isNew ? Date.distantPast : try age()
      try await SFSpeechLanguageModel.prepareCustomLanguageModel(
        for: asset, clientIdentifier: client, configuration: configuration)
      #expect(try self.isNew(model, since: before) == isNew)
    }
  }

  @Test func modelMayReplaceItsData() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await ChessData.data().export(to: asset)
    let configuration = SFSpeechLanguageModel.Configuration(languageModel: asset)
    for _ in 0..<2 {
      try await SFSpeechLanguageModel.prepareCustomLanguageModel(for: asset, configuration: configuration)
      #expect(try configuration.attachment(locale: "en-US").model == asset.path)
    }
  }

  @Test func completionHandlerReceivesTheOutcome() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await ChessData.data().export(to: asset)
    let (asset, configuration) = (asset, configuration)
    for place in [asset, folder.appendingPathComponent("missing")] {
      let error = await withCheckedContinuation { continuation in
        SFSpeechLanguageModel.prepareCustomLanguageModel(for: place, configuration: configuration) { error in
          continuation.resume(returning: error)
        }
      }
      #expect((error == nil) == (place == asset))
    }
  }

  @Test func invalidDataIsNamedAndKeepsTheOldFiles() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await ChessData.data().export(to: asset)
    try await SFSpeechLanguageModel.prepareCustomLanguageModel(for: asset, configuration: configuration)
    let good = try Data(contentsOf: model)
    for (locale, phonemes, grapheme, words) in [
      ("en_US", "w I xx n", "Winawer", "phoneme 3, \"xx\""),
      ("en_US", "w I n", "two words", "\"two words\" has a pronunciation, but is not one word"),
      ("tlh", "", "Winawer", "language tlh"),
    ] {
      let data = SFCustomLanguageModelData(
        locale: Locale(identifier: locale), identifier: "bad", version: "1")
      if phonemes.isEmpty {
        data.insert(phraseCount: .init(phrase: grapheme, count: 1))
      } else {
        data.insert(term: .init(grapheme: grapheme, phonemes: [phonemes]))
      }
      try await data.export(to: asset)
      let text = await problem {
        try await SFSpeechLanguageModel.prepareCustomLanguageModel(for: asset, configuration: configuration)
      }
      #expect(text.contains(words))
    }
    try Data("nonsense".utf8).write(to: asset)
    let text = await problem {
      try await SFSpeechLanguageModel.prepareCustomLanguageModel(for: asset, configuration: configuration)
    }
    #expect(text.contains("chess.bin"))
    #expect(try Data(contentsOf: model) == good)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 3)
  }

  /// Whisper's search gets the phrases; there is no dictionary that could have pronunciations, so they are refused.
  @Test(.enabled(if: SpeechLocales.supported(equivalentTo: Locale(identifier: "es-ES")) != nil))
  func languageWithoutDictionaryGivesItsPhrasesAndRefusesPronunciations() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let data = SFCustomLanguageModelData(
      locale: Locale(identifier: "es_ES"), identifier: "ajedrez", version: "1")
    data.insert(phraseCount: .init(phrase: "la apertura 4", count: 3))
    data.insert(phraseCount: .init(phrase: "Zugzwang", count: 1))
    try await data.export(to: asset)
    try await SFSpeechLanguageModel.prepareCustomLanguageModel(for: asset, configuration: configuration)
    let arpa = try String(contentsOf: model, encoding: .utf8)
    let words = arpa.split(separator: "\n").compactMap { line in
      let parts = line.split(whereSeparator: \.isWhitespace)
      return parts.count == 3 && !parts[1].hasPrefix("<") ? String(parts[1]) : nil
    }
    #expect(Set(words).isSuperset(of: ["la", "apertura", "4", "zugzwang"]))
    let attachment = try configuration.attachment(locale: "es-ES")
    #expect(attachment.model == model.path)
    #expect(attachment.wordCount > 3)
    #expect(arpa.contains("ngram 1=\(attachment.wordCount)\n"))
    // The data can carry them, for Apple's platforms.
    data.insert(term: .init(grapheme: "Zugzwang", phonemes: ["s u g"]))
    try await data.export(to: asset)
    let error = await #expect(throws: SFSpeechError.self) {
      try await SFSpeechLanguageModel.prepareCustomLanguageModel(for: asset, configuration: configuration)
    }
    #expect(error?.code == .malformedSupplementalModel)
    let sentence = error?.localizedDescription ?? ""
    #expect(sentence.contains("no pronunciation dictionary for es-ES"))
    #expect(sentence.contains("\"Zugzwang\"") && sentence.contains("Leave out the pronunciations"))
    // What was prepared before stays.
    #expect(try String(contentsOf: model, encoding: .utf8) == arpa)
  }

  @Test func cancelledPreparationLeavesNothing() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await ChessData.data().export(to: asset)
    let (asset, configuration) = (asset, configuration)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await SFSpeechLanguageModel.prepareCustomLanguageModel(for: asset, configuration: configuration)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["chess.bin"])
  }

  @Test func unsuitableModelIsRefused() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await ChessData.data().export(to: asset)
    try await SFSpeechLanguageModel.prepareCustomLanguageModel(for: asset, configuration: configuration)
    #expect(try configuration.attachment(locale: "en-US").weight == nil)
    let half = SFSpeechLanguageModel.Configuration(languageModel: model, vocabulary: vocabulary, weight: 0.5)
    #expect(try half.attachment(locale: "en-US").weight == 0.5)
    #expect(await problem { _ = try configuration.attachment(locale: "de-DE") }.contains("en-US"))
    // A list of names is for all languages, but pronunciations are not.
    let list = configuration
    list.isForAllLanguages = true
    #expect(try list.attachment(locale: "de-DE").model == model.path)
    #expect(try list.attachment(locale: "de-DE").vocabulary == nil)
    #expect(try list.attachment(locale: "en-US").vocabulary == vocabulary.path)
    let heavy = SFSpeechLanguageModel.Configuration(languageModel: model, vocabulary: vocabulary, weight: 1.5)
    #expect(await problem { _ = try heavy.attachment(locale: "en-US") }.contains("1.5"))
    let foreign = SFSpeechLanguageModel.Configuration(languageModel: asset)
    #expect(
      await problem { _ = try foreign.attachment(locale: "en-US") }.contains("not a prepared language model"))
    let other = SFSpeechLanguageModel.Configuration(languageModel: model, vocabulary: asset)
    #expect(await problem { _ = try other.attachment(locale: "en-US") }.contains("not the vocabulary"))
    let whole = try Data(contentsOf: model)
    try whole.prefix(whole.count - 3).write(to: model)
    #expect(await problem { _ = try configuration.attachment(locale: "en-US") }.contains("is incomplete"))
  }
}
