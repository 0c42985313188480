import Foundation
import Longhand

/// The texts of a document with their times, in milliseconds from the start of the audio.
struct TimedRows {
  private(set) var rows: [(start: Int, end: Int, text: String)] = []

  /// - Parameter document: the document in the format, with the time of each word where the format can have it.
  init(_ document: String, _ format: TranscriptFormat) throws {
    let lines = document.split(separator: "\n").map(String.init)
    switch format {
    case .json:
      let read = try JSONDecoder().decode(TranscriptDocument.self, from: Data(document.utf8))
      for word in read.segments.flatMap(\.words) { add(word.start, word.end, word.text) }
    case .jsonl:
      for line in lines {
        let read = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
        for word in read.words ?? [] { add(word.start, word.end, word.text) }
      }
    case .txt, .tsv:
      for line in lines where line != "start\tend\ttext" {
        let columns = line.split(separator: "\t").map(String.init)
        let unit = format == .tsv ? 0.001 : 1
        add(Double(columns[0])! * unit, Double(columns[1])! * unit, columns[2])
      }
    case .ctm:
      for line in lines {
        let columns = line.split(separator: " ").map(String.init)
        add(Double(columns[2])!, Double(columns[2])! + Double(columns[3])!, columns[4])
      }
    case .srt, .vtt:
      for (times, text) in zip(lines, lines.dropFirst()) where times.contains(" --> ") {
        let clocks = times.components(separatedBy: " --> ").map(Self.seconds)
        add(clocks[0], clocks[1], text)
      }
    case .textgrid:
      let values = lines.map { $0.trimmingCharacters(in: .whitespaces).components(separatedBy: " = ") }
      for index in values.indices where values[index][0] == "text" {
        let text = values[index][1].dropFirst().dropLast()
        if !text.isEmpty { add(Double(values[index - 2][1])!, Double(values[index - 1][1])!, String(text)) }
      }
    case .md, .rttm, .html, .docx, .edl, .fcpxml, .eaf, .otr: break
    }
  }

  private struct Line: Decodable { var words: [TranscriptDocument.Word]? }

  private mutating func add(_ start: Double, _ end: Double, _ text: String) {
    rows.append((Int((start * 1000).rounded()), Int((end * 1000).rounded()), text))
  }

  private static func seconds(_ clock: String) -> Double {
    clock.replacingOccurrences(of: ",", with: ".").split(separator: ":").reduce(0) { $0 * 60 + Double($1)! }
  }
}
