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

  @Test(arguments: [
    (["align"], "AUDIO is missing"), (["align", "a.wav"], "TEXT is missing"),
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
