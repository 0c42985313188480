/// The manual pages, in the language of `man`, from the same descriptions as the help.
enum ManualPage {
  /// What `longhand help --man` prints: the page of the program, which lists the verbs.
  static var overview: String {
    var lines = heading("longhand", "turn speech into text on this computer")
    lines += [".SH SYNOPSIS", #"\fBlonghand\fR \fIVERB\fR [\fIoptions\fR] [\fIarguments\fR]"#]
    lines += [".SH DESCRIPTION"] + filled(purpose)
    lines += [".SH VERBS"]
    for verb in Verbs.all.map({ $0.description }) {
      lines += [".TP", #"\fB\#(roff(verb.name))\fR"#] + filled(verb.summary + ".")
    }
    lines += [".SH \"EXIT STATUS\""]
    for (status, meaning) in statuses { lines += [".TP", status] + filled(meaning) }
    lines += [".SH \"SEE ALSO\""]
    lines += [Verbs.all.map { reference($0.description.name) }.joined(separator: ",\n")]
    return lines.joined(separator: "\n") + "\n"
  }

  private static let purpose = """
    longhand turns speech into text. Audio and text stay on this computer. A session is a recording or an imported file
    in your library. ID is the ID of a session, its first characters, its name, or 'last'. 'longhand help VERB' shows
    the options of a verb, as does its manual page.
    """

  private static let statuses = [
    ("0", "Everything was done."), ("1", "The work failed, for at least one input."),
    ("2", "The command line has a mistake."),
    ("130, 143", "Ended by SIGINT or SIGTERM, after the running work was brought to a clean end."),
  ]

  /// What `longhand help --man VERB` prints.
  static func page(for verb: VerbDescription) -> String {
    var lines = heading(
      "longhand-\(verb.name)", verb.summary.prefix(1).lowercased() + verb.summary.dropFirst())
    lines += [
      ".SH SYNOPSIS", #"\fBlonghand \#(roff(verb.name))\fR [\fIoptions\fR] \fI\#(roff(verb.operands))\fR"#,
    ]
    lines += [".SH DESCRIPTION"] + text(verb.discussion) + [".SH OPTIONS"]
    for option in verb.allOptions {
      let names = option.names.map { #"\fB\#(roff($0))\fR"# }.joined(separator: ", ")
      lines += [".TP", names + (option.value.map { #" \fI\#(roff($0))\fR"# } ?? "")] + filled(option.summary)
    }
    lines += [verb.examples.count == 1 ? ".SH EXAMPLE" : ".SH EXAMPLES"]
    for example in verb.examples {
      lines +=
        [".PP"] + filled(example.purpose + ":") + [".PP", ".EX", "    " + roff(example.command), ".EE"]
    }
    lines += [".SH \"SEE ALSO\"", reference(nil)]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func heading(_ name: String, _ summary: String) -> [String] {
    [
      ".TH \(roff(name.uppercased())) 1 \"\" \"\(HelpPage.version)\" \"Longhand\"",
      ".nh", ".ad l", ".SH NAME", "\(roff(name)) \\- \(roff(summary))",
    ]
  }

  private static func reference(_ verb: String?) -> String {
    #"\fB\#(roff(verb.map { "longhand-\($0)" } ?? "longhand"))\fR(1)"#
  }

  /// Paragraphs, and lines with an indent as they are.
  private static func text(_ text: String) -> [String] {
    var lines: [String] = []
    var isTable = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("  ") != isTable {
        isTable.toggle()
        lines.append(isTable ? ".PP\n.EX" : ".EE\n.PP")
      }
      lines.append(line.isEmpty ? ".PP" : roff(String(line)))
    }
    return isTable ? lines + [".EE"] : lines
  }

  private static func filled(_ text: String) -> [String] { [roff(text)] }

  /// The text with what `man` would read as commands escaped, and other characters than ASCII by their numbers.
  static func roff(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var escaped = line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" : ""
      for scalar in line.unicodeScalars {
        switch scalar {
        case "\\": escaped += "\\e"
        case "-": escaped += "\\-"
        case "'": escaped += "\\(aq"
        case "\"": escaped += "\\(dq"
        case "~": escaped += "\\(ti"
        case "^": escaped += "\\(ha"
        case "`": escaped += "\\(ga"
        case _ where !scalar.isASCII:
          let digits = String(scalar.value, radix: 16, uppercase: true)
          escaped += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
        default: escaped.unicodeScalars.append(scalar)
        }
      }
      return escaped
    }.joined(separator: "\n")
  }
}
