import Testing

@testable import LonghandCommand

@Suite struct NearestNameTests {
  @Test func distanceCountsTypingMistakes() {
    #expect(NearestName.distance("", "") == 0)
    #expect(NearestName.distance("srt", "") == 3)
    #expect(NearestName.distance("format", "format") == 0)
    #expect(NearestName.distance("fromat", "format") == 1)
    #expect(NearestName.distance("formt", "format") == 1)
    #expect(NearestName.distance("kitten", "sitting") == 3)
  }

  @Test func onlySimilarNamesAreSuggested() {
    let names = ["transcribe", "score", "evaluate", "doctor"]
    #expect(NearestName.suggestion(for: "transcrbe", among: names) == "transcribe")
    #expect(NearestName.suggestion(for: "eval", among: names) == "evaluate")
    #expect(NearestName.suggestion(for: "serve", among: names) == nil)
    #expect(NearestName.suggestion(for: "record", among: names) == nil)
    #expect(NearestName.suggestion(for: "x", among: []) == nil)
  }
}
