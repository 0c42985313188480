/// When the tokens of a text are said: the cheapest path through the decoder's attention to the audio, with pauses before words
/// where the audio is quiet. Attention alone stays on a word until the next one, or goes to that one early.
package struct AttentionAlignment: Equatable {
  /// Frames by which attention is early. This and the weights were fitted on German, French, Polish and Russian of
  /// espeak-ng; see docs/accuracy.md, "Times of words outside English".
  static let delay = 2
  /// What a quiet frame of a word, or a loud one of a pause, costs. Attention to a frame is some standard deviations.
  static let energyWeight: Float = 6
  /// What a pause costs: consonants have quiet frames, too.
  static let pauseCost: Float = 20

  /// The frame at which each token begins, and at which the last one ends.
  package var starts: [Int]
  /// The frames between words in which nothing is said, in order.
  package var pauses: [Range<Int>] = []

  /// - Parameters:
  ///   - costs: for each token, and for what follows the last one, a row with the cost of each frame.
  ///   - loudness: of each frame, from -1 (quiet) to 1 (loud).
  ///   - beginsWord: for each token, whether a pause may be before it.
  /// - Returns: nil if there are fewer frames than tokens.
  package init?(costs: [Float], loudness: [Float], beginsWord: [Bool]) {
    let (tokens, frames) = (beginsWord.count, loudness.count)
    guard tokens > 0, costs.count == (tokens + 1) * frames else { return nil }
    // States in turns: a pause, which can be left out, and a token. The last one is the pause after the text.
    let states = 2 * tokens + 1
    var now = [Float](repeating: .infinity, count: states), before = now
    // How many states before its own a state came from.
    var origins = [UInt8](repeating: 0, count: states * frames)
    for frame in 0..<frames {
      swap(&now, &before)
      let (quiet, loud) = (max(0, -loudness[frame]), max(0, loudness[frame]))
      for state in 0..<states {
        let (token, isPause) = (state / 2, state % 2 == 0)
        var (best, origin) = (frame == 0 && state < 2 ? 0 : before[state], UInt8(0))
        if state > 0 {
          let isInside = isPause && state < states - 1
          let entry = isInside ? beginsWord[token] ? Self.pauseCost : .infinity : 0
          if before[state - 1] + entry < best { (best, origin) = (before[state - 1] + entry, 1) }
        }
        if !isPause, state > 1, before[state - 2] < best { (best, origin) = (before[state - 2], 2) }
        let own = isPause ? 0 : costs[token * frames + max(0, frame - Self.delay)]
        now[state] = best + own + Self.energyWeight * (isPause ? loud : quiet)
        origins[frame * states + state] = origin
      }
    }
    starts = [Int](repeating: 0, count: tokens) + [frames]
    var state = now[states - 1] < now[states - 2] ? states - 1 : states - 2
    guard now[state] < .infinity else { return nil }
    var end = frames
    for frame in (0..<frames).reversed() {
      let origin = Int(origins[frame * states + state])
      guard origin > 0 else { continue }
      // The pause after the text begins where the last token ends.
      if state % 2 == 1 || state == states - 1 {
        starts[state / 2] = frame
      } else {
        pauses.append(frame..<end)
      }
      end = frame
      state -= origin
    }
    pauses.reverse()
  }
}
