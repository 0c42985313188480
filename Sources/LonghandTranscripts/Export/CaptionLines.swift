import SentenceFormatting

/// Breaks the text of a caption into lines.
struct CaptionLines {
  /// The most columns in a line; a longer word is alone on its line.
  let maxWidth: Int

  /// Lines that are filled one after another.
  struct Fill {
    private var count = 0
    private var width = 0

    /// Adds a word.
    /// - Returns: the number of lines with it.
    mutating func add(_ length: Int, isSpaced: Bool, to lines: CaptionLines) -> Int {
      let added = length + (isSpaced ? 1 : 0)
      if count > 0, width + added <= lines.maxWidth {
        width += added
      } else {
        count += 1
        width = length
      }
      return count
    }
  }

  /// Each line with as many tokens as fit.
  func filled(_ tokens: ArraySlice<TimedText.Token>) -> [[TimedText.Token]] {
    var lines: [[TimedText.Token]] = []
    var fill = Fill()
    for token in tokens {
      let count = fill.add(token.text.columns, isSpaced: token.isSpaced, to: self)
      if count > lines.count { lines.append([]) }
      lines[count - 1].append(token)
    }
    return lines
  }

  /// The fewest lines; two are broken where the phrase ends, at about the same length.
  func broken(_ tokens: ArraySlice<TimedText.Token>) -> [[TimedText.Token]] {
    let filled = filled(tokens)
    guard filled.count == 2 else { return filled }
    let best = tokens.indices.dropFirst().compactMap { index -> (index: Int, cost: Double)? in
      let widths = [tokens[..<index], tokens[index...]].map { TimedText.text($0).columns }
      guard widths.allSatisfy({ $0 <= maxWidth }) else { return nil }
      let isAlone = index == tokens.startIndex + 1 || index == tokens.endIndex - 1
      let difference = Double(abs(widths[0] - widths[1])) / Double(maxWidth)
      return (index, difference + tokens[index - 1].breakCost(pause: 0) + (isAlone ? 1 : 0))
    }.min { $0.cost < $1.cost }
    guard let best else { return filled }
    return [Array(tokens[..<best.index]), Array(tokens[best.index...])]
  }
}
