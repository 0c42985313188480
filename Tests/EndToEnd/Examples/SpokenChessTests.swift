import Foundation
import Testing

extension RecognizerTests {
  @Suite struct SpokenChessTests {
    @Test func spokenChessHearsMovesAndOpenings() async throws {
      let folder = try TemporaryFolder()
      let sentences = [
        "knight to king bishop 3", "play the Winawer variation", "play the Albin counter gambit",
      ]
      for (number, sentence) in sentences.enumerated() {
        let line = "flite -voice rms -t '\(sentence)' '\(folder.path("\(number).wav"))'"
        try #require(try await LonghandProcess.shell(line).status == 0)
      }
      let generated = try await LonghandProcess.shell("SpokenChess generate chess.bin", in: folder.url)
      #expect(generated.status == 0)
      let heard = try await LonghandProcess.shell(
        "SpokenChess hear chess.bin 0.wav 1.wav 2.wav", in: folder.url)
      #expect(heard.status == 0)
      #expect(heard.errors.isEmpty)
      let lines = heard.outputLines.map { $0.lowercased().trimmingCharacters(in: .punctuationCharacters) }
      #expect(
        lines == [
          "knight to king bishop three", "play the winawer variation", "play the albin counter gambit",
        ])
      let missing = try await LonghandProcess.shell("SpokenChess hear none.bin 0.wav", in: folder.url)
      #expect(missing.status == 1)
      #expect(missing.errors.contains("none.bin"))
      #expect(try await LonghandProcess.shell("SpokenChess").status == 2)
    }
  }
}
