import Foundation
import Longhand
import TestSupport
import Testing

@Suite(.tagged(.recognizer, .childProcess)) struct AlignTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test func wordsOfTheTextGetTimesInEachFormat() async throws {
    let text = try Recordings.reference(of: Recordings.long)
    try folder.write("\(text)!\nXylophones quietly juggle orange elephants.\n", to: "a.txt")
    let result = try await LonghandProcess.run(
      "align", Recordings.long, "a.txt", "--format", "json,vtt,ctm,textgrid", "--output-dir", "out",
      "--word-timestamps", in: folder.url)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("Not said: "))
    let stem = URL(fileURLWithPath: Recordings.long).deletingPathExtension().lastPathComponent
    func written(_ type: String) throws -> String {
      try String(contentsOfFile: folder.path("out/\(stem).\(type)"), encoding: .utf8)
    }
    let document = try JSONDecoder().decode(TranscriptDocument.self, from: Data(try written("json").utf8))
    let words = document.segments.flatMap(\.words)
    // In their order, as they are written; the recognizer does not find all of them.
    var rest = text.split(separator: " ").map(String.init)[...]
    for word in words.dropLast() {
      rest = rest.drop { $0 != word.text }
      #expect(rest.popFirst() == word.text)
    }
    #expect(words.count > 15)
    #expect(words.last?.end ?? 0 <= document.duration)
    #expect(try written("vtt").contains("<00:00:"))
    #expect(try written("ctm").split(separator: "\n").filter { !$0.hasPrefix(";") }.count == words.count)
    #expect(try written("textgrid").contains("\"\(words[0].text)\""))
  }

  /// The times are those of the sound, and nothing else is another byte.
  @Test func subtitlesAreRetimedInTheirFormat() async throws {
    let text = "The old house was built before the war. Nobody lives there any more."
    #expect(
      try await LonghandProcess.shell("flite -voice slt -t '\(text)' '\(folder.path("a.wav"))'").status == 0)
    func cues(_ first: String, _ second: String) -> String {
      "WEBVTT\r\n\r\nintro\r\n\(first) align:start\r\n<i>The old house</i>\r\nwas built before the war.\r\n"
        + "\r\n\(second)\r\nNobody lives there any more.\r\n"
    }
    try folder.write(cues("01:00.000 --> 01:02.500", "01:10.000 --> 01:12.000"), to: "a.vtt")
    let result = try await LonghandProcess.run("align", "a.wav", "a.vtt", in: folder.url)
    #expect(result.status == 0, "\(result.errors)")
    let times = result.output.matches(of: /\d\d:(\d\d\.\d{3}) --> \d\d:(\d\d\.\d{3})/)
    try #require(times.count == 2)
    #expect(result.output == cues(String(times[0].output.0), String(times[1].output.0)))
    #expect(Double(times[0].output.1) ?? 9 < 1)
    #expect(1.5...4 ~= Double(times[1].output.1) ?? 9)

    // In another format the cues stay, too.
    let other = try await LonghandProcess.run("align", "a.wav", "a.vtt", "-o", "a.srt", in: folder.url)
    #expect(other.status == 0, "\(other.errors)")
    let written = try String(contentsOfFile: folder.path("a.srt"), encoding: .utf8)
    #expect(written.contains("The old house was built before the war.\n\n2\n"))
    #expect(written.hasSuffix("Nobody lives there any more.\n"))
    let words = try await LonghandProcess.run(
      "align", "a.wav", "a.vtt", "--word-timestamps", in: folder.url)
    #expect(words.status == 2)
    #expect(words.errors.contains("would change the subtitles"))
    try folder.write("Text.", to: "none.srt")
    let none = try await LonghandProcess.run("align", "a.wav", "none.srt", in: folder.url)
    #expect(none.errors.contains("has no subtitles"))
  }

  /// The recognizer may write either form.
  @Test func numbersAreFoundAsFiguresAndAsWords() async throws {
    let line =
      "flite -voice slt -t 'The old house was built in nineteen ninety nine for five thousand dollars.'"
    #expect(try await LonghandProcess.shell("\(line) '\(folder.path("a.wav"))'").status == 0)
    func times(of text: String) async throws -> [[Substring]] {
      try folder.write(text, to: "a.txt")
      let result = try await LonghandProcess.run("align", "a.wav", "a.txt", "--format", "ctm", in: folder.url)
      #expect(result.status == 0)
      #expect(!result.errors.contains("Not said"), "\(result.errors)")
      return result.output.split(separator: "\n").map { $0.split(separator: " ") }
    }
    let figures = try await times(of: "The old house was built in 1999, for 5,000 dollars.")
    let words = try await times(
      of: "The old house was built in nineteen ninety-nine for five thousand dollars.")
    #expect(
      figures.map { $0[4] } == [
        "The", "old", "house", "was", "built", "in", "1999,", "for", "5,000", "dollars.",
      ])
    #expect(words.map { $0[4] }.dropFirst(6).prefix(2) == ["nineteen", "ninety-nine"])
    // From the first word to the end of the last one, up to rounding.
    func number(_ row: [Substring], _ column: Int) throws -> Double { try #require(Double(row[column])) }
    let end = try number(words[7], 2) + number(words[7], 3)
    #expect(abs(try number(figures[6], 2) - number(words[6], 2)) < 0.01)
    #expect(abs(try number(figures[6], 2) + number(figures[6], 3) - end) < 0.01)

    for (form, numbers) in [("spoken", ["nineteen", "ninety", "nine"]), ("written", ["1999"])] {
      let result = try await LonghandProcess.run("transcribe", "a.wav", "--numbers", form, in: folder.url)
      for number in numbers { #expect(result.output.contains(number), "\(result.output)") }
    }
  }

  @Test(arguments: ["json", "jsonl", "rttm", "txt,json"]) func formatWithoutNumbersIsRefused(_ format: String)
    async throws
  {
    try folder.write("—", to: "a.wav")
    for verb in [["transcribe", "a.wav"], ["export", "last"]] {
      let result = try await LonghandProcess(
        verb + ["--numbers", "spoken", "--format", format, "--output-dir", "out"], in: folder.url
      ).result()
      #expect(result.status == 2)
      #expect(result.errors.contains("has no other numbers"), "\(result.errors)")
    }
    let result = try await LonghandProcess.run("transcribe", "a.wav", "--numbers", "roman", in: folder.url)
    #expect(result.status == 2)
    #expect(result.errors.contains("spoken"), "\(result.errors)")
  }

  @Test(arguments: [
    (["align"], "AUDIO is missing"), (["align", "a.wav"], "TEXTFILE is missing"),
    (["align", "-", "-"], "only once"), (["align", "a.wav", "none.txt"], "No such file"),
    (["align", "a.wav", "empty.txt"], "no words"),
  ])
  func mistakesAreNamed(_ arguments: [String], _ message: String) async throws {
    try folder.write("—\n", to: "a.wav")
    try folder.write(" \n", to: "empty.txt")
    let result = try await LonghandProcess(arguments, in: folder.url).result()
    #expect(result.status != 0)
    #expect(result.errors.contains(message), "\(result.errors)")
  }
}
