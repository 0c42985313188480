import Foundation
import Testing

@testable import Longhand

/// Search results are written in sentences, with the same words found.
struct WrittenSearchTests {
  private func hit(_ parts: [(String, Bool)]) -> SearchHit {
    SearchHit(
      session: "a", segment: 0, start: 0, end: 1, fragments: parts.map { .init(text: $0.0, isMatch: $0.1) })
  }

  @Test func marksAreNoPartOfTheMatch() {
    let found = hit([("the ", false), ("train", true), (" was ", false), ("late", true)])
      .written(as: "The train, was late.")
    #expect(found.text == "The train, was late.")
    #expect(found.fragments.filter(\.isMatch).map(\.text) == ["train", "late"])
  }

  @Test func aTextThatIsAnotherOneStaysAsItIs() {
    let original = hit([("the ", false), ("train", true)])
    #expect(original.written(as: "The bus.") == original)
  }

  @Test func aCapitalAtTheBeginningIsPartOfTheMatch() {
    #expect(hit([("i", true), (" go", false)]).written(as: "I go.").fragments.map(\.text) == ["I", " go."])
  }
}
