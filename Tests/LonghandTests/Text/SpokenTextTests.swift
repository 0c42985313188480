import Foundation
import Testing

@testable import LonghandTranscripts
@testable import LonghandVocabulary

@Suite struct SpokenTextTests {
  private func words(_ text: String) -> [String] {
    let spoken = SpokenText(text)
    return (0..<spoken.count).map(spoken.word)
  }

  @Test func wordsAreRunsOfLettersAndDigits() {
    #expect(words("The Winawer, isn't it? e4-e5") == ["the", "winawer", "isnt", "it", "e4", "e5"])
    #expect(words("Grünfeld’s Café 'quoted'") == ["grunfelds", "cafe", "quoted"])
    #expect(words("  ,.-  \n").isEmpty)
    #expect(words("").isEmpty)
  }

  /// Vowels and marks belong to their letters, and full-width Latin letters are words as others are.
  @Test(arguments: [
    ("我认识Anna小姐。2024年", ["我", "认", "识", "anna", "小", "姐", "2024", "年"]),
    ("がっこうへ", ["が", "っ", "こ", "う", "へ"]), ("ｶﾞｲﾄﾞ", ["ガ", "イ", "ド"]), ("ＡＢＣ社", ["abc", "社"]),
    ("แอนนากำลัง", ["แอ", "น", "นา", "กำ", "ลั", "ง"]), ("ខ្ញុំ", ["ខ្ញុំ"]), ("မြန်မာ", ["မြ", "န်", "မာ"]),
    ("བོད་ཡིག", ["བོ", "ད", "ཡི", "ག"]), ("안녕하세요", ["안녕하세요"]), ("安娜's", ["安", "娜", "s"]),
  ])
  func letterOfWritingWithoutSpacesIsAWord(_ text: String, _ wanted: [String]) {
    let spoken = SpokenText(text)
    #expect((0..<spoken.count).map(spoken.spelling) == wanted)
  }

  /// The sounds are those of the Latin letters.
  @Test func writingWithoutSpacesHasNoSounds() {
    #expect(SpokenText("安娜").sounds.isEmpty)
    #expect(SpokenText("我认识Anna小姐").sounds == SpokenText("Anna").sounds)
  }

  @Test(arguments: [
    ("公安娜", [false, false, false]), ("公安，娜", [false, false, true]), ("安 娜・李", [false, false, false]),
    ("安（Anna）", [false, false]), ("well, said", [false, false]), ("one\ntwo", [false, true]),
  ])
  func phraseEndsAtAMarkWhereThereAreNoSpaces(_ text: String, _ wanted: [Bool]) {
    #expect(SpokenText(text).startsPhrase == wanted)
  }

  @Test(arguments: [
    ("Winawer", true), ("東京", true), ("isn't", true), ("two words", false), ("東京 駅", false), ("-", false),
  ])
  func textWithoutSeparatorsIsOneRun(_ text: String, _ isOneRun: Bool) {
    #expect(SpokenText(text).isOneRun == isOneRun)
  }

  /// What joins two letters does not end their word, and is no letter of it.
  @Test(arguments: [
    ("علی\u{200C}رغم", ["علیرغم"]), ("राम\u{200D}पुर", ["रामपुर"]), ("col·legi", ["collegi"]),
    ("col\u{AD}legi", ["collegi"]),
    ("צה״ל צה\"ל", ["צהל", "צהל"]), ("ג׳ון", ["גון"]),
    ("п'ять пʼять п’ять п‘ять п＇ять", ["пять", "пять", "пять", "пять", "пять"]),
    ("3·4", ["3", "4"]), ("a\"b", ["a", "b"]), ("‘quoted’ ʼtis", ["quoted", "tis"]),
    ("安娜·李", ["安", "娜", "李"]),
  ])
  func jointBetweenLettersBelongsToTheWord(_ text: String, _ wanted: [String]) {
    let spoken = SpokenText(text)
    #expect((0..<spoken.count).map(spoken.spelling) == wanted)
  }

  @Test(arguments: [("Anna's", 2), ("Anna’s", 4), ("Annaʼs", 3), ("Anna＇s", 4), ("Annas", 0), ("Anna·s", 0)])
  func possessiveEndingHasTheBytesOfItsApostrophe(_ text: String, _ width: Int) {
    #expect(SpokenText(text).possessiveWidths == [width])
  }

  /// Accents make other words; capitals, apostrophes, full-width letters and the way a letter is encoded do not.
  @Test(arguments: [
    ("Grünfeld’s", "grünfelds"), ("Gru\u{308}nfeld", "grünfeld"), ("CÔTE", "côte"), ("Мой", "мой"),
    ("МОИ", "мои"), ("mạ", "mạ"), ("Ｗｉｎａｗｅｒ", "winawer"), ("ΟΔΟΣ", "οδοσ"), ("οδος", "οδοσ"),
    ("İzmir", "izmir"),
    ("Maße", "maße"), ("مُحَمَّد", "محمد"), ("don't", "dont"),
  ])
  func spellingKeepsTheAccents(_ text: String, _ spelling: String) {
    let key = SpokenText(text).key()
    #expect(Array(key.unicodeScalars) == Array(spelling.precomposedStringWithCanonicalMapping.unicodeScalars))
  }

  @Test func byteRangesAreThoseOfTheText() {
    let text = "Ä  “Grünfeld’s” — end'"
    let spoken = SpokenText(text)
    let bytes = Array(text.utf8)
    #expect(
      spoken.byteRanges.map { String(decoding: bytes[$0], as: UTF8.self) } == ["Ä", "Grünfeld’s", "end"])
    #expect(spoken.possessiveWidths == [0, 4, 0])
  }

  @Test(arguments: 0..<200) func byteRangesAreInOrderForAnyText(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let text = (0..<30).map { _ in RandomTranscripts.word(&random) }.joined(separator: " ")
    let spoken = SpokenText(text)
    let bytes = Array(text.utf8)
    #expect(
      zip(spoken.byteRanges, spoken.byteRanges.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
    #expect(
      spoken.byteRanges.allSatisfy { String(validating: bytes[$0], as: UTF8.self) != nil && !$0.isEmpty })
    #expect(spoken.letterStarts.count == spoken.count + 1)
    #expect(spoken.soundStarts.count == spoken.count + 1)
  }

  @Test(arguments: [
    ("night", "knight"), ("fone", "phone"), ("right", "write"), ("shun", "tion"), ("baton", "padon"),
    ("keesh", "quiche"), ("seeder", "cedar"), ("box", "bocks"),
  ])
  func spellingsOfOneSoundAreNear(_ left: String, _ right: String) {
    var distance = PhoneticDistance()
    let (one, other) = (SpokenText(left).sounds, SpokenText(right).sounds)
    let found = distance.distance(from: one[...], to: other[...], limit: .max)
    #expect((found ?? .max) <= 8, "\(one) \(other)")
  }

  /// Each row of the table needs its letters, its place in the word, and what follows.
  @Test(
    arguments: [
      ("knight", [11, 2, 6]), ("knack", [11, 1, 9]), ("psalm", [7, 1, 12, 10]), ("ghost", [9, 3, 7, 6]),
      ("gnome", [11, 3, 10]), ("gem", [9, 2, 10]), ("magic", [10, 1, 8, 2, 9]),
      ("nation", [11, 1, 8, 3, 11]),
      ("edge", [2, 8]), ("match", [10, 1, 8]), ("school", [8, 3, 12]), ("xenon", [7, 2, 11, 3, 11]),
      ("taxi", [6, 1, 9, 7, 2]), ("write", [13, 2, 6]), ("cowl", [9, 3, 12]), ("cities", [7, 2, 6, 2, 7]),
      ("swan", [7, 14, 1, 11]), ("mention", [10, 2, 11, 8, 3, 11]), ("bee", [4, 2]), ("hello", [2, 12, 3]),
    ] as [(String, [UInt8])])
  func wordHasTheSoundsOfItsLetters(_ word: String, _ sounds: [UInt8]) {
    #expect(SpokenText(word).sounds == sounds)
  }

  @Test(arguments: 0..<100) func consonantDistanceEqualsLevenshtein(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func sounds() -> [UInt8] {
      (0..<Int.random(in: 1...9, using: &random)).map { _ in UInt8.random(in: 4...15, using: &random) }
    }
    for _ in 0..<50 {
      let (left, right) = (ConsonantKey(sounds()), ConsonantKey(sounds()))
      func classes(_ key: ConsonantKey) -> [String] { (0..<key.count).map { "\(key[$0])" } }
      let wanted = RandomWords.distance(classes(left), classes(right))
      #expect(ConsonantKeyPattern(left).distance(right) == wanted)
      // The cheap test never refuses what the dear one would let pass.
      #expect(left.minDifference(right) <= 2 * wanted - abs(left.count - right.count))
    }
  }

  @Test(arguments: 0..<50) func letterDistanceEqualsLevenshtein(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var distance = LetterDistance()
    for _ in 0..<20 {
      let left = RandomWords.list(Int.random(in: 0...8, using: &random), of: 4, &random)
      let right = RandomWords.damaged(left, share: 0.5, of: 4, &random)
      func bytes(_ words: [String]) -> ArraySlice<UInt8> { words.compactMap { $0.utf8.last }[...] }
      #expect(
        distance.distance(from: bytes(left), to: bytes(right)).map(Int.init)
          == RandomWords.distance(left, right))
    }
  }
}
