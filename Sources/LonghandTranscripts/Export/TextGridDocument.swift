import Foundation
import SentenceFormatting

/// `textgrid`: Praat's long text form with the interval tiers `segments` and `words`, or, with speakers, `Anna` and `Anna words`
/// for each of them
/// (<https://www.fon.hum.uva.nl/praat/manual/TextGrid_file_formats.html>).
///
/// The intervals of a tier cover the audio from 0 to its end, without gaps or overlaps; intervals without text are pauses.
/// Each interval is at least a millisecond long, because Praat rejects empty ones; so is the whole.
struct TextGridDocument {
  private struct Interval {
    var start: Milliseconds
    var end: Milliseconds
    var text: String
  }

  func string(for transcript: Transcript) -> String {
    let tiers = Self.tiers(of: transcript)
    let last = tiers.compactMap(\.1.last?.end).max() ?? Milliseconds(0)
    let end = max(Milliseconds(seconds: transcript.duration), last, Milliseconds(1))
    var text = "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\n"
    text += "xmin = 0\nxmax = \(end.shortSeconds)\ntiers? <exists>\nsize = \(tiers.count)\nitem []:\n"
    for (index, tier) in tiers.enumerated() {
      let intervals = Self.intervals(tier.1, to: end)
      text +=
        "    item [\(index + 1)]:\n        class = \"IntervalTier\"\n        name = \"\(Self.escaped(tier.0))\"\n"
      text += "        xmin = 0\n        xmax = \(end.shortSeconds)\n"
      text += "        intervals: size = \(intervals.count)\n"
      for (index, interval) in intervals.enumerated() {
        text += "        intervals [\(index + 1)]:\n"
        text += "            xmin = \(interval.start.shortSeconds)\n"
        text += "            xmax = \(interval.end.shortSeconds)\n"
        text += "            text = \"\(Self.escaped(interval.text))\"\n"
      }
    }
    return text
  }

  /// The tiers with their names.
  static func tiers(of transcript: Transcript) -> [(String, [Caption])] {
    guard !transcript.speakers.isEmpty else {
      return [
        ("segments", CaptionWriter(layout: .segments).captions(of: transcript)),
        ("words", CaptionWriter(layout: .segments, isByWord: true).captions(of: transcript)),
      ]
    }
    let parts = transcript.dividedBySpeaker
    let names = parts.segments.compactMap(parts.speakerName)
    let known = transcript.speakers.map(\.name)
    return (known + (names.contains { !known.contains($0) } ? [Transcript.unknownSpeaker] : [])).flatMap {
      name in
      var own = parts
      own.segments = zip(parts.segments, names).filter { $0.1 == name }.map(\.0)
      own.speakers = []
      return [
        (LineText.of(name), CaptionWriter(layout: .segments).captions(of: own)),
        ("\(LineText.of(name)) words", CaptionWriter(layout: .segments, isByWord: true).captions(of: own)),
      ]
    }
  }

  private static func escaped(_ text: String) -> String { text.replacingOccurrences(of: "\"", with: "\"\"") }

  private static func intervals(_ captions: [Caption], to end: Milliseconds) -> [Interval] {
    var intervals: [Interval] = []
    var position = Milliseconds(0)
    for caption in captions {
      if caption.start > position {
        intervals.append(Interval(start: position, end: caption.start, text: ""))
      }
      intervals.append(
        Interval(start: caption.start, end: caption.end, text: caption.texts.joinedWords()))
      position = caption.end
    }
    if position < end { intervals.append(Interval(start: position, end: end, text: "")) }
    return intervals
  }
}
