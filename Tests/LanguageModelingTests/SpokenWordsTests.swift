import Testing

@testable import LanguageModeling

@Suite struct SpokenWordsTests {
  @Test(arguments: [
    ("Play the Winawer variation.", "play the winawer variation"),
    ("king to pawn 8", "king to pawn eight"),
    ("g4, h12 and 1,250 mg", "g four h twelve and one two hundred fifty mg"),
    ("007", "zero zero seven"), ("365", "three hundred sixty five"), ("2000000", "two million"),
    ("rock'n'roll ’til don’t 'quoted'", "rock'n'roll til don't quoted'"),
    ("black & white", "black and white"), ("high-level", "high level"), ("naïve café", "naïve café"),
    ("99999999999999", "nine nine nine nine nine nine nine nine nine nine nine nine nine nine"),
    ("", ""), ("…—!", ""), ("' ''", ""),
  ])
  func textIsSplitIntoWhatIsSaid(_ text: String, _ words: String) {
    #expect(SpokenWords.words(of: text).joined(separator: " ") == words)
  }
}
