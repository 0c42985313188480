import Testing

@testable import LonghandTranscripts

@Suite struct TextFinderTests {
  private func found(_ text: String, in words: String, isWhole: Bool) -> [String] {
    TextFinder(text, isWhole: isWhole).matches(in: words.split(separator: " ").map(String.init)).map {
      "\($0.prefix)<\($0.text)>\($0.suffix)"
    }
  }

  /// The text is found beside marks and endings; with parts of words, also inside of longer ones.
  @Test(
    arguments: [
      ("Moreland", "In Moreland's case, moreland. saw (Moreland), MORELAND’S", 4, 4),
      ("moreland", "Westmoreland and Morelands met Moreland-Smith", 1, 3),
      ("don", "Don\u{2019}t tell Don's or don'ts", 1, 3), ("he", "he'll the he's he they're", 3, 5),
      ("homme", "l'homme hommes", 1, 2), ("when our", "When, our plan: when our. When hour", 2, 2),
      ("\"Winawer\"", "the Winawer. winawers", 1, 2), ("münchen", "in MÜNCHEN, Münchens", 1, 2),
      ("Антон", "антона Антон!", 1, 2), ("5", "5 15 5.", 2, 3), ("…", "wait… what… now", 2, 2),
      ("nothing", "some thing", 0, 0), ("", "some thing", 0, 0), (" ", "some thing", 0, 0),
      ("a a", "a a a a a", 2, 2),
    ] as [(String, String, Int, Int)])
  func textIsFound(_ text: String, _ words: String, _ whole: Int, _ parts: Int) {
    #expect(found(text, in: words, isWhole: true).count == whole)
    #expect(found(text, in: words, isWhole: false).count == parts)
  }

  @Test func matchSaysWhatItLeaves() {
    #expect(
      found("Moreland", in: "Moreland's (moreland). Westmorelands", isWhole: false)
        == ["<Moreland>'s", "(<moreland>).", "West<moreland>s"])
    #expect(found("when our", in: "(When, our)", isWhole: true) == ["(<When, our>)"])
  }

  /// In writing without spaces words are not divided where a person sees them divided.
  @Test func textIsFoundInWritingWithoutSpaces() {
    let finder = TextFinder("\u{6771}\u{4EAC}\u{90FD}", isWhole: true)
    let matches = finder.matches(in: ["\u{6771}\u{4EAC}", "\u{90FD}\u{306B}", "\u{884C}\u{304F}"])
    #expect(matches.map(\.words) == [0..<2])
    #expect(matches.map(\.suffix) == ["\u{306B}"])
  }

  @Test(
    arguments: [
      ("moreland", "Moreland's", "westmore", "Westmore's"),
      ("moreland", "moreland.", "Westmore", "Westmore."),
      ("moreland", "MORELAND!", "Westmore", "WESTMORE!"), ("moreland", "Moreland", "moreland", "moreland"),
      ("i", "I", "we", "we"), ("moreland", "Westmorelands", "x", "Westxs"), ("moreland", "moreland.", "", ""),
      ("moreland", "Westmoreland", "", "West"), ("moreland", "moreland.", "Westmore.", "Westmore."),
      ("moreland", "moreland,", "the iPhone", "the iPhone,"),
      ("when our", "(When our)", "winawer", "(Winawer)"),
    ] as [(String, String, String, String)])
  func replacementKeepsCapitalsAndWhatIsBeside(
    _ text: String, _ word: String, _ new: String, _ result: String
  ) {
    let words = word.split(separator: " ").map(String.init)
    let match = TextFinder(text, isWhole: false).matches(in: words).first
    #expect(match?.replaced(by: new) == result)
  }

  @Test func placeWithOtherTextBesideItIsNone() {
    let words = ["(Moreland's)"]
    #expect(TextFinder.match(at: 0..<1, of: words, "(", "'s)")?.text == "Moreland")
    #expect(TextFinder.match(at: 0..<1, of: words, "", "'s") == nil)
    #expect(TextFinder.match(at: 0..<1, of: words, "(Moreland", "Moreland's)") == nil)
  }
}
