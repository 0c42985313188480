import Testing

@testable import LanguageModeling

@Suite struct SpokenFormsTests {
  @Test(arguments: [
    ("Hello,", "hello"), ("don’t", "don't"), ("boys'", "boys'"), ("\"two-day\"", "two day"),
    ("café.", "cafe"),
    ("R&B", "r and b"), ("U.S.A.", "u s a"), ("Mr.", "mister"), ("Mrs", "missus"), ("21st", "twenty first"),
    ("1980s", "nineteen eighties"), ("1,250", "one thousand two hundred fifty"),
    ("3.14", "three point one four"),
    ("10:05", "ten o five"), ("20%", "twenty percent"), ("$1", "one dollar"), ("£5.", "five pounds"),
    ("007", "zero zero seven"), ("7am", "seven am"), ("$5.50", "five dollars fifty"),
  ])
  func likeliestFormIsFirst(_ written: String, _ spoken: String) {
    #expect(SpokenForms.all(of: written).first?.joined(separator: " ") == spoken)
  }

  @Test(arguments: [
    ("1905", "nineteen o five"), ("1905", "one thousand nine hundred five"),
    ("1905", "nineteen hundred and five"), ("2005", "twenty o five"), ("250", "two hundred and fifty"),
    ("250", "two five zero"), ("$5.50", "five dollars and fifty cents"), ("St.", "street"), ("Dr.", "drive"),
    ("7pm", "seven p m"),
  ])
  func otherFormsArePossible(_ written: String, _ spoken: String) {
    #expect(SpokenForms.all(of: written).map { $0.joined(separator: " ") }.contains(spoken))
  }

  @Test(arguments: ["—", "...", "♪", "日本", "'", ""]) func marksAreNotSaid(_ written: String) {
    #expect(SpokenForms.all(of: written).isEmpty)
  }

  /// Whatever is written: a few forms, and each word of them can be in a dictionary.
  @Test func formsAreFewAndPlain() {
    var state: UInt64 = 37
    let characters = Array("ab'’.,:-$£%&0123456789 sStTrd\u{301}é")
    for _ in 0..<2000 {
      var word = ""
      for _ in 0..<12 {
        state = state &* 6_364_136_223_846_793_005 &+ 1
        word.append(characters[Int(state >> 33) % characters.count])
      }
      let forms = SpokenForms.all(of: word)
      #expect(forms.count <= 14, "\(word)")
      let isPlain = forms.joined().allSatisfy { part in
        part.first?.isLetter == true && part.allSatisfy { $0.isASCII && $0.isLetter || $0 == "'" }
      }
      #expect(isPlain, "\(word): \(forms)")
    }
  }
}
