import Foundation

/// When subtitles are shown whose words are at other times than before.
///
/// A cue begins with its first word. It stays as long as before, so that it can be read, and at least until its last word, but not
/// into the next cue if the two did not overlap before. A cue of which less than half is found, such as a note in brackets, moves
/// with its neighbours.
struct SubtitleTiming {
  /// A word of a cue: its length in letters, and when it is said; nil if it was not found.
  struct Word {
    var text: String
    var time: (start: TimeInterval, end: TimeInterval)?

    fileprivate var length: Double { Double(text.count) }
  }

  private struct Place {
    var start: TimeInterval
    /// When its words end.
    var said: TimeInterval
  }

  /// How much faster or slower a film may run than its subtitles; 25 and 24000/1001 frames a second differ by 4 %.
  private static let rates = 0.9...1.1
  /// Two subtitles that follow each other directly keep their distance up to so many seconds.
  private static let maxDistance = 0.1

  /// The start and the end of each cue.
  /// - Parameter words: the words of each cue.
  static func times(
    of cues: [SubtitleFile.Cue], _ words: [[Word]]
  ) -> [(start: TimeInterval, end: TimeInterval)] {
    let found = zip(cues, words).map(place)
    var times: [(start: TimeInterval, end: TimeInterval)] = []
    for (index, cue) in cues.enumerated() {
      var start = found[index]?.start ?? moved(cue.start, cues, found, at: index)
      if index > 0, cue.start >= cues[index - 1].start {
        let isApart = cue.start >= cues[index - 1].end
        start = max(
          start, isApart ? found[index - 1]?.said ?? times[index - 1].start : times[index - 1].start)
      }
      times.append((start, max(found[index]?.said ?? 0, start + cue.end - cue.start)))
    }
    for index in cues.indices.dropLast() where cues[index].end <= cues[index + 1].start {
      let distance = min(maxDistance, cues[index + 1].start - cues[index].end)
      times[index].end = max(
        times[index].start + 0.001, min(times[index].end, times[index + 1].start - distance))
    }
    return times
  }

  /// Where a cue is said; nil if less than half of it was found.
  private static func place(_ cue: SubtitleFile.Cue, _ all: [Word]) -> Place? {
    // Who speaks is not said.
    let label = all.prefix(3).firstIndex { $0.text.hasSuffix(":") }
    let words =
      label.map { all[...$0].allSatisfy { $0.time == nil } ? all[($0 + 1)...] : all[...] } ?? all[...]
    func length(_ words: ArraySlice<Word>) -> Double { words.reduce(0) { $0 + $1.length } }
    let total = length(words)
    guard let first = words.firstIndex(where: { $0.time != nil }),
      let last = words.lastIndex(where: { $0.time != nil }), let start = words[first].time?.start,
      let end = words[last].time?.end, 2 * length(words.filter { $0.time != nil }[...]) >= total
    else { return nil }
    let duration = cue.end - cue.start
    return Place(
      start: max(0, start - duration * length(words[..<first]) / total),
      said: end + duration * length(words[(last + 1)...]) / total)
  }

  /// The time of a cue that was not found, from those around it.
  private static func moved(
    _ time: TimeInterval, _ cues: [SubtitleFile.Cue], _ found: [Place?], at index: Int
  ) -> TimeInterval {
    let before = found[..<index].lastIndex { $0 != nil }
    let after = found[index...].firstIndex { $0 != nil }
    func point(_ index: Int?) -> (old: TimeInterval, new: TimeInterval)? {
      index.flatMap { index in found[index].map { (cues[index].start, $0.start) } }
    }
    if let left = point(before), let right = point(after), right.old > left.old {
      let share = min(1, max(0, (time - left.old) / (right.old - left.old)))
      return left.new + share * (right.new - left.new)
    }
    guard let near = point(before) ?? point(after) else { return time }
    var rate = 1.0
    if let first = point(found.firstIndex { $0 != nil }), let last = point(found.lastIndex { $0 != nil }),
      last.old > first.old
    {
      let whole = (last.new - first.new) / (last.old - first.old)
      if rates.contains(whole) { rate = whole }
    }
    return max(0, near.new + rate * (time - near.old))
  }
}
