/// The help, within 80 columns.
enum HelpPage {
  private static let columns = 80

  /// The version, which scripts read.
  static let version = "longhand 0.1.0"

  /// What `longhand --help` prints: a screen of 24 lines at most.
  static let overview = beginning + server + ending

  private static let beginning = """
    longhand writes down what was said: no word made up, none leaves this machine.
    usage: longhand VERB [options] …

    Write down what was said
      transcribe FILE…    text on standard output, or files in many formats
      record              live, from a microphone or a pipe, until Ctrl-C
      import FILE…        into the library, to be read and searched later
      recover             takes up what was cut short
      retranscribe ID     hears it again, with another vocabulary or engine
    Read it again
      sessions            what is in the library
      show ID             what was said, with times
      search TEXT         where it was said
      export ID           the transcript in many formats
      coverage ID         what became of every second
      explain ID          what was offered, what was chosen, and by which rule
      delete ID           erases sound and text

    """

  #if os(Linux)
    private static let server = "  serve               all of that in a browser, and for other programs\n"
  #else
    private static let server = ""
  #endif

  private static let ending = """
    Teach it, measure it, mend it
      vocabulary          checks a vocabulary file, or makes a language model of it
      evaluate MANIFEST   word error rate, terms and speed over many recordings
      score               word error rate of a text against a reference
      doctor              what is installed, what is missing, and what to type
    longhand help VERB shows options and examples; longhand --version the version.

    """

  /// What `longhand help VERB` prints.
  static func page(for verb: VerbDescription) -> String {
    let operands = verb.operands.isEmpty ? "" : " \(verb.operands)"
    var lines = ["usage: longhand \(verb.name) [options]\(operands)", "", verb.summary + "."]
    lines += ["", verb.discussion, "", "options:"]
    for option in verb.allOptions { lines += entry(for: option) }
    lines += ["", verb.examples.count == 1 ? "example:" : "examples:"]
    for example in verb.examples { lines += ["  # \(example.purpose)", "  \(example.command)"] }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The names on the left, the summary on the right, or below when the names are long.
  private static func entry(for option: Option) -> [String] {
    let margin = 26
    var left = "  " + option.names.joined(separator: ", ")
    if let value = option.value { left += " \(value)" }
    let right = wrap(option.summary, to: columns - margin)
    let indent = String(repeating: " ", count: margin)
    if left.count >= margin { return [left] + right.map { indent + $0 } }
    let first = left + String(repeating: " ", count: margin - left.count) + (right.first ?? "")
    return [first] + right.dropFirst().map { indent + $0 }
  }

  private static func wrap(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? "\(word)" : " \(word)"
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
