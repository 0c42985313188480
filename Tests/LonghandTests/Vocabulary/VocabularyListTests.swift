import Foundation
import LonghandTranscripts
import Testing

@testable import LonghandVocabulary

/// Vocabularies as plain lists of terms and as tables.
@Suite struct VocabularyListTests {
  private func vocabulary(_ text: String, _ file: String) throws -> Vocabulary {
    try Vocabulary(Data(text.utf8), file: file)
  }

  /// The contents of a file, its name; its terms with `=` and their pronunciations, and its corrections with `>`.
  @Test(arguments: [
    (
      "Winawer\n\n# openings\nKing's Indian\r\n  Grünfeld \n", "chess.txt",
      ["Winawer", "King's Indian", "Grünfeld"]
    ),
    ("\u{FEFF}Winawer", "chess.TXT", ["Winawer"]), ("Winawer\nBenoni", "/dev/fd/9", ["Winawer", "Benoni"]),
    ("{name: 'a', terms: [{text: 'b'}]}", "a", ["b"]),
    ("// c\n{name: 'a', terms: [{text: 'b'}]}", "a.json5", ["b"]),
    (
      "term,sounds like,replaces\nWinawer,,when our|vin hour\n", "a.csv",
      ["Winawer", "when our>Winawer", "vin hour>Winawer"]
    ),
    ("Winawer,v i n aU @r\n", "a.csv", ["Winawer=v i n aU @r"]),
    // Comments and blank lines decide no separator.
    ("# a, b, c\n\nterm;replaces\nGrünfeld;green felt\n", "a.csv", ["Grünfeld", "green felt>Grünfeld"]),
    ("#\n東京\t\tx, y\n", "a.tsv", ["東京", "x, y>東京"]),
    // Marks of stress, and what spells symbols for several words, which have no pronunciations.
    ("Winawer,w I n \"aU %@r|w  I n\n", "a.csv", ["Winawer=w I n \"aU %@r=w  I n"]),
    (
      "Public Relations,p r,p r|b r\n", "a.csv",
      ["Public Relations", "p r>Public Relations", "b r>Public Relations"]
    ),
    ("Winawer;vinn our;\nBenoni;;\n", "a.csv", ["Winawer", "Benoni", "vinn our>Winawer"]),
    ("replaces\tterm\nnight\tknight", "a.csv", ["knight", "night>knight"]),
    (
      "term,replaces\n\"Hart, Anna\",\"heart \"\"anna\"\"\"\n", "a.csv",
      ["Hart, Anna", "heart \"anna\">Hart, Anna"]
    ),
    ("\"Two\nLines\",xx yy\r\n#no\r\n,,\r\nb", "a.csv", ["Two\nLines", "b", "xx yy>Two\nLines"]),
    ("\"#tag\",hash\n#no\nC#,\n", "a.csv", ["#tag", "C#", "hash>#tag"]),
    ("Winawer\twhen our\nBenoni\t\n", "a.txt", ["Winawer", "Benoni", "when our>Winawer"]),
  ])
  func listIsRead(_ text: String, _ file: String, _ expected: [String]) throws {
    let read = try vocabulary(text, file)
    let terms = read.terms.map { ([$0.text] + $0.pronunciations).joined(separator: "=") }
    #expect(terms + read.corrections.map { "\($0.recognized)>\($0.text)" } == expected)
  }

  @Test(arguments: [
    ("", "a.txt", "it has no terms"), ("# only\n", "a.txt", "it has no terms"),
    ("term\n", "a.csv", "it has no terms"),
    ("a\n,x\n", "a.csv", "line 2: the row has no term"),
    ("# words\nterm;definition\nx;y\n", "a.csv", "line 2: \"definition\" is no column; the columns are term"),
    ("Name,replaces,Notiz\nMüller,,a\n", "a.csv", "line 1: \"Notiz\" is no column"),
    ("a|b,x\n", "a.csv", "line 1: the row has several terms"),
    ("a\n\"b", "a.csv", "line 2: a quotation mark is not closed"),
    ("Winawer\n", "a.json5", "it is not JSON5"),
  ])
  func mistakeIsNamed(_ text: String, _ file: String, _ problem: String) {
    let error = #expect(throws: VocabularyError.self) { try vocabulary(text, file) }
    #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
  }

  /// As spreadsheets save "Unicode text".
  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
  func textInUTF16IsRead(_ encoding: String.Encoding) throws {
    let data = try #require("\u{FEFF}Grünfeld\tgreen felt\r\n".data(using: encoding))
    let read = try Vocabulary(data, file: "a.txt")
    #expect(read.rows == [VocabularyRow(term: "Grünfeld", replaces: ["green felt"])])
  }

  /// A pasted text; its terms with `=` and how they sound, and with `>` and what they replace.
  @Test(arguments: [
    ("Winawer\nBenoni\n", ["Winawer", "Benoni"]),
    ("Winawer, Benoni;Hart", ["Winawer", "Benoni;Hart"]),
    ("Winawer, Benoni,\nKing's Indian", ["Winawer", "Benoni", "King's Indian"]),
    ("Winawer; Benoni", ["Winawer", "Benoni"]), ("東京、大阪", ["東京", "大阪"]),
    ("• Winawer\n- Benoni\n 3. Hart\n", ["Winawer", "Benoni", "Hart"]),
    ("\"Hart, Anna\", Benoni", ["Hart, Anna", "Benoni"]), ("5\" nail\nBenoni", ["5\" nail", "Benoni"]),
    ("3M\n7-Eleven\nJean-Luc", ["3M", "7-Eleven", "Jean-Luc"]),
    ("Winawer\tv i n\twhen our|vin hour\nBenoni\n", ["Winawer=v i n>when our>vin hour", "Benoni"]),
    ("Winawer\t\twhen our\r\n\t\tbe no knee\r\n", ["Winawer>when our", ">be no knee"]),
    ("Replaces\tTerm\nnight\tknight", ["knight>night"]), ("term,replaces\nknight,night\n", ["knight>night"]),
    ("term\nknight", ["term", "knight"]), ("", []), (" \n\n", []),
    ("\u{FEFF}Winawer\nBenoni", ["Winawer", "Benoni"]),
  ])
  func pastedTextBecomesRows(_ text: String, _ expected: [String]) {
    let rows = VocabularyRow.pasted(text).map { row in
      ([([row.term] + row.soundsLike).joined(separator: "=")] + row.replaces).joined(separator: ">")
    }
    #expect(rows == expected)
  }

  /// What a table holds is the same after it was written and read; a list has the terms alone.
  @Test func writtenTableIsReadAgain() throws {
    var written = Vocabulary(name: "a")
    written.rows = [
      VocabularyRow(
        term: "Winawer", soundsLike: ["w I n aU @r", "@ w I n"], replaces: ["when our", "win, a \"war\""]),
      VocabularyRow(term: "#tag; one"), VocabularyRow(term: "=Hart", replaces: ["-heart"]),
      VocabularyRow(term: "東京", replaces: ["+1"]),
    ]
    let table = try written.table()
    #expect(try vocabulary(table, "a.csv").rows == written.rows, "\(table)")
    #expect(try vocabulary("\u{FEFF}" + table, "a.csv").rows == written.rows)
    #expect(table.contains("\n =Hart, -heart") || table.contains("\n =Hart,, -heart"), "\(table)")
    written.rows = [VocabularyRow(term: "Winawer", replaces: ["x"]), VocabularyRow(term: "Hart, Anna")]
    #expect(try written.lines() == "Winawer\nHart, Anna\n")
    #expect(try vocabulary(try written.lines(), "a.txt").terms == written.terms)
  }

  /// Recognizers compare bytes, and write a letter with its accent as one character. The names of a database stay as they are.
  @Test(arguments: [
    ("Gru\u{308}nfeld\n", "a.txt"), ("term;replaces\nGru\u{308}nfeld;x\n", "a.csv"),
    ("{name: 'a', terms: [{text: 'Gru\u{308}nfeld'}], entities: ['Gru\u{308}nfeld']}", "a.json5"),
    (
      #"{name: 'a', terms: [{text: 'Gru\u0308nfeld'}], phrases: [{text: 'Мои\u0306'}], classes: {c: ['e\u0301']}}"#,
      "a"
    ),
  ])
  func accentsBelongToTheirLetters(_ text: String, _ file: String) throws {
    let read = try vocabulary(text, file)
    #expect(read.terms.map { $0.text.unicodeScalars.count } == [8])
    #expect(read.phrases.allSatisfy { $0.text.unicodeScalars.count == 3 })
    #expect(read.classes.values.allSatisfy { $0[0].unicodeScalars.count == 1 })
    #expect(read.entities.allSatisfy { $0.unicodeScalars.count == 9 })
  }

  @Test func termThatAFileCannotHoldIsRefused() {
    var written = Vocabulary(name: "a")
    written.terms = [.init(text: "a|b")]
    #expect(throws: VocabularyError.self) { try written.table() }
    for text in ["#tag", "a\tb", "a\nb"] {
      written.terms = [.init(text: text)]
      #expect(throws: VocabularyError.self) { try written.lines() }
    }
  }

  /// What no row has stays.
  @Test func tableIsReadAndWritten() throws {
    var read = try vocabulary(
      """
      {name: "chess", terms: [{text: "Winawer", pronunciations: ["w I n aU @r"]}, {text: "Old"}], entities: ["E"],
       phrases: [{text: "p"}], corrections: [{heard: "when our", text: "Winawer"}, {heard: "x", text: "No term"},
       {heard: "y", text: "Old"}]}
      """, "a.json5")
    var rows = read.rows
    #expect(rows[0] == VocabularyRow(term: "Winawer", soundsLike: ["w I n aU @r"], replaces: ["when our"]))
    rows[1] = VocabularyRow(term: "Queen's Gambit", soundsLike: ["queens gamble"], replaces: ["queens gamut"])
    read.rows = rows
    #expect(read.terms.map(\.text) == ["Winawer", "Queen's Gambit"])
    #expect(
      read.corrections.map { "\($0.recognized)>\($0.text)" } == [
        "x>No term", "when our>Winawer", "queens gamble>Queen's Gambit", "queens gamut>Queen's Gambit",
      ])
    #expect(read.rows[0] == rows[0])
    #expect(read.entities == ["E"] && read.phrases.count == 1)
  }

  /// An edit of one row leaves the others as they are: also a pronunciation that no symbols spell, and one of several words.
  @Test func pronunciationsStayWhatTheyAre() throws {
    var read = try vocabulary(
      #"""
      {name: "a", terms: [{text: "Winawer", pronunciations: ["w I n \"aU @r", "x y z!"]},
       {text: "Мой Дом", pronunciations: ["d o m"]}, {text: "東京", pronunciations: ["t o:"]}]}
      """#, "a.json5")
    let terms = read.terms
    read.rows += [VocabularyRow(term: "Benoni")]
    #expect(read.terms == terms + [.init(text: "Benoni")])
    #expect(read.corrections.isEmpty)
  }

  /// Two equal terms have their corrections once, however often the vocabulary is edited.
  @Test func editsDoNotRepeatCorrections() throws {
    var read = Vocabulary(name: "a")
    read.terms = [.init(text: "Grünfeld"), .init(text: "Grünfeld")]
    read.corrections = [.init(recognized: "green felt", text: "Grünfeld")]
    for number in 0..<4 { read.rows += [VocabularyRow(term: "Term\(number)")] }
    #expect(read.corrections.map(\.recognized) == ["green felt"])
    #expect(read.terms.count == 6)
    read.rows += [VocabularyRow(term: "Benoni", soundsLike: ["be no knee"], replaces: ["be no knee"])]
    #expect(read.corrections.map(\.recognized) == ["green felt", "be no knee"])
  }

  @Test func termsBeyondTheLimitOfRecognizersAreReported() throws {
    let many = (0...1000).map { "Term\($0)x" }.joined(separator: "\n")
    let findings = VocabularyCheck(try vocabulary(many, "a.txt")).findings.map(\.problem)
    #expect(findings.contains("there are 1001, and \(VocabularyUse.rule)"))
  }

  /// Whoever asks how many terms are used gets the same answer: before, from the page and from an error.
  @Test func ruleIsTheSameInAllPlaces() throws {
    var many = Vocabulary(name: "x")
    many.terms = (0...1000).map { Vocabulary.Term(text: "Term\($0)x") }
    let uses = VocabularyUse.all(of: many)
    for use in uses where use.by != "--normalize" {
      let isPhrases = use.note?.contains(VocabularyUse.rule) == true
      #expect(isPhrases == (use.by == "sherpa-onnx"), "\(use)")
      #expect(use.parts == ["terms"], "\(use)")
    }
    #expect(uses.first { $0.by == "whisper" }?.note == "in American English also by pocketsphinx")
    let error = TranscriptionError.tooManyPhrases(1001, limit: VocabularyUse.maxPhrases)
    #expect("\(error)".contains("there are 1001 phrases, and \(VocabularyUse.rule). "))
    let page = try String(
      contentsOf: URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../docs/vocabulary.md")
        .standardizedFileURL, encoding: .utf8)
    #expect(page.replacingOccurrences(of: "`", with: "").contains(VocabularyUse.rule))
  }
}
