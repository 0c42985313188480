/// The help texts, within 80 columns.
enum HelpPage {
  private static let columns = 80

  /// The version line, which scripts read.
  static let version = "longhand 0.1.0"

  /// What `longhand help` prints: one screen of at most 34 lines.
  static let overview = beginning + server + worker + heading + models + ending

  private static let beginning = """
    longhand turns speech into text. Audio and text stay on this computer.
    Usage: longhand VERB [options] [arguments]
    Transcribe
      transcribe FILE…    transcribe files; print the text or write other formats
      record              record and transcribe live, until you press Ctrl-C
      import FILE…        copy files into your library and transcribe them
      recover             finish recordings and imports that were interrupted
      retranscribe ID     transcribe a session in the library again
      align AUDIO TEXT    find when each word of a known text is said
      audit TEXT AUDIO    find what is wrong in a transcript by someone else
    Use the library
      sessions            list the sessions: recordings and imported files
      show ID             print a transcript with times
      search TEXT         find where words were said
      terms [ID]          list which names of a vocabulary were said
      speakers ID         list the speakers; name, merge or assign them
      translate ID        make a second text in English, beside the transcript
      export ID           write a transcript as text, subtitles, JSON and more
      coverage ID         show which parts have text, are silent, or failed
      explain ID          show alternative texts, and why one was chosen
      delete ID           delete a session: its audio and its transcript
      stop [ID]           list what runs or waits; stop it, and keep what is done

    """

  #if os(Linux)
    private static let server = "  serve               open the library in a web browser; offer an HTTP API\n"
    private static let worker = "  worker              transcribe files for another program, such as Spark\n"
    private static let models = "  models              install models: fewer errors, or other languages\n"
  #else
    private static let server = ""
    private static let worker = ""
    private static let models = ""
  #endif

  private static let heading = """
      mcp                 let an AI agent read and search the library
    Set up and measure

    """

  private static let ending = """
      vocabulary          list, edit, check and compile names and terms
      evaluate MANIFEST   measure accuracy and speed on a list of recordings
      score               count the wrong words in one transcript
      doctor              check the installation, and say how to repair it
      completions SHELL   print a script that lets a shell complete commands

    ID: a session's ID, its beginning, its name or 'last'. More: longhand help VERB.

    """

  /// What `longhand` alone prints after the overview.
  static let firstSteps =
    (list([
      .init(purpose: "Transcribe a file", command: "longhand transcribe talk.wav"),
      .init(purpose: "Record and transcribe live, until Ctrl-C", command: "longhand record"),
      .init(purpose: "Make subtitles", command: "longhand transcribe talk.mp4 -o talk.srt"),
    ]) + [""]).joined(separator: "\n")

  /// What `longhand help VERB` prints.
  static func page(for verb: VerbDescription) -> String {
    let start = "Usage: longhand \(verb.name) [options] "
    let usage = wrap(verb.operands, to: columns - start.count)
    let indent = String(repeating: " ", count: start.count)
    var lines = [verb.summary + ".", "", start + (usage.first ?? "")] + usage.dropFirst().map { indent + $0 }
    if usage.isEmpty { lines[2].removeLast() }
    let groups = OptionGroups(verb.allOptions)
    lines += ["", verb.discussion, "", "Options:"] + groups.usual.flatMap(entry)
    if !groups.recognition.isEmpty { lines += ["", "Recognition:"] + groups.recognition.flatMap(entry) }
    if !groups.shared.isEmpty {
      let names = groups.shared.map(\.name).joined(separator: ", ")
      let text = "More, explained by 'longhand help recognition': \(names)"
      lines += wrap(text, to: columns - 2).map { "  " + $0 }
    }
    if !groups.advanced.isEmpty { lines += ["", "Advanced:"] + groups.advanced.flatMap(entry) }
    lines += [""] + list(verb.examples)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func list(_ examples: [VerbDescription.Example]) -> [String] {
    [examples.count == 1 ? "Example:" : "Examples:"]
      + examples.flatMap { ["  # \($0.purpose)", "  \($0.command)"] }
  }

  /// What `longhand help recognition` prints: the options of recognition, which many verbs share.
  /// - Parameter all: all verbs.
  static func recognition(for all: [VerbDescription]) -> String {
    let verbs = all.filter { verb in Option.recognition.allSatisfy { $0.isAmong(verb.options) } }
    /// A title, with the verbs that take the options unless all of them do.
    func title(_ text: String, _ options: [Option]) -> [String] {
      let takers = verbs.filter { verb in options.allSatisfy { $0.isAmong(verb.options) } }.map(\.name)
      return wrap(
        takers.count == verbs.count ? "\(text):" : "\(text) (\(takers.joined(separator: ", "))):", to: columns
      )
    }
    let words: [Option] =
      Option.usualRecognition + [.languageModel, .languageModelWeight, .punctuation]
    let choice: [Option] = [.alternatives, .reranking]
    let groups: [(title: String, options: [Option])] = [
      ("Language, model and words", words), ("Speakers", Option.speakers), ("Alternative texts", choice),
      ("Reasons of the choice", [.log]), ("Second text", [.entities]),
      (
        "Method of recognition",
        Option.recognition.filter { !words.contains($0) && !choice.contains($0) }
      ),
    ]
    var lines = ["Options of recognition. They mean the same in each verb.", ""]
    lines += wrap(
      "Verbs: \(verbs.map(\.name).joined(separator: ", ")). align, audit and mcp take a few of them. "
        + "Options that only some of the verbs take have these verbs behind their heading.", to: columns)
    for group in groups { lines += [""] + title(group.title, group.options) + group.options.flatMap(entry) }
    lines += [""] + list(recognitionExamples)
    return lines.joined(separator: "\n") + "\n"
  }

  /// Examples for `recognition(for:)`.
  static let recognitionExamples: [VerbDescription.Example] = [
    .init(
      purpose: "Recognize German with the best installed model",
      command: "longhand transcribe talk.wav --locale de-DE"),
    .init(
      purpose: "Name words that are likely to be said",
      command: "longhand transcribe talk.wav --context 'Kubernetes, GraphQL'"),
    .init(
      purpose: "Separate two speakers by their voices",
      command: "longhand import talk.wav --speakers 2"),
  ]

  /// The names on the left and the help text on the right, or below when the names are long.
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
