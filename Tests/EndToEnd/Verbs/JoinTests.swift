#if os(Linux)
  import Foundation
  import Longhand
  import TestSupport
  import Testing

  /// Parts of one recording that are transcribed as one. The recognizer is scripted.
  @Suite(.tagged(.childProcess)) struct JoinTests {
    private let library: KillableLibrary

    init() throws {
      library = try KillableLibrary(pause: 1)
      let samples = try Recordings.samples(of: library.talk)
      // The first cut is in a word, the second in a pause.
      let cuts = [0, 22_001, samples.count / 4 + 777, samples.count / 2].map { $0 * 2 }
      for (number, (start, end)) in zip(cuts, cuts.dropFirst()).enumerated() {
        try Recordings.write(samples.subdata(in: start..<end), to: library.folder.path("\(number).wav"))
      }
    }

    private func document(_ arguments: String) async throws -> [String: Any] {
      let result = try await library.shell(
        "cd \(library.folder.url.path) && longhand transcribe \(arguments)")
      #expect(result.status == 0, "\(result.errors)")
      return try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    }

    @Test func partsGiveTheTranscriptOfTheWhole() async throws {
      var whole = try await document("--json talk.wav")
      var joined = try await document("--json --join 0.wav 1.wav 2.wav")
      #expect(joined["source"] as? String == "0.wav")
      #expect((joined["segments"] as? [Any])?.count == 3)
      whole["source"] = nil
      joined["source"] = nil
      #expect(joined as NSDictionary == whole as NSDictionary)
      let folder = library.folder.url.path
      let files = try await library.shell(
        "cd \(folder) && longhand transcribe --join 0.wav 1.wav 2.wav --format srt,tsv --output-dir out && ls out"
      )
      #expect(files.outputLines == ["0.srt", "0.tsv"])
    }

    @Test func offsetMovesAllTimes() async throws {
      let folder = library.folder.url.path
      let line = "cd \(folder) && longhand transcribe talk.wav --format"
      let (plain, moved) = (
        try await library.shell("\(line) srt,json --output-dir plain && cat plain/talk.srt"),
        try await library.shell("\(line) srt,json --output-dir moved --offset 3600 && cat moved/talk.srt")
      )
      #expect(plain.output.contains("00:00:0"))
      #expect(moved.output == plain.output.replacingOccurrences(of: "00:00:", with: "01:00:"))
      let starts = try ["plain", "moved"].map { name in
        try JSONDecoder().decode(
          Longhand.TranscriptDocument.self, from: Data(library.folder.read("\(name)/talk.json").utf8)
        ).segments.flatMap(\.words).map(\.start)
      }
      #expect(starts[0].count > 3)
      #expect(zip(starts[0], starts[1]).allSatisfy { abs($0 + 3600 - $1) < 0.001 })
    }

    @Test(arguments: [
      ("0.wav nosuch.wav", 1, "nosuch.wav: No such file."),
      ("0.wav bad.wav", 1, "'bad.wav'"),
      ("0.wav -", 2, "--join"),
      ("0.wav 1.wav --resume out", 2, "--join"),
      ("0.wav 1.wav --force -o 1.wav --format txt", 2, "1.wav is the input"),
    ])
    func whatCannotBeJoinedIsNamed(_ arguments: String, _ status: Int32, _ text: String) async throws {
      try library.folder.write("no audio", to: "bad.wav")
      let result = try await library.shell(
        "cd \(library.folder.url.path) && longhand transcribe --join \(arguments)")
      #expect(result.status == status)
      #expect(result.output.isEmpty)
      #expect(result.errors.contains(text), "\(result.errors)")
    }
  }
#endif
