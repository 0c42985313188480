import Foundation

/// `srt`: numbered captions, `hh:mm:ss,mmm --> hh:mm:ss,mmm`.
///
/// SubRip was never specified and knows no escapes: markup such as `<b>` goes through as it is, and `-->`, which
/// readers take for a line of times, is parted into `-- >`.
struct SubRipDocument {
  var layout: CaptionLayout
  var wordTimestamps: Bool

  func string(for transcript: Transcript) -> String {
    let captions = CaptionWriter(layout: layout, isByWord: wordTimestamps).captions(of: transcript)
    return captions.enumerated().map { index, caption in
      let times = "\(caption.start.clock(fraction: ",")) --> \(caption.end.clock(fraction: ","))"
      let text = caption.texts.map { $0.replacingOccurrences(of: "-->", with: "-- >") + "\n" }.joined()
      return "\(index + 1)\n\(times)\n\(text)"
    }.joined(separator: "\n")
  }
}
