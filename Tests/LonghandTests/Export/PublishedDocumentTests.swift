import Foundation
import Longhand
import Testing

@testable import LonghandTranscription
@testable import LonghandTranscripts

/// The documents `html` and `docx`, and times that are moved.
@Suite struct PublishedDocumentTests {
  private func transcript() -> Transcript {
    var segments = [("Tom & Anna <b> \"said\"", 1.5), ("Yes.", 62.0)].map { text, start in
      Segment(
        id: 0, start: start, end: start + 1,
        candidates: [
          Candidate(text: text, words: [Word(text: text, start: start, end: start + 0.5, confidence: 1)])
        ])
    }
    segments[1].id = 1
    return Transcript(
      source: "my talk #1.wav", locale: "en-US", engine: "analyzer", duration: 63, segments: segments,
      spans: [CoverageSpan(start: 10, end: 12, kind: .wordless)])
  }

  @Test func pageHasEscapedTextAndLinksIntoTheAudio() throws {
    let page = TranscriptFormatter(format: .html, style: .words).string(for: transcript())
    #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en-US\">"))
    #expect(page.contains("<h1>my talk #1</h1>"))
    #expect(page.contains("Tom &amp; Anna &lt;b&gt; &quot;said&quot;</span></p>"))
    #expect(
      page.contains(
        "<a href=\"my%20talk%20%231.wav#t=62.000\">00:01:02</a> <span dir=\"auto\">Yes.</span></p>"))
    #expect(page.contains("[no words recognized 0:10–0:12]"))
    #expect(!page.contains("<script") && !page.contains("http"))
  }

  /// A consumer reads it: Python's archive and XML modules.
  @Test func documentIsReadByOthers() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).docx")
    defer { try? FileManager.default.removeItem(at: file) }
    let data = TranscriptFormatter(format: .docx, style: .words).data(for: transcript())
    try data.write(to: file)
    let script = """
      import sys, zipfile, xml.etree.ElementTree as tree
      archive = zipfile.ZipFile(sys.argv[1]); assert archive.testzip() is None
      names = archive.namelist(); [tree.fromstring(archive.read(name)) for name in names]
      word = '{http://schemas.openxmlformats.org/wordprocessingml/2006/main}'
      body = tree.fromstring(archive.read('word/document.xml'))
      print(len(names), [''.join(t.text for t in p.iter(word + 't')) for p in body.iter(word + 'p')])
      print([r.get('Target') for r in tree.fromstring(archive.read('word/_rels/document.xml.rels'))])
      """
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script, file.path]
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(
      output == """
        7 ['my talk #1', '00:01:03 · English', '00:00:01Tom & Anna <b> "said"', \
        '00:00:10[no words recognized 0:10–0:12]', '00:01:02Yes.']
        ['styles.xml', 'footer.xml', 'my%20talk%20%231.wav#t=1.500', 'my%20talk%20%231.wav#t=10.000', 'my%20talk%20%231.wav#t=62.000']

        """)
    #expect(data == TranscriptFormatter(format: .docx, style: .words).data(for: transcript()))
  }

  /// Such as a session that a person named.
  private func named() -> Transcript {
    var transcript = transcript()
    (transcript.title, transcript.date) = ("Interview with <Ann>, part 1.5", Date(timeIntervalSince1970: 1e9))
    transcript.segments[1].candidates[0].language = "de-DE"
    transcript.segments[0].speaker = SpeakerLabel(speaker: "a", basis: .person)
    transcript.speakers = [
      Speaker(id: "a", name: "Ann & Co", basis: .person, seconds: 1),
      Speaker(id: "b", name: "Ben", basis: .person, seconds: 1),
    ]
    return transcript
  }

  @Test(arguments: [
    (TranscriptFormat.md, "# Interview with \\<Ann\\>, part 1.5\n\n", "Ann \\& Co, Ben\n\n[00:00:01]"),
    (.html, "<h1>Interview with &lt;Ann&gt;, part 1.5</h1>\n<p class=\"facts\">", "Ann &amp; Co, Ben</p>\n"),
    (.docx, "Interview with &lt;Ann&gt;, part 1.5</w:t>", "Ann &amp; Co, Ben</w:t>"),
  ])
  func documentsBeginWithTitleDateLengthLanguagesAndPeople(
    _ format: TranscriptFormat, _ title: String, _ people: String
  ) {
    let document = TranscriptFormatter(format: format, style: .words).string(for: named())
    #expect(document.contains(title))
    // The time is that of the place where it is read.
    #expect(document.contains(/9 September 2001( at |, )\d\d:\d\d/))
    #expect(document.contains(" · 00:01:03 · English, German · \(people)"))
  }

  /// Word processors list them, and a reader can change them at once.
  @Test func documentHasStylesForHeadingTextTimesAndSpeakers() {
    let document = TranscriptFormatter(format: .docx, style: .words).string(for: named())
    for style in ["Title", "Subtitle", "Transcript"] {
      #expect(document.contains("<w:pStyle w:val=\"\(style)\"/>"), "\(style)")
    }
    #expect(
      document.contains("<w:rStyle w:val=\"Timestamp\"/></w:rPr><w:t xml:space=\"preserve\">00:00:01</w:t>"))
    #expect(
      document.contains(
        "<w:rStyle w:val=\"Speaker\"/></w:rPr><w:t xml:space=\"preserve\">Ann &amp; Co:</w:t>"))
    #expect(document.contains("<w:rStyle w:val=\"Remark\"/>"))
    let styles = WordStyles(language: "en-US").text("")
    for name in WordStyles.Name.allCases {
      #expect(styles.contains("w:styleId=\"\(name.rawValue)\""), "\(name)")
    }
  }

  @Test(
    arguments: [
      (nil, "a/talk 1.wav", "talk 1", "talk 1"), ("Dr. Smith", "talk.wav", "Dr. Smith", "Dr. Smith"),
      ("Talk.wav", "talk.wav", "Talk", "Talk"), ("a/b: \"c\"", "talk.wav", "a/b: \"c\"", "ab c"),
      ("", "..", "..", "transcript"), (nil, "", "Transcript", "Transcript"), (" \n", ".wav", ".wav", "wav"),
    ] as [(String?, String, String, String)])
  func titleIsTheNameOrThatOfTheFile(_ name: String?, _ source: String, _ text: String, _ stem: String) {
    let title = RecordingTitle(name: name, source: source)
    #expect(title.text == text)
    #expect(title.fileStem == stem)
  }

  /// A file system counts bytes, and no character is cut.
  @Test(arguments: ["会议记录", "Besprechung ", "ประชุม", "🇩🇪", "é"])
  func fileNameFitsWhateverItsWriting(_ part: String) {
    let name = String(repeating: part, count: 100)
    let stem = RecordingTitle(name: name, source: "talk.wav").fileStem
    #expect(stem.utf8.count <= 200)
    #expect(name.hasPrefix(stem))
    #expect(stem.utf8.count > 190 || stem.count == 100)
  }

  @Test(arguments: [TranscriptFormat.srt, .vtt, .tsv, .ctm, .rttm, .json, .jsonl, .textgrid, .md])
  func offsetIsAddedToAllTimes(_ format: TranscriptFormat) {
    var formatter = TranscriptFormatter(format: format, wordTimestamps: true, style: .words)
    formatter.offset = 3600
    let document = formatter.string(for: transcript())
    formatter.offset = 0
    let moved = formatter.string(for: transcript().moved(by: 3600))
    #expect(document == moved)
    #expect(document != formatter.string(for: transcript()))
    for time in ["1.5", "00:00:01", "62", "00:01:02"] {
      #expect(!document.contains(" \(time)") && !document.contains("\n\(time)"), "\(document)")
    }
  }
}
