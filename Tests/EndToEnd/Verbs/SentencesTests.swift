import Foundation
import Longhand
import TestSupport
import Testing

extension StoredSessionTests {
  /// Capitals and marks are a layer over the words: without them, the text is the words.
  @Suite struct SentencesTests {
    /// In `make soak` also the recordings of `BENCH_AUDIO`, such as those of the figures in docs/measurements.md.
    private static let recordings: [String] = {
      guard isSoak, let folder = ProcessInfo.processInfo.environment["BENCH_AUDIO"] else {
        return Recordings.sample
      }
      let manifest = (try? String(contentsOfFile: "\(folder)/dev/manifest.tsv", encoding: .utf8)) ?? ""
      return Recordings.sample
        + manifest.split(separator: "\n").compactMap { line in
          line.split(separator: "\t").first.map { "\(folder)/dev/\($0)" }
        }.filter { FileManager.default.fileExists(atPath: $0) }
    }()

    private static func words(_ text: String) -> [String] {
      text.lowercased().split(separator: " ").map { $0.trimmingCharacters(in: [".", ",", "?"]) }
    }

    /// The second text beside the first has marks and capitals of its own.
    @Test func shownSecondTextIsWrittenInSentences() async throws {
      let folder = try TemporaryFolder()
      var vocabulary = Vocabulary(name: "names")
      vocabulary.corrections = [.init(recognized: "slabs of", text: "Slabz Off")]
      try TextSession.write(
        [["weasels", "have", "eaten", "slabs", "of", "bread"]], locale: "en-US", spellings: vocabulary,
        to: folder.path("library"))
      let shown = try await LonghandProcess.run(
        "show", "last", "--normalize", environment: ["LONGHAND_LIBRARY": folder.path("library")])
      #expect(shown.output.contains("normalized: Weasels have eaten Slabz Off bread."), "\(shown.output)")
    }

    @Test(arguments: Set(recordings).sorted())
    func textInSentencesIsTheWords(_ recording: String) async throws {
      let result = try await Recordings.transcribed(recording, "--json")
      #expect(result.status == 0, "\(result.errors)")
      let document = try JSONDecoder().decode(
        Longhand.TranscriptDocument.self, from: Data(result.output.utf8))
      for segment in document.segments {
        #expect(Self.words(segment.formatted) == Self.words(segment.text))
        #expect(Self.words(segment.formatted) == segment.words.flatMap { Self.words($0.text) })
      }
      // Some of the recordings have no words.
      guard let first = document.segments.first, let last = document.segments.last else { return }
      #expect([".", "?"].contains(last.formatted.last), "\(last.formatted)")
      #expect(first.formatted.first?.isLowercase == false, "\(first.formatted)")
    }
  }
}
