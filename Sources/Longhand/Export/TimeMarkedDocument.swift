/// `ctm`: NIST's `file channel begin duration word confidence`, as its scoring toolkit reads it (SCTK, `ctm(5)`).
///
/// Seconds have three decimals, confidences four. The file is the source's name without its folder. A column cannot
/// hold white space, so that it becomes `_`. Where the words' times are not known they are estimated from the words'
/// length, because a scoring tool needs the words.
struct TimeMarkedDocument {
  func string(for transcript: Transcript) -> String {
    let file = Self.file(transcript.source)
    return transcript.segments.flatMap { TimedText($0).pieces }.map { piece in
      let duration = Milliseconds(piece.end.count - piece.start.count)
      let confidence = Decimals.units(of: min(piece.confidence, 1), perOne: 10_000)
      return "\(file) 1 \(piece.start.fixedSeconds) \(duration.fixedSeconds) \(LineText.column(piece.text)) "
        + "\(confidence / 10_000).\(Decimals.padded(confidence % 10_000, to: 4))\n"
    }.joined()
  }

  private static func file(_ source: String) -> String {
    let name = LineText.column(source.split(separator: "/").last.map(String.init) ?? "")
    if name.isEmpty { return "audio" }
    // A line that begins so is a comment.
    return name.hasPrefix(";;") ? "_" + name : name
  }
}
