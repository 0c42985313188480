import Foundation

/// The words of a chapter that a reader recorded, as PocketSphinx recognizes them, and the marks of the book after them.
///
/// The recordings are from LibriSpeech (CC BY 4.0), the books are in the public domain.
public struct RecognizedChapter: Sendable {
  /// A recognized word.
  public struct Word: Sendable {
    /// The segment it belongs to.
    public let segment: Int
    /// The word in lower case.
    public let text: String
    /// Seconds from the start of the recording.
    public let start: TimeInterval
    /// Seconds from the start of the recording.
    public let end: TimeInterval
    /// The mark of the book after it, empty if there is none; nil if the word was not recognized correctly.
    public let mark: String?
    /// How many of its last 30 frames have a tone, as `WordVoice` measures it.
    public let voicedFrames: UInt8
  }

  /// The name of the recording.
  public let name: String
  /// What was recognized, in order.
  public var words: [Word]

  /// The three chapters, 44 minutes of two readers.
  public static func all() throws -> [RecognizedChapter] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "chapters.tsv")
    var chapters: [RecognizedChapter] = []
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard columns.count == 7, let segment = Int(columns[1]), let start = Double(columns[3]),
        let end = Double(columns[4]), let voicedFrames = UInt8(columns[6])
      else { throw CocoaError(.fileReadCorruptFile) }
      if chapters.last?.name != columns[0] { chapters.append(RecognizedChapter(name: columns[0], words: [])) }
      let mark = columns[5].isEmpty ? nil : columns[5] == "none" ? "" : columns[5]
      chapters[chapters.count - 1].words.append(
        Word(
          segment: segment, text: columns[2], start: start, end: end, mark: mark, voicedFrames: voicedFrames))
    }
    return chapters
  }
}
