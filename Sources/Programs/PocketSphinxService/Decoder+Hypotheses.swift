import CPocketSphinx
import Foundation
import ServiceSupport
import RecognitionProtocol

extension Decoder {
  /// The largest number of entries of the n-best list that are read. Many differ in fillers only.
  private static let maxEntries = 100
  /// The scale from PocketSphinx's scores to posteriors: its default for the lattice (`ascale`).
  static let acousticScale = 1.0 / 20
  /// The bits by which PocketSphinx shifts its logarithms to get the scores of paths (`SENSCR_SHIFT`).
  static let scoreShift: Int32 = 10

  /// A difference of two scores, as a natural logarithm.
  func natural(_ scores: Int) -> Double {
    Double(scores) * Double(1 << Self.scoreShift) * log(logmath_get_base(ps_get_logmath(handle)))
  }

  /// The hypotheses of the utterance that just ended: the best path first, then the n-best list without duplicates.
  func hypotheses(maxCount: Int) -> [ServiceHypothesis] {
    guard ps_get_hyp(handle, nil) != nil else { return [] }
    let best = words(ps_seg_iter(handle))
    var paths: [(words: [ServiceHypothesis.Word], score: Int32)] = [(best, .min)]
    let bestTexts = best.map(\.text)
    var seen: Set<[String]> = [bestTexts]
    if maxCount > 1 {
      var entry = ps_nbest(handle)
      var entries = 0
      while let current = entry {
        var score: Int32 = 0
        if ps_nbest_hyp(current, &score) != nil {
          let words = words(ps_nbest_seg(current))
          let texts = words.map(\.text)
          if seen.insert(texts).inserted { paths.append((words, score)) }
          // Scores of the list and of the best path have different origins, so the best path uses its score in the list.
          if paths[0].score == .min, texts == bestTexts { paths[0].score = score }
        }
        entries += 1
        if entries == Self.maxEntries {
          ps_nbest_free(current)
          break
        }
        entry = ps_nbest_next(current)
      }
    }
    return withPosteriors(paths, maxCount: maxCount)
  }

  private func withPosteriors(
    _ paths: [(words: [ServiceHypothesis.Word], score: Int32)], maxCount: Int
  ) -> [ServiceHypothesis] {
    // The best path is at least as likely as any entry of the list. If it is not in the list, it gets the score of the
    // best entry.
    let top = paths.map(\.score).max() ?? 0
    let weights = paths.enumerated().map { index, path in
      index == 0 && path.score == .min
        ? 1 : exp(natural(Int(path.score) - Int(top)) * Self.acousticScale)
    }
    let total = weights.reduce(0, +)
    let posteriors = weights.map { $0 / total }
    let best = paths[0].words
    let order = [0] + paths.indices.dropFirst().sorted { (posteriors[$1], $0) < (posteriors[$0], $1) }
    return order.prefix(max(1, maxCount)).map { index in
      var words = paths[index].words
      if index != 0 {
        for place in words.indices {
          words[place].confidence = confidence(
            of: words[place], beside: best, paths.map(\.words), posteriors)
        }
      }
      return ServiceHypothesis(
        words: ConfidenceCalibration.pocketSphinx.calibrated(words),
        confidence: min(posteriors[index], posteriors[0]))
    }
  }

  /// The posterior of a word of an alternative. If the best path has the same word, it is the same. Otherwise it is the
  /// word's share of the n-best list, limited by the posteriors of the best path's words at the same time.
  private func confidence(
    of word: ServiceHypothesis.Word, beside best: [ServiceHypothesis.Word],
    _ paths: [[ServiceHypothesis.Word]], _ posteriors: [Double]
  ) -> Double {
    let rivals = best.filter { $0.overlaps(word) }
    if let same = rivals.first(where: { $0.text == word.text }) { return same.confidence ?? 0 }
    let share = zip(paths, posteriors).reduce(0) { sum, path in
      sum + (path.0.contains { $0.text == word.text && $0.overlaps(word) } ? path.1 : 0)
    }
    return min(share, 1 - (rivals.compactMap(\.confidence).max() ?? 0))
  }

  /// The words of a segmentation, without fillers. The iterator is consumed.
  func words(_ first: OpaquePointer?) -> [ServiceHypothesis.Word] {
    let logarithm = ps_get_logmath(handle)
    var words: [ServiceHypothesis.Word] = []
    var segment = first
    while let current = segment {
      var start: Int32 = 0
      var end: Int32 = 0
      ps_seg_frames(current, &start, &end)
      let posterior = logmath_exp(logarithm, ps_seg_prob(current, nil, nil, nil))
      if let spelling = ps_seg_word(current), let text = Self.spelling(String(cString: spelling)) {
        words.append(
          .init(
            text: text, start: Double(start) / Self.frameRate, end: Double(end + 1) / Self.frameRate,
            confidence: min(1, max(0, posterior))))
      }
      segment = ps_seg_next(current)
    }
    return words
  }

  /// The word of a dictionary entry: `read` for `read(2)`; nil for fillers such as `<sil>` and `[NOISE]`.
  static func spelling(_ entry: String) -> String? {
    guard let first = entry.first, first != "<", first != "[", first != "+" else { return nil }
    guard entry.last == ")", let mark = entry.lastIndex(of: "("), mark != entry.startIndex else {
      return entry
    }
    return String(entry[..<mark])
  }
}

extension ServiceHypothesis.Word {
  fileprivate func overlaps(_ other: Self) -> Bool { start < other.end && other.start < end }
}
