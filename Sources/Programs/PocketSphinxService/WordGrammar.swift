import LanguageModeling
import RecognitionProtocol

/// A text as the words of a dictionary, each written word with the forms in which it may be said.
struct WordGrammar {
  /// The forms of each written word; empty if it is not said.
  private let forms: [[[String]]]

  /// - Parameters:
  ///   - text: written words, with their marks.
  ///   - isPronounceable: whether a word has a pronunciation.
  init(_ text: [String], isPronounceable: (String) -> Bool) {
    forms = text.map { SpokenForms.all(of: $0).filter { $0.allSatisfy(isPronounceable) } }
  }

  /// Whether nothing is said.
  var isEmpty: Bool { forms.allSatisfy(\.isEmpty) }

  /// The grammar as a finite state machine in Sphinx's text format.
  var machine: String {
    var transitions = ""
    var state = 0
    // The states of a word are those between its ends, and its end.
    for forms in forms where !forms.isEmpty {
      let end = state + 1 + forms.reduce(0) { $0 + $1.count - 1 }
      var next = state + 1
      for form in forms {
        var from = state
        for (index, word) in form.enumerated() {
          let to = index + 1 == form.count ? end : next
          if to == next { next += 1 }
          transitions += "TRANSITION \(from) \(to) 1.0 \(word)\n"
          from = to
        }
      }
      state = end
    }
    return
      "FSG_BEGIN words\nNUM_STATES \(state + 1)\nSTART_STATE 0\nFINAL_STATE \(state)\n\(transitions)FSG_END\n"
  }

  /// The times of the written words, out of those of the words that were aligned; nil if these are no form of the text. A
  /// word that is not said begins and ends where the word before it ends.
  func times(of aligned: [ServiceHypothesis.Word]) -> [(start: Double, end: Double)]? {
    var lengths: [Int] = []
    guard place(0, in: aligned.map(\.text)[...], &lengths) else { return nil }
    var words = aligned[...]
    var reached = 0.0
    return lengths.map { length in
      let own = words.prefix(length)
      words = words.dropFirst(length)
      let start = own.first?.start ?? reached
      reached = own.last?.end ?? reached
      return (start, reached)
    }
  }

  /// Finds how many of `words` belong to each written word from `index` on.
  private func place(_ index: Int, in words: ArraySlice<String>, _ lengths: inout [Int]) -> Bool {
    guard index < forms.count else { return words.isEmpty }
    for form in forms[index].isEmpty ? [[]] : forms[index] where words.starts(with: form) {
      lengths.append(form.count)
      if place(index + 1, in: words.dropFirst(form.count), &lengths) { return true }
      lengths.removeLast()
    }
    return false
  }
}
