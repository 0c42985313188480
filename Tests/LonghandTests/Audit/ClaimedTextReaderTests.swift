import Foundation
import Longhand
import Testing

@testable import LonghandVocabulary

@Suite struct ClaimedTextReaderTests {
  private func parts(_ text: String, _ format: ClaimedTextReader.Format) throws -> [String] {
    try ClaimedTextReader(file: "a").read(Data(text.utf8), format).parts.map { part in
      let times = part.start.map { start in "\(start)–\(part.end.map { "\($0)" } ?? "") " } ?? ""
      return times + (part.speaker.map { "\($0)> " } ?? "") + part.words.map(\.text).joined(separator: " ")
    }
  }

  @Test(arguments: [
    // Subtitles: tags, numbers alone, styles, a missing blank line, hours or none.
    (
      ClaimedTextReader.Format.srt,
      "\u{FEFF}1\n00:00:01,500 --> 00:00:02,000\n<i>Hello</i> {\\an8}there\n42\n\n2\n00:00:03,000 --> 00:00:04,000\nBye\n3\n01:00:03,000 --> 01:00:04,000\nend\n",
      ["1.5–2.0 Hello there 42", "3.0–4.0 Bye", "3603.0–3604.0 end"]
    ),
    (
      .vtt,
      "WEBVTT - x\n\nNOTE no text\n\nSTYLE\n::cue {}\n\nid\n00:01.000 --> 00:02.000 align:left\n<v.loud Anna>Hi &amp; <00:00:01.500>bye</v>\n",
      ["1.0–2.0 Anna> Hi & bye"]
    ),
    (.txt, "[00:01:02] Hello there.\r\n\r\n(1:05) It is 10:30 now.\n", ["Hello there.", "It is 10:30 now."]),
    (.txt, "[00:00.000 --> 00:02.000]  Hello", ["Hello"]),
    (
      .html,
      "<!DOCTYPE html><head><title>no</title></head><p>One &lt;two&gt; &#233;&#x41;</p><!-- <p>no --><script>no()</script><p>Three<br>four",
      ["One <two> éA", "Three", "four"]
    ),
    // whisper, faster-whisper, WhisperX, OpenAI; whisper.cpp; transformers; oTranscribe; a text alone; Longhand's lines.
    (
      .json,
      #"{"text": "x", "segments": [{"start": 0, "end": 1.5, "text": " Hi.", "speaker": "SPEAKER_00"}, {"text": ""}]}"#,
      ["0.0–1.5 SPEAKER_00> Hi."]
    ),
    (.json, #"{"transcription": [{"offsets": {"from": 500, "to": 1000}, "text": " Hi"}]}"#, ["0.5–1.0 Hi"]),
    (.json, #"{"chunks": [{"timestamp": [0.5, null], "text": "Hi"}]}"#, ["0.5– Hi"]),
    (.json, #"[{"start": "1.5", "text": "Hi"}]"#, ["1.5– Hi"]),
    (
      .otr,
      #"{"text": "<p><span class=\"timestamp\">00:01</span>Hi&nbsp;there</p><p>Bye</p>", "media": "a.wav"}"#,
      ["Hi there", "Bye"]
    ),
    // Names before words, and times.
    (
      .html, "<p><a>00:00:01</a> <b>Anna:</b> Hi</p><p>00:00:02 Anna: Note: bye</p><p>Note: end</p>",
      ["Anna> Hi", "Anna> Note: bye", "Note: end"]
    ),
    // A number that speaks once is a speaker beside one that speaks twice; a step is none.
    (
      .txt, "Speaker 1: Hi\n\nSpeaker 2: Oh\n\nSpeaker 1: Bye\n\nStep 1: Go\n\nStep 2: Stay",
      ["Speaker 1> Hi", "Speaker 2> Oh", "Speaker 1> Bye", "Step 1: Go", "Step 2: Stay"]
    ),
    (
      .txt, "Говорящий 1: Да\n\nГоворящий 2: Нет\n\nГоворящий 1: Да",
      ["Говорящий 1> Да", "Говорящий 2> Нет", "Говорящий 1> Да"]
    ),
    (.json, #"{"text": "Hi there"}"#, ["Hi there"]),
    (
      .jsonl,
      "{\"type\": \"final\", \"start\": 1, \"end\": 2, \"text\": \"Hi\"}\n{\"type\": \"end\", \"text\": \"no\"}\n",
      ["1.0–2.0 Hi"]
    ),
  ]) func programsTextsAreRead(format: ClaimedTextReader.Format, text: String, expected: [String]) throws {
    #expect(try parts(text, format) == expected)
  }

  /// A document of Longhand's own, through Python's archive module, too.
  @Test func wordDocumentsAreRead() throws {
    let segment = Segment(
      id: 0, start: 1, end: 2,
      candidates: [
        Candidate(text: "Tom & Anna.", words: [Word(text: "Tom", start: 1, end: 2, confidence: 1)])
      ])
    let transcript = Transcript(
      source: "a.wav", locale: "en-US", engine: "e", duration: 3, segments: [segment],
      coverage: Coverage(transcribed: 3))
    let data = TranscriptFormatter(format: .docx, style: .words).data(for: transcript)
    let text = try ClaimedTextReader(file: "a").read(data, .docx)
    #expect(text.words.map(\.text).suffix(3) == ["Tom", "&", "Anna."])
    #expect(throws: EvaluationInputError.self) {
      try ClaimedTextReader(file: "a").read(Data(data.prefix(data.count / 3)), .docx)
    }
  }

  /// The headings, remarks and second texts of Longhand's own documents are nothing that was said.
  @Test(arguments: [
    (TranscriptFormat.html, ClaimedTextReader.Format.html), (.docx, .docx), (.md, .txt), (.txt, .txt),
  ])
  func ownDocumentsHaveOnlyWhatWasSaid(written: TranscriptFormat, read: ClaimedTextReader.Format) throws {
    let segments = ["Tom saw Anna.", "Guten Tag.", "你好。"].enumerated().map { id, text in
      Segment(
        id: id, start: Double(id) * 10 + 1, end: Double(id) * 10 + 2,
        candidates: [Candidate(text: text, words: [], confidence: nil)])
    }
    var transcript = Transcript(
      source: "talk.wav", locale: "en-US", engine: "e", duration: 63, segments: segments,
      spans: [CoverageSpan(start: 3, end: 10, kind: .wordless)])
    transcript.title = "Budget meeting"
    transcript.date = Date(timeIntervalSince1970: 0)
    var (normalized, translated) = (transcript, transcript)
    normalized.normalized = NormalizedTranscript(
      text: "Thomas saw Anna.", occurrences: [.init(term: "Thomas", source: 0..<3)])
    translated.translation = Translation(
      model: "whisper-base", passages: [.init(start: 1, end: 2, text: "Never said in it.")])
    var formatter = TranscriptFormatter(format: written, style: .words)
    formatter.marksWordless = true
    for transcript in [normalized, translated] {
      let text = try ClaimedTextReader(file: "a").read(formatter.data(for: transcript), read)
      #expect(text.words.map(\.text) == ["Tom", "saw", "Anna.", "Guten", "Tag.", "你好。"])
    }
  }

  /// Titles of other programs' pages are a part of the text.
  @Test func headingsOfOtherDocumentsStay() throws {
    let page = "<h1>One</h1><p class=\"remark\">two</p><h2>Normalized by hand</h2><p>three</p>"
    #expect(try parts(page, .html) == ["One", "two", "Normalized by hand", "three"])
    #expect(try parts("# One\n\ntwo\n\n## Normalized\n\nthree", .txt).count == 4)
  }

  @Test(arguments: [
    (ClaimedTextReader.Format.txt, Data(), "a: has no words"),
    (.txt, Data([0xFF, 0xFE, 0x41]), "a: is not UTF-8; convert it, for example with iconv"),
    (.srt, Data("Hello".utf8), "a: has no words"), (.json, Data("{".utf8), "a: is not valid JSON"),
    (.json, Data("3".utf8), "a: has no segments and no text"),
    (.docx, Data("x".utf8), "a: is not a Word document: it has no word/document.xml"),
    (.html, Data("<script>".utf8), "a: has no words"),
  ]) func damagedTextsSayWhatIsWrong(format: ClaimedTextReader.Format, data: Data, message: String) {
    #expect {
      try ClaimedTextReader(file: "a").read(data, format)
    } throws: {
      "\($0)" == message
    }
  }

  /// Nothing in a text makes reading it fail in another way.
  @Test func damagedMarkupIsRead() {
    for text in ["<", "<p", "&#x110000;&#;&x;", "<!--", "<script", "</script><b>x", "<p/><p / >x"] {
      _ = MarkupReader.html.paragraphs(in: text)
    }
    #expect(MarkupReader.html.paragraphs(in: "a &#x110000; &nope; b") == ["a &#x110000; &nope; b"])
  }
}
