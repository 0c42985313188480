import Foundation
import Longhand
import Testing

@testable import LonghandArchive

/// Search finds words that are written otherwise: without points, accents, in another width, with other letters.
@Suite struct FoldedSearchTests {
  @Test(arguments: [
    ("שָׁלוֹם עֲלֵיכֶם", "שלום", "שָׁלוֹם"), ("שלום עליכם", "שָׁלוֹם", "שלום"), ("قَدْ وُهِبُوا عَقْلًا", "وهبوا", "وُهِبُوا"),
    ("وهبوا عقلا", "عَقْلًا", "عقلا"), ("أحمد هنا", "احمد", "أحمد"), ("کتـــاب", "کتاب", "کتـــاب"),
    ("כולם חוננו", "חוננ", "חוננו"),
    ("Die Straße ist lang", "strasse", "Straße"), ("Die Strasse ist lang", "straße", "Strasse"),
    ("Łódź liegt dort", "lodz", "Łódź"), ("Lodz liegt dort", "łódź", "Lodz"),
    ("smørrebrød", "smorrebrod", "smørrebrød"),
    ("Café crème", "cafe creme", "Café"), ("Dvořák", "dvorak", "Dvořák"), ("l'œuvre", "oeuvre", "œuvre"),
    ("ﾊﾟｿｺﾝを使う", "パソコン", "ﾊﾟｿｺﾝ"), ("パソコンを使う", "ﾊﾟｿｺﾝ", "パソコン"), ("５０００円です", "5000円", "５０００円"),
    ("आज का दिन अच्छा है।", "दिन", "दिन"), ("आज का दिन अच्छा है", "अच्छ", "अच्छा"), ("আমার ভাষা বাংলা", "ভাষা", "ভাষা"),
    ("தமிழ் மொழி.", "மொழி", "மொழி"), ("\u{095B}रूर आना", "ज\u{093C}रूर", "\u{095B}रूर"),
    ("दिन has a word", "word", "word"),
    ("ＡＢＣホール", "abcホール", "ＡＢＣホール"), ("nur ＡＢＣ hier", "abc", "ＡＢＣ"),
  ]) func wordsAreFoundHoweverTheyAreWritten(_ text: String, _ query: String, _ match: String) throws {
    try StoreFixture.temporary { store in
      _ = try store.add([text, "something else", "東京 です", "אחר"])
      let hits = try store.search(query)
      #expect(hits.map(\.text) == [text])
      #expect(hits.first?.fragments.first { $0.isMatch }?.text == match)
    }
  }

  @Test(arguments: [
    ("שלום עליכם", "לום"), ("وهبوا عقلا", "هبوا"), ("Straße", "rasse"), ("שלום", "שלום עליכם"),
    ("Łódź", "odz"), ("نور", "ـ"), ("दो नगर गए।", "दिन"), ("सिक्का मिला", "की"), ("किकल", "कल"), ("দুই নগর", "দিন"),
    ("நகரம்", "நாக"),
  ]) func otherWordsAreNotFound(_ text: String, _ query: String) throws {
    try StoreFixture.temporary { store in
      _ = try store.add([text])
      #expect(try store.search(query) == [])
    }
  }

  /// Signs of FTS5 and of LIKE are plain text.
  @Test(arguments: ["a\"* OR b", "(ss OR", "ß\"", "%", "_", "50%円", "שלום%", "\"*", "NEAR(oe"])
  func thereIsNoSyntax(_ query: String) throws {
    try StoreFixture.temporary { store in
      _ = try store.add(["nothing of this", "円 です", "שלא"])
      #expect(try store.search(query) == [])
    }
  }
}

/// Numbers are found in figures and in words.
@Suite struct NumberSearchTests {
  private func search(_ query: String, in text: String, locale: String) throws -> [String] {
    try StoreFixture.temporary { store in
      var session = StoreFixture.session()
      session.locale = locale
      _ = try store.add([text, "nothing of it"], session)
      return try store.search(query).map(\.text)
    }
  }

  @Test(arguments: [
    ("en-US", "the answer is 8 or so", "eight"), ("en-US", "the answer is eight", "8"),
    ("en-US", "it costs 5,000 dollars", "5000"), ("en-US", "it costs 5000 dollars", "5,000"),
    ("de-DE", "es kostet 5.000 Euro", "5000"), ("de-DE", "acht Leute", "8"), ("de-DE", "8 Leute", "acht"),
    ("fr-FR", "huit personnes", "8"), ("ru-RU", "восемь человек", "8"), ("ru-RU", "8 человек", "восемь"),
    ("en-US", "twenty-eight of them", "28"), ("en-US", "28 of them", "twenty-eight"),
    ("en-US", "1,000,000 people", "1000000"), ("es-ES", "mil personas", "1000"),
    ("ja-JP", "1,000 です", "1000"),
  ]) func numbersAreFoundEitherWay(_ locale: String, _ text: String, _ query: String) throws {
    #expect(try search(query, in: text, locale: locale) == [text])
  }

  @Test(arguments: [
    ("en-US", "eighty of them", "8"), ("en-US", "80 of them", "eight"), ("en-US", "5,001", "5000"),
    ("en-US", "000", "0,000"),
    ("en-US", "5 of them", "5000"), ("en-US", "um well", "1"), ("en-US", "11 of them", "once"),
    ("de-DE", "eight", "8"),
  ]) func otherNumbersAreNotFound(_ locale: String, _ text: String, _ query: String) throws {
    #expect(try search(query, in: text, locale: locale) == [])
  }
}
