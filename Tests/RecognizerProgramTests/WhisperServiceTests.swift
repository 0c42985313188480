import Foundation
import RecognitionProtocol
import TestSupport
import Testing

/// The weights that `make setup` installs.
enum WhisperWeights {
  static let share = (ProcessInfo.processInfo.environment["PREFIX"] ?? "/usr/local") + "/share"
  static let tiny = share + "/longhand/models/whisper-tiny-en"
  static let base = share + "/longhand/models/whisper-base"
  static let areInstalled = [tiny, base].allSatisfy { FileManager.default.fileExists(atPath: $0) }
}

/// The real process with real weights.
@Suite(.tagged(.childProcess), .serialized, .enabled(if: WhisperWeights.areInstalled))
struct WhisperServiceTests {
  private static let tiny = WhisperWeights.tiny
  private static let base = WhisperWeights.base

  private func service(
    _ folder: String = tiny, mode: ServiceConfiguration.Mode = .recording, locale: String = "en-US",
    detectsLanguage: Bool = false
  ) throws -> NeuralServiceProcess {
    let service = try NeuralServiceProcess(.whisper)
    let reply = try service.configure(folder, mode: mode, locale: locale, detectsLanguage: detectsLanguage)
    guard case .ready(let description) = reply else {
      throw NeuralServiceProcess.UnexpectedReply(reply: reply)
    }
    #expect(description.engine == "whisper")
    #expect(description.capabilities.isPunctuated)
    return service
  }

  /// "go forward ten meters", in 2.7 seconds.
  private func speech() throws -> [Int16] {
    let data = try Data(
      contentsOf: URL(fileURLWithPath: WhisperWeights.share + "/pocketsphinx/samples/goforward.raw"))
    return data.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
  }

  private func plain(_ words: [ServiceHypothesis.Word]) -> [String] {
    words.map { $0.text.lowercased().filter { $0.isLetter || $0.isNumber } }
  }

  @Test func wordsAreRecognizedWithTheirTimesAndConfidence() throws {
    let words = try #require(try service().hypotheses(speech()).first).words
    #expect(plain(words).starts(with: ["go", "forward"]))
    #expect(plain(words).last == "meters")
    // The speech begins at 0.5 s, as PocketSphinx aligns it, "forward" at 0.7 s, and "meters" ends at 2.1 s.
    #expect(abs(words[0].start - 0.5) < 0.2)
    #expect(abs(words[1].start - 0.7) < 0.2)
    #expect(try abs(#require(words.last).end - 2.1) < 0.3)
    #expect(words.allSatisfy { ($0.confidence ?? 0) > 0.1 })
    #expect(words.allSatisfy { $0.probability != nil })
    #expect(words.first?.text.first?.isUppercase == true)
  }

  @Test func alternativesDifferInWordsAndHaveTimes() throws {
    let speech = try speech()
    let found = try service().hypotheses(speech)
    #expect(found.count > 1)
    #expect(Set(found.map { plain($0.words) }).count == found.count)
    for hypothesis in found {
      let times = hypothesis.words.flatMap { [$0.start, $0.end] }
      #expect(times == times.sorted())
      #expect(times.allSatisfy { (0...Double(speech.count) / 16_000).contains($0) })
      #expect(hypothesis.words.allSatisfy { $0.confidence != nil })
    }
    // The first text does not depend on how many are wanted.
    let service = try NeuralServiceProcess(.whisper)
    _ = try service.configure(Self.tiny, alternatives: 1)
    #expect(try service.hypotheses(speech) == Array(found.prefix(1)))
  }

  /// Texts that the search did not find have scores, too; that of the first one is 0. With a witness, both networks are asked.
  @Test func aTextThatWasSaidIsLikelierThanOneThatWasNot() throws {
    let texts = ["Go forward ten meters.", "Go forward ten liters.", "Go forward then meters.", "♪"]
    func scores(_ folder: String, _ witness: String?, locale: String = "en-US") throws -> [Double?] {
      let service = try NeuralServiceProcess(.whisper)
      _ = try service.configure(folder, locale: locale, witness: witness)
      let request = ServiceRequest.align(texts.map { $0.split(separator: " ").map(String.init) })
      let reply = try service.hypotheses(speech(), request)
      #expect(reply.allSatisfy { $0.words.isEmpty })
      return reply.map(\.score)
    }
    let (base, both) = (try scores(Self.base, nil), try scores(Self.base, Self.tiny))
    for found in [base, both, try scores(Self.tiny, nil)] {
      #expect(found.count == texts.count && found[0] == 0)
      #expect(found.dropFirst().allSatisfy { $0.map { $0 < -1 } ?? false })
    }
    #expect(base != both)
    // The witness knows English only.
    let german = try scores(Self.base, Self.tiny, locale: "de-DE")
    #expect(german == [nil, nil, nil, nil])
  }

  /// Another network chooses among the texts: it brings none of its own, and takes none away.
  @Test(arguments: [
    "cards/002.wav", "cards/003.wav", "librivox/sense_and_sensibility_01_austen_64kb-0880.wav",
  ])
  func aWitnessElectsAmongTheTexts(_ name: String) throws {
    let data = try Data(
      contentsOf: URL(fileURLWithPath: "\(WhisperWeights.share)/pocketsphinx/samples/\(name)"))
    let speech = data.dropFirst(44).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    func hypotheses(_ witness: String?, phrases: [String] = []) throws -> [ServiceHypothesis] {
      let service = try NeuralServiceProcess(.whisper)
      _ = try service.configure(Self.base, phrases: phrases, witness: witness)
      return try service.hypotheses(speech)
    }
    let alone = try hypotheses(nil)
    let elected = try hypotheses(Self.tiny)
    let texts = alone.map { plain($0.words) }
    #expect(elected.count == alone.count && Set(elected.map { plain($0.words) }) == Set(texts))
    // The likeliest of those that were compared is the first.
    #expect(alone.allSatisfy { $0.share == nil })
    let shares = elected.compactMap(\.share)
    // In the third recording the first text is not in doubt.
    #expect(abs(shares.reduce(0, +) - (name.hasPrefix("cards") ? 1 : 0)) < 1e-6)
    #expect(elected.first?.share == shares.max())
    // A model works without a witness, too.
    #expect(try hypotheses("/nosuch").map { plain($0.words) } == texts)
    // The search that prefers phrases adds a text, and takes nothing of the election away.
    let tempted = try hypotheses(Self.tiny, phrases: [alone[1].text])
    #expect(tempted.first?.source == .biased)
    let others = elected.filter { $0.text != tempted.first?.text }.prefix(tempted.count - 1)
    #expect(tempted.dropFirst().map(\.text) == others.map(\.text))
    // More texts side by side round otherwise.
    func rounded(_ found: some Sequence<ServiceHypothesis>) -> [Double?] {
      found.map { $0.share.map { ($0 * 1e4).rounded() } }
    }
    #expect(rounded(tempted.dropFirst()) == rounded(others))
    // A phrase that was heard is not voted out: texts without it are not compared, and have no share.
    for phrase in texts[0] where !texts[1].contains(phrase) {
      let heard = try hypotheses(Self.tiny, phrases: [phrase])
      #expect(heard.first.map { plain($0.words).contains(phrase) } == true)
      #expect(heard.allSatisfy { $0.share == nil || plain($0.words).contains(phrase) }, "\(phrase)")
    }
  }

  /// What the witness says of words that are not sure changes how probable they are, but not the text.
  @Test func aWitnessIsAskedAboutWordsThatAreNotSure() throws {
    func words(_ witness: String?, locale: String = "en-US") throws -> [ServiceHypothesis.Word] {
      let service = try NeuralServiceProcess(.whisper)
      _ = try service.configure(Self.base, locale: locale, witness: witness)
      return try #require(try service.hypotheses(speech()).first).words
    }
    let (alone, both) = (try words(nil), try words(Self.tiny))
    #expect(both.map(\.text) == alone.map(\.text))
    #expect(both.map(\.confidence) == alone.map(\.confidence))
    #expect(alone.allSatisfy { $0.second == nil })
    #expect(both.contains { $0.second != nil })
    for word in both { #expect((word.second != nil) == ((word.confidence ?? 0) < 0.98)) }
    #expect(both.map(\.probability) != alone.map(\.probability))
    // The witness knows English only.
    let german = try words(Self.tiny, locale: "de-DE")
    #expect(german.allSatisfy { $0.second == nil })
    #expect(german.allSatisfy { $0.probability != nil && $0.probability != $0.confidence })
  }

  @Test func phraseComesFirstWithTheWordsInItsPlace() throws {
    let service = try NeuralServiceProcess(.whisper)
    let phrases = ["forward ten meters", "Winawer variation"]
    _ = try service.configure(Self.tiny, alternatives: 1, phrases: phrases)
    let found = try service.hypotheses(speech())
    #expect(found.map { plain($0.words)[2] } == ["ten", "10"])
    #expect(found.map(\.source) == [.biased, .best])
    #expect(found.first?.words.map(\.isOfDomain) == [false, true, true, true])
    let unbiased = try self.service().hypotheses(speech())
    // `probability` is not compared: it depends on the other texts too, and with phrases there are more of them.
    #expect(unbiased.first?.words.map(\.text) == found.last?.words.map(\.text))
    #expect(unbiased.first?.words.map(\.confidence) == found.last?.words.map(\.confidence))
    // What it adds is in no probability.
    let ten = try #require(unbiased.first { plain($0.words)[2] == "ten" })
    #expect(found.first?.words.map(\.confidence) == ten.words.map(\.confidence))
  }

  @Test func theSameUtteranceHasTheSameResultInEveryOrder() throws {
    let service = try service()
    let speech = try speech()
    let other = Array(speech.reversed())
    let first = try service.hypotheses(speech)
    let second = try service.hypotheses(other)
    #expect(try service.hypotheses(other) == second)
    #expect(try service.hypotheses(speech) == first)
    #expect(try self.service().hypotheses(speech) == first)
  }

  @Test func silenceAndNoiseHaveNoWords() throws {
    let service = try service()
    var state: UInt32 = 5
    let noise = (0..<5 * 16_000).map { _ -> Int16 in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int16(truncatingIfNeeded: Int(state >> 20) - 2048)
    }
    #expect(try service.hypotheses(noise).isEmpty)
    for length in [0, 100, 1600, 16_000, 30 * 16_000] {
      #expect(try service.hypotheses([Int16](repeating: 0, count: length)).isEmpty)
    }
    guard case .failed(let failure) = try service.decode([Int16](repeating: 0, count: 31 * 16_000)).last
    else {
      Issue.record("an utterance of 31 seconds is decoded")
      return
    }
    #expect(failure.reason.contains("30 seconds"))
  }

  @Test func partialsGrowWhileAudioComes() throws {
    let (partials, last) = try service(mode: .stream).decode(speech())
    guard case .final(let result) = last else {
      Issue.record("\(last)")
      return
    }
    #expect(!partials.isEmpty)
    #expect(partials.allSatisfy { $0.confidence == 0 })
    let words = try #require(result.hypotheses.first).words
    #expect(plain(words).starts(with: ["go", "forward"]))
  }

  @Test func languageIsDetectedWithItsProbability() throws {
    let service = try service(Self.base, locale: "de-DE", detectsLanguage: true)
    let found = try #require(try service.hypotheses(speech()).first)
    let language = try #require(found.language)
    #expect(language.code == "en")
    #expect((0.5...1).contains(language.probability))
    guard case .ready = try service.configure(Self.base, locale: "de-DE") else {
      Issue.record("the language is not changed")
      return
    }
    // What it sounds like is the same in whatever language it is written.
    let named = try #require(try service.hypotheses(speech()).first?.language)
    #expect(named.code == "en")
    #expect(abs(named.probability - language.probability) < 0.001)
  }

  /// Synthetic speech of espeak-ng: "Vamos a la playa con nuestros amigos."
  @Test(arguments: ["en-US", "es-MX"]) func spanishIsRecognized(_ locale: String) throws {
    let service = try service(Self.base, locale: locale, detectsLanguage: locale == "en-US")
    let file = ToyModel.models.appendingPathComponent("languages/spanish.raw")
    let samples = try Data(contentsOf: file).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    let found = try #require(try service.hypotheses(samples).first)
    #expect(plain(found.words).joined(separator: " ") == "vamos a la playa con nuestros amigos")
    #expect(found.language?.code == "es")
  }

  @Test func languageThatTheModelDoesNotKnowIsRefused() throws {
    for (folder, locale) in [(Self.tiny, "de-DE"), (Self.base, "tlh")] {
      let service = try NeuralServiceProcess(.whisper)
      guard case .unavailable(let reason) = try service.configure(folder, locale: locale) else {
        Issue.record("\(locale) is accepted")
        return
      }
      #expect(reason.contains(locale == "tlh" ? "tlh" : "English only"))
    }
  }

  @Test func damagedFoldersAreUnavailableAndTheProcessLives() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("whisper-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("ggml-tiny.en.bin")
    let service = try NeuralServiceProcess(.whisper)
    for size in [nil, 0, 50, 4000, 600_000, 70_000_000] {
      if let size {
        let whole = try FileHandle(forReadingFrom: URL(fileURLWithPath: Self.tiny + "/ggml-tiny.en.bin"))
        try (whole.read(upToCount: size) ?? Data()).write(to: file)
      }
      guard case .unavailable(let reason) = try service.configure(folder.path) else {
        Issue.record("a file of \(size ?? -1) bytes is accepted")
        return
      }
      #expect(reason.contains(folder.path))
    }
    guard case .ready = try service.configure(Self.tiny) else {
      Issue.record("a good model does not load after damaged ones")
      return
    }
  }

  @Test func everyAttemptIsRefused() throws {
    let program = try NeuralServiceProcess.run(["--attempt", Self.tiny], .whisper)
    #expect(program.status == 0, "\(program.complaint)")
    let attempts = try JSONDecoder().decode([String: Int32].self, from: program.output)
    // As many again while the library loads the model.
    #expect(attempts.count >= 46)
    #expect(attempts.filter { $0.value == 0 }.isEmpty)
    #expect(attempts["open"] == EPERM)
    #expect(attempts["open, loading"] == EPERM)
  }

  /// Those of a stream start before the sandbox is entered.
  @Test func everyThreadIsInTheSandbox() throws {
    let service = try service(mode: .stream)
    let tasks = "/proc/\(service.process.identifier)/task"
    let threads = try FileManager.default.contentsOfDirectory(atPath: tasks)
    #expect(threads.count >= min(3, 1 + ProcessInfo.processInfo.activeProcessorCount))
    for thread in threads {
      let status = try String(contentsOfFile: "\(tasks)/\(thread)/status", encoding: .utf8)
      #expect(status.contains("NoNewPrivs:\t1"))
      #expect(status.contains("Seccomp:\t2"))
    }
  }
}
