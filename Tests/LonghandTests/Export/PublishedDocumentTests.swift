import Foundation
import Longhand
import Testing

@testable import LonghandTranscription

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
    #expect(page.contains("<h1>my talk #1.wav</h1>"))
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
        4 ['my talk #1.wav', '00:01:03', '00:00:01 Tom & Anna <b> "said"', \
        '00:00:10 [no words recognized 0:10–0:12]', '00:01:02 Yes.']
        ['my%20talk%20%231.wav#t=1.500', 'my%20talk%20%231.wav#t=10.000', 'my%20talk%20%231.wav#t=62.000']

        """)
    #expect(data == TranscriptFormatter(format: .docx, style: .words).data(for: transcript()))
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
