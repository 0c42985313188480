import CoreMedia

/// A time of WebVTT: whole milliseconds.
struct CaptionTime: Comparable, CustomStringConvertible {
  let milliseconds: Int

  init(milliseconds: Int) { self.milliseconds = milliseconds }

  init(_ time: CMTime) { milliseconds = Int((time.seconds * 1000).rounded()) }

  static func < (a: CaptionTime, b: CaptionTime) -> Bool { a.milliseconds < b.milliseconds }

  var description: String {
    let seconds = milliseconds / 1000
    return String(
      format: "%02d:%02d:%02d.%03d", seconds / 3600, seconds / 60 % 60, seconds % 60, milliseconds % 1000)
  }
}
