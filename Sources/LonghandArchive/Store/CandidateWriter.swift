import LonghandTranscripts
import SentenceFormatting

/// Writes candidates in the form of `CandidateCoding`.
struct CandidateWriter {
  /// A word as it is compared: texts by their bytes, because equal strings can have different ones, and numbers by theirs.
  private struct Key: Hashable {
    var text: [UInt8]
    var numbers: [UInt64?]
  }

  private(set) var bytes = [CandidateCoding.mark]
  private var texts: [[UInt8]: Int] = [:]
  private var confidences: [UInt64: Int] = [:]
  private var words: [Key: Int] = [:]
  /// The word that followed the last one when that was written first.
  private var expected = 0
  /// The last time that was written, in milliseconds.
  private var time = 0

  mutating func write(_ candidates: [Candidate]) {
    write(candidates.count)
    for candidate in candidates { write(candidate) }
  }

  private mutating func write(_ candidate: Candidate) {
    let text = Array(candidate.text.utf8)
    var flags: CandidateCoding.Flags = []
    if Array(CandidateCoding.joined(candidate.words).utf8) == text { flags.insert(.isJoined) }
    if candidate.source != nil { flags.insert(.hasSource) }
    if candidate.language != nil { flags.insert(.hasLanguage) }
    bytes.append(flags.rawValue)
    write(confidence: candidate.confidence)
    write(candidate.words.count)
    for word in candidate.words { write(word) }
    if !flags.contains(.isJoined) { write(text: text) }
    if let source = candidate.source { write(text: Array(source.utf8)) }
    if let language = candidate.language { write(text: Array(language.utf8)) }
  }

  /// 0 and the word if it is new; else how far it is from the one that is expected, and 1 more.
  private mutating func write(_ word: Word) {
    let text = Array(word.text.utf8)
    let confidence = word.confidence.flatMap { $0.isNaN ? nil : $0 }
    let voice = word.voice.map { UInt64($0.voicedFrames) }
    let key = Key(
      text: text,
      numbers: [
        word.start.bitPattern, word.end.bitPattern, confidence?.bitPattern, voice,
        word.marks.map { UInt64($0.code) },
      ])
    if let index = words[key] {
      write(Self.unsigned(index - expected) + 1)
      expected = index + 1
      return
    }
    write(0)
    expected = words.count + 1
    words[key] = words.count
    write(text: text)
    write(time: word.start)
    write(time: word.end)
    write(confidence: confidence)
    write(voice: word.voice, marks: word.marks)
  }

  /// 0 and the text if it is new; else its number from 1.
  private mutating func write(text: [UInt8]) {
    if let index = texts[text] { return write(index + 1) }
    texts[text] = texts.count
    write(0)
    write(text.count)
    bytes += text
  }

  /// Twice the distance from the last time, or 1 and the number.
  private mutating func write(time seconds: Double) {
    if let milliseconds = CandidateCoding.milliseconds(seconds) {
      write(Self.unsigned(milliseconds - time) << 1)
      time = milliseconds
    } else {
      write(1)
      write(bits: seconds.bitPattern)
    }
  }

  /// 0 for none, 1 and the number if it is new; else its number from 2.
  private mutating func write(confidence: Double?) {
    guard let confidence, !confidence.isNaN else { return write(0) }
    if let index = confidences[confidence.bitPattern] { return write(index + 2) }
    confidences[confidence.bitPattern] = confidences.count
    write(1)
    write(bits: confidence.bitPattern)
  }

  /// 0 for no voice; else the frames and 1 more. The marks are added to it.
  private mutating func write(voice: WordVoice?, marks: WordMarks?) {
    write((voice.map { Int($0.voicedFrames) + 1 } ?? 0) + CandidateCoding.marksStep * (marks?.code ?? 0))
  }

  private mutating func write(bits: UInt64) {
    withUnsafeBytes(of: bits.littleEndian) { bytes += $0 }
  }

  /// Seven bits a byte, the lowest first; the highest bit says that more follow.
  private mutating func write(_ count: Int) {
    var rest = UInt64(count)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Small numbers of either sign become small numbers.
  private static func unsigned(_ number: Int) -> Int { number < 0 ? ~number << 1 | 1 : number << 1 }
}
