import Foundation
import Testing

@testable import LonghandTranscripts
@testable import LonghandVocabulary

@Suite struct TranscriptNormalizerTests {
  private static let corrections = [
    Vocabulary.Correction(recognized: "when our variation", text: "Winawer variation"),
    Vocabulary.Correction(recognized: "when our", text: "Winawer"),
    Vocabulary.Correction(recognized: "night", text: "knight"),
  ]
  private static let entities = ["Winawer Variation", "Benoni", "Kimura"]

  private func normalizer(_ model: (any NormalizationModel)? = nil) -> TranscriptNormalizer {
    TranscriptNormalizer(
      corrections: Self.corrections, entities: Self.entities, model: model, clock: TestClock())
  }

  /// Outside of spans the text is the transcript's, and within them what they say.
  private func check(_ normalized: NormalizedTranscript, of text: String) {
    let (old, new) = (Array(text.utf8), Array(normalized.text.utf8))
    var position = (old: 0, new: 0)
    for span in normalized.spans {
      #expect(span.source.lowerBound >= position.old)
      #expect(span.target.lowerBound >= position.new)
      #expect(old[position.old..<span.source.lowerBound] == new[position.new..<span.target.lowerBound])
      #expect(String(decoding: old[span.source], as: UTF8.self) == span.original)
      #expect(String(decoding: new[span.target], as: UTF8.self) == span.text)
      #expect(span.original != span.text)
      position = (span.source.upperBound, span.target.upperBound)
    }
    #expect(old[position.old...] == new[position.new...])
  }

  @Test func correctionsComeBeforeNames() {
    let text = "The when our variation, not the ban on e: a Night’s kimura."
    let normalized = normalizer().normalizeLocally(text)
    #expect(normalized.text == "The Winawer variation, not the Benoni: a Night’s Kimura.")
    #expect(normalized.extractedTerms == ["Winawer Variation", "Benoni", "Kimura"])
    #expect(normalized.by == .vocabulary)
    #expect(normalized.spans.map(\.provenance) == [.declaredCorrection, .fuzzyMatch, .exactMatch])
    #expect(normalized.spans.map { $0.score == nil } == [true, false, false])
    check(normalized, of: text)
  }

  @Test func otherTextStaysUnchanged() {
    for text in ["", " ", "nothing of the sort", "when or", "nights", "when\nour variation"] {
      let normalized = normalizer().normalizeLocally(text)
      #expect(normalized == NormalizedTranscript(text: text))
    }
    let nothing = TranscriptNormalizer()
    #expect(nothing.normalizeLocally("the Winawer") == NormalizedTranscript(text: "the Winawer"))
  }

  /// Corrections are made where their words are, not where words differ by an accent.
  @Test(arguments: [
    ("le pecheur et le pécheur", "le pecheur et le pêcheur"), ("Un PÉCHEUR.", "Un pêcheur."),
  ])
  func correctionsMindTheAccents(_ said: String, _ written: String) {
    let normalizer = TranscriptNormalizer(
      corrections: [.init(recognized: "pécheur", text: "pêcheur")], locale: Locale(identifier: "fr-FR"))
    #expect(normalizer.normalizeLocally(said).text == written)
  }

  /// A list of names says nothing of its language, and the sounds are those of English.
  @Test func soundsAreComparedInEnglishTextsOnly() async {
    let normalizer = TranscriptNormalizer(entities: ["Bannhoff", "Grünfeld"])
    #expect(normalizer.normalizeLocally("am Bahnhof vorbei", language: "en-GB").text == "am Bannhoff vorbei")
    for language in ["de-DE", "pl-PL"] {
      let text = "am Bahnhof vorbei, grunfeld"
      #expect(normalizer.normalizeLocally(text, language: language).text == text)
      #expect(
        normalizer.normalizeLocally("am bannhoff vorbei", language: language).text == "am Bannhoff vorbei")
    }
    // Each segment is read by its own language.
    func segment(_ id: Int, _ text: String, _ language: String?) -> Segment {
      Segment(
        id: id, start: Double(id), end: Double(id) + 1,
        candidates: [Candidate(text: text, words: [], confidence: nil, language: language)])
    }
    let segments = [
      segment(0, "the bahnhof", nil), segment(1, "der Bahnhof", "de-DE"), segment(2, "a bahnhof", "en-US"),
    ]
    let english = await normalizer.normalize(segments, locale: "en-US")
    #expect(english.text == "the Bannhoff der Bahnhof a Bannhoff")
    let german = await normalizer.normalize(segments, locale: "de-DE")
    #expect(german.text == "the bahnhof der Bahnhof a Bannhoff")
    // A model cannot write a name for words that sound like it in English either.
    let model = TestModel("Am Bannhoff vorbei.")
    let asked = TranscriptNormalizer(entities: ["Bannhoff"], model: model, clock: TestClock())
    #expect(await asked.normalize([segment(0, "am Bahnhof vorbei", "de-DE")]).text == "Am Bahnhof vorbei.")
  }

  @Test func termsAreListedOnceInOrderOfAppearance() {
    let normalized = normalizer().normalizeLocally("benoni kimura Benoni winawer variation kimura")
    #expect(normalized.extractedTerms == ["Benoni", "Kimura", "Winawer Variation"])
    #expect(normalized.text == "Benoni Kimura Benoni Winawer Variation Kimura")
    #expect(normalized.spans.count == 4)
  }

  @Test func vocabularyGivesCorrectionsAndEntities() throws {
    let file = #"{name: "x", corrections: [{heard: "a b", text: "C"}], entities: ["Kimura"]}"#
    let vocabulary = try Vocabulary(Data(file.utf8), file: "x")
    let normalized = TranscriptNormalizer(vocabulary).normalizeLocally("a b kimura")
    #expect(normalized.text == "C Kimura")
  }

  @Test(arguments: [
    ("The Winawer variation: good!", "The Winawer variation: good!"),
    ("the “Winawer variation” — good", "the “Winawer variation” — good"),
    // What the vocabulary wrote stays as it is.
    ("the Winawer Variation good", "the Winawer variation good"),
    ("THE WINAWER VARIATION. GOOD", "THE Winawer variation. GOOD"),
    ("the winawer, variation good.", "the Winawer variation good."),
  ])
  func modelMayChangePunctuationAndCapitalsOfOtherWords(_ answer: String, _ expected: String) async {
    let text = "the when our variation good"
    let model = TestModel(answer, "Kimura", "something else")
    let normalized = await normalizer(model).normalize(text)
    #expect(normalized.text == expected)
    #expect(normalized.by == .vocabularyAndLanguageModel)
    #expect(normalized.extractedTerms == ["Winawer Variation"])
    #expect(
      normalized.spans.contains { $0.text == "Winawer variation" && $0.provenance == .declaredCorrection })
    #expect(model.entities == [Self.entities])
    #expect(model.texts == ["the Winawer variation good"])
    check(normalized, of: text)
  }

  @Test(arguments: [
    // The model repeats what it got.
    TestModel {
      NormalizationModelAnswer(normalizedText: $0, extractedTerms: ["Kimura", "Winawer Variation"])
    },
    // It lists no terms.
    TestModel { NormalizationModelAnswer(normalizedText: $0, extractedTerms: []) },
    // It rewrites.
    TestModel("he plays the French, and Kimura", "Kimura"),
    // It undoes the corrections.
    TestModel("the when our variation and the ban on e, a kimura"),
  ])
  func modelCannotUndoWhatTheVocabularyDeclares(_ model: TestModel) async {
    let text = "the when our variation and the ban on e a kimura"
    let normalized = await normalizer(model).normalize(text)
    #expect(normalized.text == "the Winawer variation and the Benoni a Kimura")
    #expect(normalized.extractedTerms == ["Winawer Variation", "Benoni", "Kimura"])
    #expect(normalized.spans == normalizer().normalizeLocally(text).spans)
    check(normalized, of: text)
  }

  @Test func modelGetsTheCorrectionsAsInstructions() async {
    let model = TestModel("a")
    _ = await normalizer(model).normalize("a")
    let instructions = model.instructions.first ?? ""
    #expect(instructions.hasPrefix(TranscriptNormalizer.instructions))
    #expect(instructions.contains("\nwhen our → Winawer\nnight → knight"))
    let many = (0..<1_000).map { Vocabulary.Correction(recognized: "word \($0)", text: "term \($0)") }
    let bounded = TestModel("a")
    _ = await TranscriptNormalizer(corrections: many, model: bounded, clock: TestClock()).normalize("a")
    #expect((bounded.instructions.first ?? "").count < 2_500)
  }

  @Test func termsOfAVocabularyAreNames() async {
    var vocabulary = Vocabulary(name: "chess")
    vocabulary.terms = [Vocabulary.Term(text: "Winawer Variation"), Vocabulary.Term(text: "zugzwang")]
    let normalized = TranscriptNormalizer(vocabulary).normalizeLocally("the when our variation")
    #expect(normalized.text == "the Winawer Variation")
    #expect(normalized.extractedTerms == ["Winawer Variation"])
    let model = TestModel { NormalizationModelAnswer(normalizedText: $0, extractedTerms: []) }
    let asked = await TranscriptNormalizer(vocabulary, model: model, clock: TestClock())
      .normalize("the when our variation")
    #expect(asked.text == "the Winawer Variation")
    #expect(model.entities == [["Winawer Variation", "zugzwang"]])
    // With entities, only those are extracted.
    vocabulary.entities = ["Benoni"]
    let both = TranscriptNormalizer(vocabulary).normalizeLocally("the when our variation, the ban on e")
    #expect(both.text == "the Winawer Variation, the Benoni")
    #expect(both.extractedTerms == ["Benoni"])
  }

  @Test func modelMayWriteNamesThatSoundAlike() async throws {
    let text = "he played the ban on e against me"
    let normalized = await normalizer(TestModel("He played the Benoni against me.")).normalize(text)
    #expect(normalized.text == "He played the Benoni against me.")
    #expect(normalized.extractedTerms == ["Benoni"])
    let span = try #require(normalized.spans.first { $0.text == "Benoni" })
    #expect(span.original == "ban on e")
    #expect(span.score != nil)
    check(normalized, of: text)
  }

  @Test(arguments: [
    ("we stopped metoprolol on monday", "We stopped pantoprazole on Monday."),
    ("we stopped Metoprolol on monday", "We stopped pantoprazole on Monday."),
    ("add pantoprazole to the list", "Add metoprolol the list."),
    ("we gave the metoprolol last week", "We gave the metoprolol week."),
  ])
  func nameThatWasSaidDoesNotBecomeAnother(_ said: String, _ written: String) async {
    let normalizer = TranscriptNormalizer(
      entities: ["metoprolol", "pantoprazole"], model: TestModel(written), clock: TestClock())
    let normalized = await normalizer.normalize(said)
    #expect(normalized.text.lowercased().filter { $0 != "." } == said.lowercased())
  }

  /// What the model writes, and what is taken of it.
  @Test(arguments: [
    ("He played the game, and we won yesterday.", "He played the game, and we won today."),
    ("He played the game and we won.", "He played the game and we won today."),
    ("He really played the game. And we won today.", "He played the game. And we won today."),
    ("Yes, he played the game and we won today!", "he played the game and we won today!"),
    // A name that was not said.
    ("He played the Benoni and we won, today.", "He played the game and we won, today."),
  ])
  func refusedWordDoesNotDiscardTheRest(_ answer: String, _ expected: String) async {
    let text = "he played the game and we won today"
    let normalized = await normalizer(TestModel(answer)).normalize(text)
    #expect(normalized.text == expected)
    #expect(normalized.by == .vocabularyAndLanguageModel)
    check(normalized, of: text)
  }

  /// What was said, what the model writes, and what is taken of it. Words that differ in an accent are other words, and signs and
  /// the marks of numbers are said.
  @Test(arguments: [
    (
      "it was 5 or 20 or 1.5 in all", "It was -5% or $20 or 1,5° in all \u{1F389}.",
      "It was 5 or 20 or 1.5 in all"
    ),
    ("we paid $20, 5 % of it & went", "We paid 20: 5 of it went.", "We paid $20, 5 % of it & went."),
    ("at 5 below", "At –5 below.", "At 5 below."), ("at -5 below", "At 5, below!", "At -5, below!"),
    ("he said 5 or 20", "He said: \"5\", or (20).", "He said: \"5\", or (20)."),
    ("er zahlt 5 oder 20", "Er zahlt *5 € oder .20", "Er zahlt 5 oder 20"),
    ("seine mutter zahlt", "Seine Mütter zahlt.", "Seine mutter zahlt."),
    (
      "seine Mutter hat schon viele Vater gezahlt", "Seine Mütter hat schön viele Väter gezählt.",
      "seine Mutter hat schon viele Vater gezahlt"
    ),
    ("мои книги там", "Мой книги там.", "мои книги там."), ("ma má mà", "Ma má ma!", "Ma má mà!"),
    ("un pecheur", "Un pe\u{301}cheur.", "Un pecheur."),
  ])
  func modelMayChangeNoWordAndNoNumber(_ said: String, _ written: String, _ expected: String) async {
    let normalizer = TranscriptNormalizer(model: TestModel(written), clock: TestClock())
    let normalized = await normalizer.normalize(said)
    #expect(normalized.text == expected)
    check(normalized, of: said)
  }

  /// Words that a recognizer writes for a name that it does not know, and that are too far off without a model.
  @Test(arguments: [
    ("cream our", "Kimura", true), ("come aura", "Kimura", true), ("camera", "Kimura", true),
    ("key mora", "Kimura", true), ("when are", "Winawer Variation", false), ("been only", "Benoni", true),
    ("french", "Kimura", false), ("guard", "Benoni", false),
    ("we", "Kimura", false), ("variation", "Winawer Variation", false),
  ])
  func proposedNameNeedsTheSoundsOfItsWords(_ words: String, _ name: String, _ isAllowed: Bool) {
    let score = ProposedName(name).score(of: SpokenText(words))
    #expect((score != nil) == isAllowed, "\(score ?? 0)")
  }

  /// Words that sound like a name, but too little for it to be written without a model. The rows have the confidence of "cream".
  @Test(arguments: [(0.4, true), (0.6, false), (nil, false)] as [(Double?, Bool)])
  func modelMayProposeANameForUnsureWordsBySound(_ confidence: Double?, _ isTaken: Bool) async {
    let (said, written) = ("he met cream our there", "He met Kimura there.")
    let words = said.split(separator: " ").enumerated().map { index, text in
      Word(
        text: String(text), start: Double(index), end: Double(index + 1),
        confidence: text == "cream" ? confidence : 0.9)
    }
    let segment = Segment(
      id: 0, start: 0, end: 5, candidates: [Candidate(text: said, words: words, confidence: 0.8)])
    #expect(await normalizer().normalize([segment]).text == said)
    let text = await normalizer(TestModel(written)).normalize([segment]).text
    #expect(text == (isTaken ? written : said))
  }

  /// Ordinary words sound as much like a name as what a recognizer writes for it, so that a model's word for it is no evidence.
  @Test(arguments: [
    ("he ended the match there", "He ended uchimata there."), ("it protects him", "It bronchiectasis him."),
    ("they played been any good", "They played Benoni good."),
  ])
  func modelProposesNoNameByItsSoundAlone(_ said: String, _ written: String) async {
    let normalizer = TranscriptNormalizer(
      entities: ["uchimata", "bronchiectasis", "Benoni"], model: TestModel(written), clock: TestClock())
    let words = SpokenText(await normalizer.normalize(said).text)
    #expect((0..<words.count).map(words.word).joined(separator: " ") == said)
  }

  @Test(arguments: [true, false]) func proposedNameMayBeInAnAlternative(_ isOffered: Bool) async {
    let model = TestModel("He met Benoni there.")
    let normalized = await normalizer(model).normalize(
      segments: ["he met jack there"],
      alternatives: [isOffered ? ["he met ban on e there"] : ["he met shack there"]])
    #expect(normalized.text == (isOffered ? "He met Benoni there." : "He met jack there."))
  }

  @Test(arguments: [
    "the when our variation is good", "the when our good", "the when our variation bad", "", "good",
    "the Kimura variation good", "the Winawer Benoni good", "the when our variation good good",
    "variation when our the good", "the Winawer variation", "I cannot help with that",
    "the when our variation good kimura", "the benoni when our variation good",
  ])
  func modelThatChangesWordsIsRejected(_ answer: String) async {
    let text = "the when our variation good"
    let model = TestModel(answer, "Kimura")
    let strayed = await normalizer(model).normalize(text)
    #expect(strayed == normalizer().normalizeLocally(text))
    #expect(strayed.by == .vocabulary)
    #expect(strayed.extractedTerms == ["Winawer Variation"])
    #expect(model.texts == ["the Winawer variation good"])
  }

  @Test(arguments: ["x the good", "the", "good"]) func correctionsWithoutWordsAllowNothing(_ answer: String)
    async
  {
    let corrections = [
      Vocabulary.Correction(recognized: "-", text: "x"), Vocabulary.Correction(recognized: "good", text: "-"),
    ]
    let normalizer = TranscriptNormalizer(
      corrections: corrections, entities: ["-", ""], model: TestModel(answer), clock: TestClock())
    let normalized = await normalizer.normalize("the good")
    #expect(normalized.text == "the -")
  }

  @Test func failingModelIsIgnored() async {
    let failing = TestModel { _ in throw TestModel.Failure() }
    let failed = await normalizer(failing).normalize("a kimura")
    #expect(failed == normalizer().normalizeLocally("a kimura"))
    // An empty text causes no request.
    let idle = TestModel("")
    let nothing = await normalizer(idle).normalize("  ")
    #expect(nothing.text == "  ")
    #expect(idle.texts.isEmpty)
  }

  @Test func slowModelMissesTheDeadline() async {
    let clock = TestClock()
    let gate = FirstAnswer<Void>()
    let model = TestModel { _ in
      await gate.value
      return NormalizationModelAnswer(normalizedText: "no", extractedTerms: [])
    }
    let normalizer = TranscriptNormalizer(entities: Self.entities, model: model, clock: clock)
    async let late = normalizer.normalize("a kimura")
    await clock.untilSleeping()
    clock.advance(by: .seconds(30))
    let normalized = await late
    #expect(normalized.text == "a Kimura")
    #expect(normalized.by == .vocabulary)
    let next = await normalizer.normalize("a kimura")
    #expect(next == normalized)
    #expect(model.texts.count <= 1)
    gate.give(())
  }

  @Test func withoutEntitiesAnySaidTermIsExtracted() async {
    let model = TestModel(
      "He met Anna Karenina.", "Anna Karenina", "Tolstoy", "anna", "met Anna", "Anna Karenina")
    let normalizer = TranscriptNormalizer(model: model, clock: TestClock())
    let normalized = await normalizer.normalize("he met anna karenina")
    #expect(normalized.extractedTerms == ["met Anna", "Anna Karenina", "anna"])
    let local = normalizer.normalizeLocally("he met anna karenina")
    #expect(local.extractedTerms.isEmpty)
  }

  @Test(arguments: 0..<25) func spansListAllChanges(_ seed: UInt64) async {
    var random = SeededGenerator(seed: seed)
    let words = [
      "when", "our", "variation", "night", "ban", "on", "e", "kimura", "Winawer", "benoni's", "the",
    ]
    let texts = (0..<20).map { _ in
      (0..<Int.random(in: 0...20, using: &random)).map { _ in
        Int.random(in: 0..<4, using: &random) == 0
          ? RandomTranscripts.word(&random) : words.randomElement(using: &random) ?? ""
      }.joined(separator: " ")
    }
    for (text, other) in zip(texts, texts.reversed()) {
      let local = normalizer().normalizeLocally(text)
      check(local, of: text)
      #expect(Set(local.extractedTerms).isSubset(of: Self.entities))
      // A model that says anything.
      let shouts = Bool.random(using: &random)
      let model = TestModel { corrected in
        NormalizationModelAnswer(
          normalizedText: shouts ? corrected.uppercased() + "!" : other, extractedTerms: ["nonsense"])
      }
      let judged = await normalizer(model).normalize(text)
      check(judged, of: text)
      #expect(judged == local || judged.by == .vocabularyAndLanguageModel)
      for span in local.spans {
        #expect(judged.spans.contains { $0.source == span.source && $0.text == span.text })
      }
      #expect(Set(judged.extractedTerms).isSubset(of: Self.entities))
    }
  }

  @Test func normalizedTranscriptRoundTrips() throws {
    let normalized = normalizer().normalizeLocally("the ban on e, night")
    let data = try JSONEncoder().encode(normalized)
    #expect(try JSONDecoder().decode(NormalizedTranscript.self, from: data) == normalized)
    #expect(
      NormalizedTranscript.Method.allCases.map(\.rawValue) == ["vocabulary", "vocabulary+language model"])
  }
}
