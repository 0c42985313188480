import SentenceFormatting
import Testing

/// Where sentences end, in all writings. Captions, paragraphs, segments and the rules for marks ask the same place.
@Suite struct SentenceEndTests {
  @Test(arguments: [
    "late.", "late!", "late?", "late…", "late...", "home.\"", "home.”", "home!’", "Nein.“", "Nein.«",
    "oui. »", "sure?)",
    "no.')", "1999.", "I.", "да.", "وقت؟", "پایان۔", "أخوة.", "समाप्त।", "শেষ।", "վերջ։", "结束。", "结束！", "結束？」",
    "終わり。』", "終わり｡",
    "τέλος;", "እንኳን።", "ပြီး။", "ចប់។", "རྫོགས།", "אחווה!", "״שלום.״", "שלום?״", "สวัสดี?",
  ]) func endsOfAllWritings(_ word: String) {
    #expect(word.endsSentence)
  }

  @Test(arguments: [
    "late", "late,", "late;", "late:", "Dr.", "Mr.", "(Mrs.", "J.", "e.g.", "U.S.", "z.B.", "bzw.", "Nr.",
    "ул.", "3.5",
    "3,000", "早上，", "مثلا،", "そして、", "\"", ".)x", "—", "",
  ]) func otherWordsEndNone(_ word: String) {
    #expect(!word.endsSentence)
  }

  @Test(arguments: ["late,", "late;", "late:", "早上，", "مثلا،", "そして、", "ཡིན་,", "said,\"", "ဆို၊"])
  func partsOfSentencesEnd(_ word: String) {
    #expect(word.endsClause)
    #expect(!word.endsSentence)
  }

  @Test func aTextHasTheEndOfASentence() {
    #expect("He came. \"So".hasSentenceEnd)
    #expect(!"He saw Dr. Brown and".hasSentenceEnd)
    #expect("他来了。".hasSentenceEnd)
  }
}
