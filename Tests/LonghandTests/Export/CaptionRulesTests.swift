import Foundation
import SentenceFormatting
import Testing

@testable import LonghandTranscripts

/// Captions of many languages and writings, checked by one program: columns, lines, time, reading speed, where lines break, and
/// where sentences begin. The texts are from the Universal Declaration of Human Rights.
@Suite struct CaptionRulesTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let locale: String
    /// Columns a second in which it is said.
    let speed: Double
    let text: String
    var testDescription: String { locale }
  }

  static let samples = [
    Sample(
      locale: "en-US", speed: 15,
      text: """
        All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and should \
        act towards one another in a spirit of brotherhood. Everyone has the right to life, liberty and security of person. No \
        one shall be held in slavery or servitude; slavery and the slave trade shall be prohibited in all their forms.
        """),
    Sample(
      locale: "de-DE", speed: 15,
      text: """
        Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen \
        einander im Geist der Brüderlichkeit begegnen. Jeder hat das Recht auf Leben, Freiheit und Sicherheit der Person.
        """),
    Sample(
      locale: "fr-FR", speed: 15,
      text: """
        Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience et \
        doivent agir les uns envers les autres dans un esprit de fraternité. Tout individu a droit à la vie, à la liberté et à \
        la sûreté de sa personne.
        """),
    Sample(
      locale: "ru-RU", speed: 15,
      text: """
        Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны поступать \
        в отношении друг друга в духе братства. Каждый человек имеет право на жизнь, на свободу и на личную неприкосновенность.
        """),
    Sample(
      locale: "ar", speed: 13,
      text: """
        يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح الإخاء. لكل فرد \
        الحق في الحياة والحرية وسلامة شخصه. هل تعرف ذلك؟ لا يجوز استرقاق أو استعباد أي شخص.
        """),
    Sample(
      locale: "he-IL", speed: 12,
      text: """
        כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון, לפיכך חובה עליהם לנהוג איש ברעהו ברוח \
        של אחווה. כל אדם יש לו הזכות לחיים, לחירות ולביטחון אישי.
        """),
    Sample(
      locale: "hi-IN", speed: 13,
      text: """
        सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। उन्हें बुद्धि और अन्तरात्मा की देन प्राप्त है और परस्पर उन्हें भाईचारे के \
        भाव से बर्ताव करना चाहिए। प्रत्येक व्यक्ति को जीवन, स्वाधीनता और वैयक्तिक सुरक्षा का अधिकार है।
        """),
    Sample(
      locale: "th-TH", speed: 11,
      text: """
        มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม และควรปฏิบัติต่อกันด้วยเจตนารมณ์แห่งภราดรภาพ \
        คนทุกคนมีสิทธิในการดำรงชีวิต เสรีภาพ และความมั่นคงแห่งตัวตน
        """),
    Sample(
      locale: "zh-CN", speed: 10,
      text: """
        人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。人人有资格享有本宣言所载的一切权利和自由，不分种族、肤色、性别、语言、\
        宗教、政治或其他见解、国籍或社会出身、财产、出生或其他身份等任何区别。（1948年12月10日）大会通过了3,000.5份“宣言”。
        """),
    Sample(
      locale: "ja-JP", speed: 10,
      text: """
        すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。\
        「すべての人は、生命、自由及び身体の安全に対する権利を有する。」とコーヒーを飲みながら言った。
        """),
    Sample(
      locale: "ko-KR", speed: 12,
      text: """
        모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다. \
        모든 사람은 생명과 신체의 자유와 안전에 대한 권리를 가진다.
        """),
    Sample(
      locale: "hy-AM", speed: 13,
      text: """
        Բոլոր մարդիկ ծնվում են ազատ ու հավասար՝ իրենց արժանապատվությամբ և իրավունքներով։ Նրանք օժտված են բանականությամբ ու խղճով \
        և միմյանց պետք է եղբայրաբար վերաբերվեն։
        """),
  ]

  /// The text as a recognizer reports it, in one segment.
  static func transcript(_ sample: Sample) -> Transcript {
    var position = 1.0
    let words = sample.text.writtenWords.map { range in
      let text = String(sample.text[range])
      let length = Double(text.columns + 1) / sample.speed
      // A pause after each sentence.
      defer { position += length + (text.endsSentence ? 0.3 : 0) }
      return Word(text: text, start: position, end: position + length, confidence: 0.9)
    }
    return Transcript(
      source: "a.wav", locale: sample.locale, engine: "analyzer", duration: position + 1,
      segments: [
        Segment(
          id: 0, start: 1, end: words.last?.end ?? 1,
          candidates: [Candidate(text: sample.text, words: words, confidence: 0.9)])
      ], coverage: Coverage())
  }

  @Test(arguments: [
    ("en-US", 20), ("de-DE", 20), ("th-TH", 20), ("ar-EG", 23), ("hi-IN", 25), ("ja-JP", 14), ("ko-KR", 28),
    ("zh-TW", 22),
  ])
  func columnsOfASecondDependOnTheLanguage(_ locale: String, _ columns: Int) {
    #expect(ReadingSpeed(of: locale).time(of: columns) == 1000)
  }

  @Test(arguments: samples) func captionsKeepTheRules(_ sample: Sample) {
    let captions = CaptionWriter().captions(of: Self.transcript(sample))
    let checker = CaptionChecker(text: sample.text, locale: sample.locale)
    #expect(checker.faults(captions) == [])
    #expect(captions.count > 1)
  }

  @Test(arguments: samples) func eachWordIsACaptionOrAToken(_ sample: Sample) {
    let transcript = Self.transcript(sample)
    let captions = CaptionWriter(isByWord: true).captions(of: transcript)
    #expect(captions.flatMap(\.texts) == sample.text.writtenWords.map { String(sample.text[$0]) })
    for caption in captions { #expect(caption.end.count - caption.start.count >= 20) }
  }

  /// Characters as words, as recognizers report them that know no words: a line breaks between words all the same.
  @Test(arguments: samples.filter { ["zh-CN", "ja-JP"].contains($0.locale) })
  func charactersAreJoinedToWords(_ sample: Sample) {
    var transcript = Self.transcript(sample)
    transcript.segments[0].candidates[0].words = transcript.segments[0].words.flatMap { word in
      let length = (word.end - word.start) / Double(word.text.count)
      return word.text.enumerated().map {
        Word(
          text: String($1), start: word.start + length * Double($0),
          end: word.start + length * Double($0 + 1),
          confidence: 0.9)
      }
    }
    let captions = CaptionWriter().captions(of: transcript)
    #expect(CaptionChecker(text: sample.text, locale: sample.locale).faults(captions) == [])
  }
}

/// What is wrong with captions, but for what single words force.
struct CaptionChecker {
  let text: String
  let locale: String

  func faults(_ captions: [Caption]) -> [String] {
    let lines = captions.flatMap(\.texts)
    var faults: [String] = []
    if lines.joined().filter({ !$0.isWhitespace }) != text.filter({ !$0.isWhitespace }) {
      faults.append("other words")
    }
    let words = Set(text.writtenWords.map { String(text[$0]) })
    let starts = Set(text.writtenWords.map { offset(text[..<$0.lowerBound]) })
    var position = 0
    for line in lines {
      if line.columns > 42, !words.contains(line) { faults.append("\(line.columns) columns: \(line)") }
      if !starts.contains(position) { faults.append("begins within a word: \(line)") }
      if let first = line.first, "。，、！？）」』】》：；”’ーっゃゅょ々.,!?)".contains(first) {
        faults.append("begins with a mark: \(line)")
      }
      if let last = line.last, "（「『【《“‘(".contains(last) {
        faults.append("ends with an opening mark: \(line)")
      }
      position += offset(line)
    }
    for (index, caption) in captions.enumerated() {
      let time = caption.end.count - caption.start.count
      if caption.lines.count > 2 { faults.append("\(caption.lines.count) lines") }
      if time > 7000 || time < 1000 { faults.append("\(time) ms: \(caption.texts)") }
      if time < ReadingSpeed(of: locale).time(of: caption.texts.reduce(-1) { $0 + $1.columns + 1 }) {
        faults.append("too fast, \(time) ms: \(caption.texts)")
      }
      let tokens = caption.lines.joined().map(\.text)
      // A sentence of several captions begins with one.
      if tokens.dropLast().contains(where: \.endsSentence), tokens.last?.endsSentence == false {
        faults.append("begins a sentence at its end: \(caption.texts)")
      }
      if index > 0, caption.start < captions[index - 1].end { faults.append("overlaps: \(caption.texts)") }
    }
    return faults
  }

  /// Characters without spaces.
  private func offset(_ text: some StringProtocol) -> Int { text.count { !$0.isWhitespace } }
}
