import RecognitionProtocol
import Testing

@testable import PocketSphinxService

/// How a word is read letter by letter that no dictionary has.
@Suite struct SpelledPronunciationTests {
  @Test(arguments: [
    ("atorvastatin", "AE T AO R V AE S T AE T IH N"), ("bisoprolol", "B IH S OW P R OW L OW L"),
    ("cholecystitis", "K OW L EH S IH S T AY T IH S"), ("cyclizine", "S AY K L IH Z IY N"),
    ("pyelonephritis", "P AY EH L OW N EH F R AY T IH S"), ("furosemide", "F UW R OW S EH M AY D"),
    ("Winawer", "W IH N AO ER"), ("accessory", "AE K S EH S OW R IY"), ("xanthoma", "Z AE N TH OW M AH"),
    ("psoas", "S OW AE S"), ("meeters", "M IY T ER Z"), ("quetiapine", "K W EH T IY AE P IY N"),
    ("berimbolo", "B EH R IH M B OW L OW"),
  ])
  func lettersAreRead(_ word: String, _ phones: String) {
    #expect(SpelledPronunciation.phones(of: word) == phones)
  }

  @Test(arguments: ["", "b", "a1c", "grünfeld", "half-guard", "<s>"])
  func otherCharactersAreNotRead(_ word: String) {
    #expect(SpelledPronunciation.phones(of: word) == nil)
  }

  @Test func wordThatNoDictionaryHasGetsBothPronunciations() throws {
    let decoder = try Decoder(configuration: ServiceConfiguration(model: .pocketSphinx))
    #expect(decoder.isPronounceable("bisoprolol"))
    let found = decoder.pronunciations(of: "bisoprolol")
    #expect(found.count == 2 && found.last == SpelledPronunciation.phones(of: "bisoprolol"), "\(found)")
    #expect(decoder.isPronounceable("breakfast"))
    #expect(decoder.pronunciations(of: "breakfast").count == 1)
  }
}
