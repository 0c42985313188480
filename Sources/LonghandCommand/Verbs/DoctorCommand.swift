import Longhand

/// `longhand doctor`: checks the installation.
struct DoctorCommand: Verb {
  static let description = VerbDescription(
    name: "doctor",
    summary: "Check that everything the other verbs need is installed",
    operands: "",
    discussion: """
      For each missing part, the next line shows the command that repairs it. The
      exit status is 1 if a required part is missing.
      """,
    options: [.library, .reportJSON],
    examples: [
      .init(purpose: "Check the installation before the first recording", command: "longhand doctor")
    ])

  /// What `--json` prints.
  private struct Document: Encodable {
    let findings: [Diagnosis.Finding]
  }

  private let location: LibraryLocation
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    _ = try arguments.operands(named: [])
    location = try LibraryLocation(arguments)
    isJSON = arguments.has(.reportJSON)
  }

  func run(_ console: Console) async throws -> Int32 {
    let findings = try await Diagnosis(
      probes: Diagnosis.everything + [
        Diagnosis.library(at: location.url), Diagnosis.encryption(at: location.url),
      ]
    ).findings()
    try console.output.write(
      isJSON ? JSONLine.string(Document(findings: findings)) + "\n" : Self.table(findings))
    return findings.contains { $0.state == .missing } ? ExitStatus.failed : ExitStatus.done
  }

  /// One line per finding, and the repair command on the line below.
  static func table(_ findings: [Diagnosis.Finding]) -> String {
    let width = findings.map(\.name.count).max() ?? 0
    return findings.map { finding in
      let state = finding.state.rawValue.padding(to: 9)
      var lines = "\(state)\(finding.name.padding(to: width + 2))\(finding.detail.escapingControls)\n"
      if let remedy = finding.remedy { lines += "         type: \(remedy)\n" }
      return lines
    }.joined()
  }
}

extension String {
  /// The text, padded with spaces.
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }
}
