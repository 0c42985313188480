import Longhand
import Testing

/// Ordinary speech stays as it is, though the vocabulary has names that sound much like it.
@Suite struct NormalizationPrecisionTests {
  private static let names = [
    "Kimura", "Half Guard", "Armbar", "Omoplata", "Berimbolo", "Gogoplata", "Ezekiel", "Uchimata",
    "Ashi Garami",
    "Kesa Gatame", "Bogeyman", "Side Control", "Closed Guard", "Mount", "North South",
  ]

  @Test(arguments: [
    "I carried half a card home", "he is half a guard", "she works from the side", "the arm barely moved",
    "they came around", "we can control the side door", "an arm bears the weight",
  ])
  func ordinaryWordsAreNoNames(_ text: String) {
    #expect(TranscriptNormalizer(entities: Self.names).normalizeLocally(text).text == text)
  }

  @Test(arguments: [
    ("worked my kimora from half card", "worked my Kimura from Half Guard"),
    ("the omma plata", "the Omoplata"), ("an arm bar", "an Armbar"),
  ])
  func misrecognizedNamesAreFound(_ text: String, _ expected: String) {
    #expect(TranscriptNormalizer(entities: Self.names).normalizeLocally(text).text == expected)
  }
}
