import Foundation

/// What a program that edits film shows at a time: a segment by one speaker.
private struct Marker {
  /// The first frame, counted from that of the recording.
  var frame: Int
  /// Frames, at least one.
  var length: Int
  var text: String
  /// The index among the speakers; nil without speakers, and for an unknown one.
  var speaker: Int?

  static func all(of transcript: Transcript, _ timecode: Timecode) -> [Marker] {
    transcript.segments.compactMap { segment in
      let text = LineText.of(segment.text)
      guard !text.isEmpty else { return nil }
      let name = transcript.speakerName(of: segment)
      let frame = timecode.frame(at: segment.start)
      return Marker(
        frame: frame, length: max(1, timecode.frame(at: segment.end) - frame),
        text: (name.map { "\(LineText.of($0)): " } ?? "") + text,
        speaker: transcript.speakers.firstIndex { $0.id == segment.speaker?.speaker })
    }
  }
}

/// `edl`: markers in an edit decision list (CMX 3600), in the form that DaVinci Resolve imports as the markers of a timeline. Each
/// speaker has a colour.
struct EditListDocument {
  private static let colours = ["Blue", "Green", "Yellow", "Red", "Purple", "Cyan", "Pink", "Mint", "Sand"]

  func string(for transcript: Transcript) -> String {
    let timecode = transcript.timecode ?? Timecode()
    let title = RecordingTitle(name: transcript.title, source: transcript.source).text
    let mode = timecode.isDropFrame ? "DROP FRAME" : "NON-DROP FRAME"
    return "TITLE: \(LineText.of(title))\nFCM: \(mode)\n"
      + Marker.all(of: transcript, timecode).enumerated().map { index, marker in
        let times = [marker.frame, marker.frame + 1].map(timecode.text(ofFrame:)).joined(separator: " ")
        let colour = Self.colours[(marker.speaker ?? 0) % Self.colours.count]
        return "\n\(Decimals.padded(index + 1, to: 3))  001      V     C        \(times) \(times)\n"
          // The bar separates the fields.
          + " |C:ResolveColor\(colour) |M:\(marker.text.replacingOccurrences(of: "|", with: "¦")) |D:\(marker.length)\n"
      }.joined()
  }
}

/// `fcpxml`: markers on an empty timeline, as Final Cut Pro imports them (<https://developer.apple.com/documentation/
/// professional-video-applications/fcpxml-reference>).
struct FinalCutDocument {
  func string(for transcript: Transcript) -> String {
    let timecode = transcript.timecode ?? Timecode()
    let (numerator, denominator) = (timecode.rate.numerator, timecode.rate.denominator)
    func time(_ frames: Int) -> String { frames == 0 ? "0s" : "\(frames * denominator)/\(numerator)s" }
    let markers = Marker.all(of: transcript, timecode)
    let end = max(
      timecode.frame(at: transcript.duration) + 1, markers.map { $0.frame + $0.length }.max() ?? 0)
    let name = MarkupText.escaped(
      LineText.of(RecordingTitle(name: transcript.title, source: transcript.source).text))
    let lines = markers.map {
      "              <marker start=\"\(time($0.frame))\" duration=\"\(time($0.length))\" "
        + "value=\"\(MarkupText.escaped($0.text))\"/>\n"
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE fcpxml>
      <fcpxml version="1.9">
        <resources>
          <format id="r1" frameDuration="\(time(1))" width="1920" height="1080"/>
        </resources>
        <library>
          <event name="\(name)">
            <project name="\(name)">
              <sequence format="r1" duration="\(time(end))" tcStart="\(time(timecode.first))" \
      tcFormat="\(timecode.isDropFrame ? "DF" : "NDF")">
                <spine>
                  <gap name="\(name)" offset="\(time(timecode.first))" start="0s" duration="\(time(end))">
      \(lines.joined())            </gap>
                </spine>
              </sequence>
            </project>
          </event>
        </library>
      </fcpxml>

      """
  }
}
