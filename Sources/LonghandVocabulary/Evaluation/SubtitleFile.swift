import Foundation
import LonghandTranscripts

/// A file of subtitles, `srt` or `vtt`, of which only the times change.
///
/// Everything else stays byte for byte: numbers, names of cues, settings, tags, notes, styles, line breaks and line ends.
package struct SubtitleFile: Sendable {
  /// What is shown from one time to another.
  struct Cue: Sendable {
    /// Seconds.
    var start: TimeInterval
    var end: TimeInterval
    /// What is said of its text: no tags, notes in brackets such as `[music]`, names before a colon such as `ANNA:`, or
    /// marks that stand alone.
    var words: [String] = []
    /// The index of the line with the times.
    fileprivate var line: Int
    /// The times in the text of a WebVTT cue, each with the number of words before it.
    fileprivate var stamps: [(line: Int, time: TimeInterval, words: Int)] = []
  }

  /// `srt` or `vtt`.
  package let format: TranscriptFormat
  /// The cues in the order of the file.
  private(set) var cues: [Cue] = []
  /// The lines without the line feeds between them.
  private var lines: [String]

  /// Reads a file.
  ///
  /// - Returns: nil if the text does not begin as subtitles do.
  package init?(_ text: String) {
    lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      String(Substring($0))
    }
    let isWeb = lines[0].drop { $0 == "\u{FEFF}" }.hasPrefix("WEBVTT")
    format = isWeb ? .vtt : .srt
    let first = lines.lazy.filter { !Self.isBlank($0) }.prefix(2)
    guard isWeb || first.contains(where: { CueTimes($0) != nil }) else { return nil }
    readCues()
  }

  /// The file with its present times.
  package var text: String { lines.joined(separator: "\n") }

  private static func isBlank(_ line: String) -> Bool {
    line.allSatisfy { $0.isWhitespace || $0 == "\u{FEFF}" }
  }

  private mutating func readCues() {
    var isInCue = false
    for (index, line) in lines.enumerated() {
      if let times = CueTimes(line) {
        cues.append(Cue(start: times.start, end: max(times.start, times.end), line: index))
        isInCue = true
      } else if Self.isBlank(line) {
        isInCue = false
      } else if isInCue {
        read(line, at: index)
      }
    }
  }

  /// Adds the words of a line to the last cue.
  private mutating func read(_ line: String, at index: Int) {
    var rest = line[...]
    while let stamp = rest.firstMatch(of: CueTimes.stamp) {
      cues[cues.count - 1].words += Self.words(of: rest[..<stamp.range.lowerBound])
      if format == .vtt, let time = CueTimes.seconds(stamp.output.1) {
        cues[cues.count - 1].stamps.append((index, time, cues[cues.count - 1].words.count))
      }
      rest = rest[stamp.range.upperBound...]
    }
    cues[cues.count - 1].words += Self.words(of: rest)
  }

  /// The words that are said.
  private static func words(of text: Substring) -> [String] {
    var plain = String(text).replacing(/<[^>]*>|\{[^}]*\}/, with: "")
    plain.replace(/\[[^\]]*\]|\([^)]*\)/, with: " ")
    // Who speaks, as in "ANNA: Yes."
    plain.trimPrefix(/[\s\-–—>]*\p{Lu}[\p{Lu}\p{N} .'’#\-]*:(?=\s|$)/)
    for (name, sign) in [("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")] {
      plain.replace(name, with: sign)
    }
    return plain.split(whereSeparator: \.isWhitespace).map(String.init).filter { word in
      word.contains { $0.isLetter || $0.isNumber }
    }
  }

  /// The file with other times.
  ///
  /// - Parameters:
  ///   - times: the start and the end of each cue.
  ///   - words: when each word of a cue begins; nil where that is not known.
  func retimed(_ times: [(start: TimeInterval, end: TimeInterval)], words: [[TimeInterval?]]) -> SubtitleFile
  {
    var retimed = self
    for (index, time) in times.enumerated() {
      let cue = cues[index]
      (retimed.cues[index].start, retimed.cues[index].end) = time
      retimed.lines[cue.line] = CueTimes.line(lines[cue.line], start: time.start, end: time.end)
      // Times in the text increase, and lie within the cue.
      var last = time.start
      for (number, stamp) in cue.stamps.enumerated() {
        let share = cue.end > cue.start ? (stamp.time - cue.start) / (cue.end - cue.start) : 0
        let known = words[index].dropFirst(stamp.words).first ?? nil
        last = min(time.end, max(last + 0.001, known ?? time.start + share * (time.end - time.start)))
        retimed.cues[index].stamps[number].time = last
      }
      for line in Set(cue.stamps.map(\.line)) {
        var new = retimed.cues[index].stamps.filter { $0.line == line }.map(\.time)[...]
        retimed.lines[line].replace(CueTimes.stamp) { match in
          new.popFirst().map { "<\(CueTimes.text($0, like: match.output.1))>" } ?? String(match.output.0)
        }
      }
    }
    return retimed
  }
}

/// The times of a cue, as its file writes them: `00:01:02,500 --> 00:01:04,000`, in WebVTT also without hours.
private struct CueTimes {
  let start: TimeInterval
  let end: TimeInterval

  /// A time in the text of a cue.
  static var stamp: Regex<(Substring, Substring)> { /<((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})>/ }

  private static var range: Regex<(Substring, Substring, Substring)> {
    /^\s*((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})\s*-->\s*((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})/
  }

  /// Nil if it is another line.
  init?(_ line: String) {
    guard line.contains("-->"), let match = line.firstMatch(of: Self.range),
      let start = Self.seconds(match.output.1), let end = Self.seconds(match.output.2)
    else { return nil }
    (self.start, self.end) = (start, end)
  }

  /// A line with other times, and with what else it has.
  static func line(_ line: String, start: TimeInterval, end: TimeInterval) -> String {
    guard let match = line.firstMatch(of: range) else { return line }
    let (first, second) = (match.output.1, match.output.2)
    return line[..<first.startIndex] + text(start, like: first) + line[first.endIndex..<second.startIndex]
      + text(end, like: second) + line[second.endIndex...]
  }

  static func seconds(_ text: Substring) -> TimeInterval? {
    let parts = text.split { $0 == ":" }
    let numbers = parts.map { Double($0.replacing(",", with: ".")) }
    guard numbers.count >= 2, !numbers.contains(nil) else { return nil }
    let seconds = numbers.compactMap(\.self).reduce(0) { $0 * 60 + $1 }
    return seconds <= .longestAudio ? seconds : nil
  }

  /// A time in the form of another one: with its point or comma, and its hours.
  static func text(_ time: TimeInterval, like form: Substring) -> String {
    let clock = Milliseconds(seconds: time).clock(fraction: form.contains(",") ? "," : ".")
    let hasHours = form.count { $0 == ":" } > 1 || !clock.hasPrefix("00:")
    return hasHours ? clock : String(clock.dropFirst(3))
  }
}
