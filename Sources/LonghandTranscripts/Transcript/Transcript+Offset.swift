import Foundation

extension Transcript {
  /// The transcript with all times moved by `seconds`, as that of a part of a longer recording. `duration` and the sums of
  /// the coverage stay those of the audio.
  public func moved(by seconds: TimeInterval) -> Transcript {
    guard seconds != 0 else { return self }
    var moved = self
    moved.segments = segments.map { $0.moved(by: seconds) }
    for index in spans.indices {
      moved.spans[index].start += seconds
      moved.spans[index].end += seconds
    }
    for index in warnings.indices {
      moved.warnings[index].start += seconds
      moved.warnings[index].end += seconds
    }
    for index in (translation?.passages ?? []).indices {
      moved.translation?.passages[index].start += seconds
      moved.translation?.passages[index].end += seconds
    }
    for index in turns.indices {
      moved.turns[index].start += seconds
      moved.turns[index].end += seconds
    }
    return moved
  }
}

extension Segment {
  /// The segment with all times moved by `seconds`.
  public func moved(by seconds: TimeInterval) -> Segment {
    var moved = self
    moved.start += seconds
    moved.end += seconds
    for candidate in candidates.indices {
      for word in candidates[candidate].words.indices {
        moved.candidates[candidate].words[word].start += seconds
        moved.candidates[candidate].words[word].end += seconds
      }
    }
    return moved
  }
}
