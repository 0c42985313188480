import Testing

@testable import LanguageModeling

@Suite struct NumberFormsTests {
  private func changed(
    _ text: String, _ locale: String, _ form: (NumberForms) -> ([String]) -> [NumberForms.Change]
  ) throws -> String {
    var words = text.split(separator: " ").map(String.init)
    for change in form(NumberForms(try #require(NumberLanguage(locale))))(words).reversed() {
      words.replaceSubrange(change.range, with: change.words)
    }
    return words.joined(separator: " ")
  }

  @Test(arguments: [
    ("en-US", "in 1999.", "in nineteen ninety nine."),
    ("en-US", "1,999 men", "one thousand nine hundred ninety nine men"),
    ("en-GB", "“5,000,” he", "“five thousand,” he"), ("en", "1 of 8", "one of eight"),
    ("en", "3.14", "three point one four"),
    ("en", "the 21st, 1980s", "the twenty first, nineteen eighties"), ("en", "at 10:05", "at ten o five"),
    ("en", "$5.50? $5.00! 20%.", "five dollars fifty? five dollars! twenty percent."),
    ("en", "007 or 5551234", "zero zero seven or five five five one two three four"),
    (
      "en", "1,234,567 phones",
      "one million two hundred thirty four thousand five hundred sixty seven phones"
    ),
    ("en", "$2,345,000!", "two million three hundred forty five thousand dollars!"),
    ("en", "1,000,000,001st", "one billion first"),
    ("en", "0,123,456", "zero one two three four five six"),
    ("de", "2.000.001 Leute", "zwei Millionen eins Leute"), ("fr", "2 000 001 ans", "deux millions un ans"),
    ("de-DE", "1999.", "neunzehnhundertneunundneunzig."),
    ("de-DE", "1.999 Leute", "eintausendneunhundertneunundneunzig Leute"),
    ("de", "3,14 und 20 %,", "drei Komma eins vier und zwanzig Prozent,"),
    ("de", "5.000 €", "fünftausend Euro"),
    ("fr-FR", "10 000 ans", "dix mille ans"),
    ("fr", "en 1999, 5 %", "en mille neuf cent quatre-vingt-dix-neuf, cinq pour cent"),
    ("es", "5.000 y 22", "cinco mil y veintidós"), ("it", "21!", "ventuno!"),
    ("pt-BR", "1205", "mil duzentos e cinco"),
    ("nl", "1999", "negentienhonderdnegenennegentig"), ("ru", "21 и 5 000", "двадцать один и пять тысяч"),
    ("es-MX", "5,000", "cinco mil"), ("ru", "0,5", "0,5"),
  ])
  func figuresBecomeWords(_ locale: String, _ written: String, _ spoken: String) throws {
    #expect(try changed(written, locale) { $0.spoken } == spoken)
  }

  @Test(arguments: [
    ("en", "24/7"), ("en", "A4 and COVID-19"), ("en", "1914–1918"), ("en", "1.2.3"), ("en", "-5"),
    ("en", "$5 million"),
    ("en", "XIV St. Mr."), ("en", "1,00,000"), ("en", "—"), ("de", "am 3. Mai"), ("de", "10:30"),
    ("de", "3-mal"),
    ("fr", "2e"), ("es", "1º"), ("en", "5.5.5"), ("en", "٣"),
  ])
  func figuresWithoutClearWordsStay(_ locale: String, _ text: String) throws {
    #expect(try changed(text, locale) { $0.spoken } == text)
  }

  @Test(arguments: [
    ("en", "in nineteen ninety nine.", "in 1999."), ("en", "In Nineteen Ninety-Nine, yes", "In 1999, yes"),
    ("en", "one thousand nine hundred ninety nine", "1,999"), ("en", "five thousand men", "5000 men"),
    ("en", "two hundred and five thousand", "205,000"), ("en", "nineteen oh five", "1905"),
    ("en", "ten", "10"),
    ("en", "two thousand and nineteen", "2019"), ("en", "twenty ten", "2010"),
    ("en", "one two three four", "1 2 3 4"),
    ("en", "twenty, thirty", "20, 30"), ("en", "the nineteen eighties", "the 1980s"),
    ("en", "three point one four", "3.14"),
    ("en", "ninety nine point five percent", "99.5 percent"), ("en", "the twenty first of", "the 21st of"),
    ("en", "three million two hundred thousand", "3,200,000"), ("en", "(twenty five)", "(25)"),
    ("en", "a hundred and twenty five", "125"), ("en", "a thousand two hundred", "1,200"),
    ("en", "a hundred twenty thousand", "120,000"), ("en", "a 20 twenty", "a 20 20"),
    ("en", "fifty billion", "50 billion"),
    ("en", "It cost one point five million dollars", "It cost 1.5 million dollars"),
    ("en", "twenty two point five million", "22.5 million"), ("en", "zero point five million", "0.5 million"),
    ("en", "three point two thousand", "3.2 thousand"), ("en", "one point two five million", "1.25 million"),
    ("en", "ten to twelve point five million", "10 to 12.5 million"),
    ("en", "ten thousand to fifteen thousand", "10,000 to 15,000"), ("en", "twenty to thirty", "20 to 30"),
    ("en", "seven three nine nine", "7 3 9 9"), ("en", "twenty ten twenty eleven", "2010 2011"),
    ("en", "nineteen hundred years ago", "1900 years ago"),
    ("de", "eins Komma fünf Millionen", "1,5 Millionen"),
    ("de", "zwei Komma fünfundzwanzig Millionen", "2,25 Millionen"),
    ("fr", "vingt-deux virgule cinq millions", "22,5 millions"),
    ("es", "dos coma cinco millones", "2,5 millones"), ("it", "due virgola cinque milioni", "2,5 milioni"),
    ("pt", "dois vírgula cinco milhões", "2,5 milhões"), ("nl", "twee komma vijf miljoen", "2,5 miljoen"),
    ("de-DE", "neunzehnhundertneunundneunzig.", "1999."), ("de", "zweitausendneunzehn", "2019"),
    ("de", "tausendneunhundertneunundneunzig", "1.999"), ("de", "hundertfünf Leute", "105 Leute"),
    ("de", "hunderttausend", "100.000"),
    ("de", "eine Million zweihunderttausend", "1.200.000"), ("de", "zwölf Komma fünf", "12,5"),
    ("de", "dreissig", "30"),
    ("fr-FR", "mille neuf cent quatre-vingt-dix-neuf.", "1999."), ("fr", "vingt-et-un ans", "21 ans"),
    ("fr", "dix mille", "10000"),
    ("es", "mil novecientos noventa y nueve", "1999"), ("es", "veintiún años", "21 años"),
    ("it", "millenovecentonovantanove", "1999"), ("pt", "vinte e duas", "22"),
    ("pt", "mil novecentos e noventa e nove", "1999"),
    ("nl", "negentien negenennegentig", "1999"), ("nl", "tweeëntwintig", "22"),
    ("ru", "тысяча девятьсот девяносто девять", "1999"), ("ru", "двадцать одна", "21"),
  ])
  func wordsBecomeFigures(_ locale: String, _ spoken: String, _ written: String) throws {
    #expect(try changed(spoken, locale) { $0.written } == written)
  }

  @Test(arguments: [
    ("en", "one of them"), ("en", "no one, two or three"), ("en", "seven men and eight women"),
    ("en", "one twenty"),
    ("en", "nine eleven"), ("en", "twenty second delay"), ("en", "two thirds"), ("en", "one hundred tenth"),
    ("en", "a hundred"), ("en", "a thousand thanks, half a million"), ("en", "twenty five hundred"),
    ("en", "a dozen or two"),
    ("en", "twelve thirty"), ("en", "several thousand"), ("en", "someone often tents"),
    ("en", "one, two, three"), ("de", "ein Mann, acht Leute"), ("de", "hundert Leute, tausend Dank"),
    ("fr", "un neuf"),
    ("fr", "vingt et unième"), ("fr", "mille fois"), ("ru", "двадцать первый"),
    ("ru", "тысяча девятьсот девяносто девятого"), ("it", "sei"), ("nl", "een man"), ("pt", "um e dois"),
    ("en", "one point twenty five million"), ("en", "one point five hundred thousand"),
    ("en", "at one point five million people"), ("en", "twenty point five to thirty million"),
    ("de", "drei Komma zweitausend"), ("it", "due virgola cinquemila"),
    ("en", "five to ten million people"), ("en", "ten to fifteen thousand dollars"),
    ("en", "between sixty and seventy thousand"), ("en", "sixty or maybe seventy thousand"),
    ("en", "ten fifteen twenty thousand people"), ("en", "between one hundred and two thousand"),
    ("de", "zehn bis fünfzehntausend"), ("de", "zwanzig bis zu dreißig Millionen"),
    ("fr", "dix à quinze millions"), ("es", "diez o quince millones"), ("it", "dieci o quindicimila"),
    ("pt", "dez a quinze milhões"), ("nl", "tien tot vijftien miljoen"),
    ("ru", "десять или пятнадцать тысяч"),
    ("en", "at ten thirty we met"), ("en", "ten eleven years old"), ("en", "fifteen sixteen year olds"),
    ("nl", "vijftien zestien jaar"), ("de", "um zehn dreißig"),
  ])
  func wordsWithoutClearFiguresStay(_ locale: String, _ text: String) throws {
    #expect(try changed(text, locale) { $0.written } == text)
  }

  /// What is said of a count, a year and many others is read back as it was.
  @Test(arguments: NumberLanguage.codes)
  func wordsOfFiguresAreReadBack(_ code: String) throws {
    let forms = NumberForms(try #require(NumberLanguage(code)))
    let language = try #require(NumberLanguage(code))
    for number in Array(0...2100) + [
      9999, 10_000, 21_001, 80_080, 100_000, 999_999, 1_000_000, 2_345_678, 999_999_999,
    ] {
      let said = forms.spoken(["\(number)"]).first?.words ?? []
      #expect(!said.isEmpty, "\(number)")
      let found = language.numbers(in: number > 999_999 ? language.words(number) : said)
      #expect(found.map(\.value) == [number], "\(number): \(said)")
    }
  }

  @Test func otherLanguagesHaveNone() {
    #expect(NumberLanguage("pl-PL") == nil)
    #expect(NumberLanguage("auto") == nil)
  }
}
