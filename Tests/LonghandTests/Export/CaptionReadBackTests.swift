import Foundation
import TestSupport
import Testing

@testable import LonghandTranscripts

/// Captions as a player reads them: FFmpeg finds each of them, at its time.
@Suite(.tagged(.childProcess)) struct CaptionReadBackTests {
  struct Times: Hashable {
    var start: Int
    var end: Int
  }

  private struct Packets: Decodable {
    struct Packet: Decodable {
      var pts_time: String
      var duration_time: String
    }
    var packets: [Packet]
  }

  static let cases: [(seed: UInt64, words: Bool, layout: CaptionLayout)] = (0..<16).map {
    (
      $0, $0 % 2 == 1,
      $0 % 4 < 2 ? CaptionLayout() : CaptionLayout(maxLineWidth: Int($0) + 4, maxLineCount: 2)
    )
  }

  /// The times of the packets that the demultiplexer finds.
  private func packets(_ file: URL) throws -> [Times] {
    let output = try Program.output(
      of: ["ffprobe", "-v", "error", "-show_packets", "-of", "json", file.path])
    return try JSONDecoder().decode(Packets.self, from: Data(output.utf8)).packets.map {
      let start = (Double($0.pts_time) ?? -1) * 1000
      return Times(
        start: Int(start.rounded()), end: Int((start + (Double($0.duration_time) ?? -1) * 1000).rounded()))
    }
  }

  /// The times of the captions after FFmpeg has decoded them and written them anew.
  private func decoded(_ file: URL) throws -> [Times] {
    let output = try Program.output(
      of: ["ffmpeg", "-nostdin", "-v", "error", "-i", file.path, "-f", "webvtt", "-"])
    // FFmpeg escapes nothing when it writes, so that a text may look almost like a line of times.
    return try output.split(separator: "\n").compactMap { line in
      try /([\d:]+\.\d{3}) --> ([\d:]+\.\d{3})/.wholeMatch(in: line).map {
        Times(start: Self.milliseconds($0.1), end: Self.milliseconds($0.2))
      }
    }
  }

  private static func milliseconds(_ clock: Substring) -> Int {
    Int(
      (clock.split(separator: ":").reduce(0) { $0 * 60 + (Double($1) ?? -1) } * 1000).rounded())
  }

  @Test(arguments: cases) func subRipIsWritten(seed: UInt64, words: Bool, layout: CaptionLayout) throws {
    let transcript = RandomTranscripts.transcript(seed: seed)
    let expected = CaptionWriter(layout: layout, isByWord: words).captions(of: transcript.inParagraphs).map {
      Times(start: $0.start.count, end: $0.end.count)
    }
    try Folder.temporary { folder in
      let file = folder.appendingPathComponent("captions.srt")
      let formatter = TranscriptFormatter(format: .srt, layout: layout, wordTimestamps: words, style: .words)
      try formatter.string(for: transcript).write(to: file, atomically: true, encoding: .utf8)
      guard !expected.isEmpty else { return }
      #expect(try packets(file) == expected)
      #expect(try decoded(file) == expected)
    }
  }

  /// What FFmpeg shows of a SubRip caption: its decoder removes tags, and a renderer hides what stands in braces.
  @Test(arguments: [
    "<inaudible> AT&T A <b>x {\\an8}x learn", "{x}", "<font color=red>y</font>", "</i>z", "a < b > c",
    "{\\b1}{y:i}all", "<<b>>", "i<3 you", "-->", "<v Anna>hello",
  ]) func subRipShowsAllWords(_ text: String) throws {
    let segment = Segment(
      id: 0, start: 1, end: 6, candidates: [Candidate(text: text, words: [], confidence: nil)])
    try Folder.temporary { folder in
      let file = folder.appendingPathComponent("captions.srt")
      let transcript = Transcript(
        source: "a.wav", locale: "en-US", engine: "analyzer", duration: 7, segments: [segment],
        coverage: Coverage())
      let layouts = [CaptionLayout(), CaptionLayout(maxLineWidth: 9, maxLineCount: 9), .segments]
      for layout in layouts {
        let written = TranscriptFormatter(format: .srt, layout: layout, style: .words).string(for: transcript)
        try written.write(to: file, atomically: true, encoding: .utf8)
        let output = try Program.output(
          of: ["ffmpeg", "-nostdin", "-v", "error", "-i", file.path, "-f", "ass", "-"])
        let captions = output.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("Dialogue:") }
          .map { $0.split(separator: ",", maxSplits: 9, omittingEmptySubsequences: false).last ?? "" }
        let shown = captions.joined(separator: " ").replacing(#/\{[^}]*\}/#, with: "")
          .replacingOccurrences(of: "\\N", with: " ").precomposedStringWithCompatibilityMapping
        #expect(
          shown.filter { !$0.isWhitespace }
            == text.replacingOccurrences(of: "-->", with: "-- >").filter { !$0.isWhitespace })
      }
    }
  }

  @Test(arguments: cases) func webVTTIsWritten(seed: UInt64, words: Bool, layout: CaptionLayout) throws {
    let transcript = RandomTranscripts.transcript(seed: seed)
    let expected = CaptionWriter(layout: layout).captions(of: transcript.inParagraphs).map {
      Times(start: $0.start.count, end: $0.end.count)
    }
    try Folder.temporary { folder in
      let file = folder.appendingPathComponent("captions.vtt")
      let formatter = TranscriptFormatter(format: .vtt, layout: layout, wordTimestamps: words, style: .words)
      let text = formatter.string(for: transcript)
      try text.write(to: file, atomically: true, encoding: .utf8)
      // Each caption has one line of times, and no text looks like one.
      #expect(text.components(separatedBy: "-->").count - 1 == expected.count)
      #expect(try packets(file) == expected)
      guard !expected.isEmpty else { return }
      #expect(try decoded(file) == expected)
    }
  }
}
