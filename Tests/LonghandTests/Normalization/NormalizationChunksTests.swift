import Longhand
import Synchronization
import Testing

@testable import LonghandVocabulary

@Suite struct NormalizationChunksTests {
  private func chunks(_ text: String, _ maxBytes: Int, ends: [Int] = [], whole: [Range<Int>] = []) -> [String]
  {
    let chunks = NormalizationChunks(text, maxBytes: maxBytes, ends: ends, whole: whole)
    return chunks.ranges.map(chunks.text)
  }

  @Test func cutsAtTheEndOfASegmentElseBetweenWords() {
    #expect(chunks("one two three four", 100) == ["one two three four"])
    #expect(chunks("one two three four", 13, ends: [7, 18]) == ["one two", "three four"])
    #expect(chunks("one two three four", 13) == ["one two three", "four"])
    // A segment that ends at once is no reason for a tiny chunk.
    #expect(chunks("one two three four", 13, ends: [3, 18]) == ["one two three", "four"])
    #expect(chunks("", 10) == [""])
  }

  @Test func cutsNoNameInTwo() {
    #expect(chunks("a Winawer Variation b", 12, whole: [2..<19]) == ["a", "Winawer Vari", "ation b"])
    #expect(chunks("a Winawer Variation b", 18, whole: [2..<19]) == ["a", "Winawer Variation", "b"])
  }

  @Test func cutsNoCharacterInTwo() {
    let text = String(repeating: "ä", count: 50)
    #expect(chunks(text, 7).joined() == text)
    #expect(chunks(text, 7).allSatisfy { $0.utf8.count <= 7 })
  }

  @Test(arguments: 0..<20) func chunksMakeUpTheText(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let words = (0..<200).map { _ in RandomTranscripts.word(&random) }.filter { !$0.contains(" ") }
    let text = words.joined(separator: " ")
    let cut = NormalizationChunks(text, maxBytes: .random(in: 1...300, using: &random), ends: [], whole: [])
    var position = 0
    let bytes = Array(text.utf8)
    for range in cut.ranges {
      #expect(bytes[position..<range.lowerBound].allSatisfy { $0 == 0x20 })
      position = range.upperBound
    }
    #expect(position == bytes.count)
  }

  /// A model with a small context that writes in capitals.
  private final class SmallModel: NormalizationModel {
    let texts = Mutex<[String]>([])
    let contexts = Mutex<[String?]>([])

    func maxLength(entities: [String], instructions: String) -> Int { 60 }

    func normalize(
      _ text: String, after context: String?, entities: [String], instructions: String
    ) async throws -> NormalizationModelAnswer {
      texts.withLock { $0.append(text) }
      contexts.withLock { $0.append(context) }
      if text.contains("fails") { throw TestModel.Failure() }
      return NormalizationModelAnswer(normalizedText: text.uppercased(), extractedTerms: [])
    }
  }

  @Test func longTranscriptIsNormalizedInChunks() async {
    let segments = (0..<40).map {
      $0 == 20 ? "this segment fails the ban on e" : "segment \($0) played the ban on e"
    }
    let model = SmallModel()
    let done = Mutex<[Double]>([])
    let normalizer = TranscriptNormalizer(entities: ["Benoni"], model: model, clock: TestClock())
    let normalized = await normalizer.normalize(segments: segments) { part in
      done.withLock { $0.append(part) }
    }
    let texts = model.texts.withLock { $0 }
    #expect(texts.count > 10)
    #expect(texts.allSatisfy { $0.utf8.count <= 60 })
    #expect(texts.first == "segment 0 played the Benoni segment 1 played the Benoni")
    #expect(model.contexts.withLock { $0.first } == .some(nil))
    #expect(model.contexts.withLock { $0.dropFirst().allSatisfy { $0 != nil } })
    #expect(done.withLock { $0 } == done.withLock { $0.sorted() })
    #expect(done.withLock { $0.last } == 1)
    #expect(normalized.by == .vocabularyAndLanguageModel)
    #expect(normalized.text.hasPrefix("SEGMENT 0 PLAYED THE Benoni SEGMENT 1 PLAYED THE Benoni SEGMENT 2"))
    #expect(normalized.text.hasSuffix("SEGMENT 39 PLAYED THE Benoni"))
    // The chunk that failed keeps the text of the vocabulary, and only this one.
    #expect(normalized.text.contains("this segment fails the Benoni"))
    #expect(
      normalized.text.lowercased()
        == normalizer.normalizeLocally(segments.joined(separator: " ")).text.lowercased())
    #expect(normalized.extractedTerms == ["Benoni"])
  }

  @Test func contextIsTheEndOfThePrecedingText() {
    let text = (0..<200).map { "word\($0)" }.joined(separator: " ")
    let chunks = NormalizationChunks(text, maxBytes: 400, ends: [], whole: [])
    let context = chunks.context(chunks.ranges[1]) ?? ""
    let before = chunks.text(chunks.ranges[0])
    #expect(chunks.context(chunks.ranges[0]) == nil)
    #expect(context.utf8.count <= 200)
    #expect((before + " ").hasSuffix(context))
  }
}
