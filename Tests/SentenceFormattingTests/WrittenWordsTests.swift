import SentenceFormatting
import Testing

/// Words of all writings, and where a line may break.
@Suite struct WrittenWordsTests {
  private func words(_ text: String) -> [String] { text.writtenWords.map { String(text[$0]) } }

  @Test(arguments: [
    ("ต่างมีเหตุผลและมโนธรรม", ["ต่าง", "มี", "เหตุผล", "และ", "มโนธรรม"]),
    ("ມະນຸດທຸກຄົນເກີດມາ", ["ມະນຸດ", "ທຸກຄົນ", "ເກີດ", "ມາ"]),
    ("មនុស្សទាំងអស់មានសេរីភាព", ["មនុស្ស", "ទាំងអស់", "មាន", "សេរីភាព"]),
    ("လူတိုင်းသည် လွတ်လပ်သော", ["လူ", "တိုင်း", "သည်", "လွတ်လပ်", "သော"]),
    ("འགྲོ་བ་མིའི་རིགས།", ["འགྲོ་", "བ་", "མིའི་", "རིགས།"]),
    ("在尊严和权利上一律平等。", ["在", "尊严", "和", "权利", "上", "一律", "平等。"]),
    ("自由であり、平等", ["自由", "で", "あり、", "平等"]),
    // Kinsoku: no closing mark begins a line, no opening one ends it, and small letters stay with theirs.
    ("他说（你好）：“走吧！”", ["他", "说", "（你好）：", "“走", "吧！”"]),
    ("「はい。」と", ["「はい。」", "と"]), ("コーヒーちょっと", ["コーヒー", "ちょっと"]),
    // Neither within a number nor within a word of another writing.
    ("共3,000.50元和ChatGPT's答", ["共", "3,000.50", "元", "和", "ChatGPT's", "答"]),
    ("don't co-op 3,000", ["don't", "co-op", "3,000"]), ("", []), ("。", ["。"]),
  ]) func wordsAreThoseOfTheWriting(_ text: String, _ expected: [String]) {
    #expect(words(text) == expected)
  }

  @Test func noWordDividesACharacter() {
    let texts = ["น้ำใจดีที่สุดกำลัง", "ក្រុមប្រឹក្សា", "မြန်မာနိုင်ငံ", "がぎぐ", "か\u{3099}き\u{3099}", "👩‍👩‍👧‍👦东西"]
    for text in texts {
      let found = words(text)
      #expect(found.joined() == text)
      #expect(found.flatMap(Array.init) == Array(text))
    }
  }

  @Test(arguments: [
    ("abc", 3), ("café", 4), ("e\u{301}", 1), ("你好", 4), ("ﾊﾛｰ", 3), ("ハロー", 6), ("ＡＢ", 4), ("안녕", 4),
    ("น้ำใจ", 3),
    ("שָׁלוֹם", 4), ("👩‍👩‍👧‍👦", 2), ("、", 2), ("“a”", 3), ("", 0),
  ]) func fullWidthCharactersHaveTwoColumns(_ text: String, _ columns: Int) {
    #expect(text.columns == columns)
  }

  @Test(arguments: [
    (["ต่าง", "มี"], "ต่างมี"), (["你", "好"], "你好"), (["你好", "world"], "你好 world"), (["한국", "말"], "한국 말"),
    (["ລາວ", "ດີ"], "ລາວດີ"), (["", "one", "", "two"], "one two"),
  ]) func wordsAreJoinedAsTheirWritingDoes(_ words: [String], _ text: String) {
    #expect(words.joinedWords() == text)
  }
}
