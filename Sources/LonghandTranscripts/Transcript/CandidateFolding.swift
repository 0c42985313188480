import Foundation

/// Candidates for a reader. The recognizer's list often has the same sentence many times, with "a" for "the"; all of it
/// stays in the segment as evidence.
extension Segment {
  /// For each candidate, the earlier one that it differs from in one function word only; nil for a candidate that readers
  /// should see. The selected candidate and the first one are never folded.
  public var foldedCandidates: [Int?] {
    var folded: [Int?] = []
    let tokens = candidates.map { $0.text.split(whereSeparator: \.isWhitespace).map(CandidateWords.token) }
    for index in candidates.indices {
      let isKept =
        index == 0 || index == selection.index || candidates[index].composition != nil
        || candidates[index].isOutvoted
      let like =
        isKept
        ? nil
        : candidates.indices.first { other in
          let isEarlier = other < index || other == selection.index
          return isEarlier && (other >= folded.count || folded[other] == nil)
            && FunctionWords.areTheOnlyDifference(tokens[index], tokens[other])
        }
      folded.append(like)
    }
    return folded
  }
}

/// English words that carry grammar and little meaning.
private enum FunctionWords {
  private static let words: Set<String> = Set(
    """
    a am an and are as at be been but by can could did do does for from had has have he he'd he'll he's her him his i
    i'd i'll i'm i've if in into is it it's its me my nor of off on or our shall she she'd she's should so than that
    that's the their them then there there's these they they'd they're this those to up us was we we'd we're we've were
    when where which while who who's whom whose will with would you you'd you'll you're your uh um
    """.split(whereSeparator: \.isWhitespace).map(String.init))

  /// Whether two texts differ in exactly one place, where each has at most one word, and only function words.
  static func areTheOnlyDifference(_ first: [String], _ second: [String]) -> Bool {
    guard first != second, abs(first.count - second.count) <= 1 else { return false }
    let same = zip(first, second).prefix { $0 == $1 }.count
    let (own, other) = (first.dropFirst(same), second.dropFirst(same))
    let sameAtEnd = zip(own.reversed(), other.reversed()).prefix { $0 == $1 }.count
    let different = [own.dropLast(sameAtEnd), other.dropLast(sameAtEnd)]
    return different.allSatisfy { $0.count <= 1 && $0.allSatisfy(words.contains) }
  }
}
