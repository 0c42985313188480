import Foundation
import LonghandTranscripts

/// Checks whether everything that Longhand needs is installed and works.
///
/// ```swift
/// for finding in try await Diagnosis().findings() where finding.state == .missing {
///   print(finding.name, finding.detail, finding.remedy ?? "")
/// }
/// ```
package struct Diagnosis: Sendable {
  /// One requirement, and whether it is met.
  package struct Finding: Sendable, Hashable, Codable {
    /// Whether a requirement is met.
    package enum State: String, Sendable, Hashable, Codable {
      /// It is met.
      case ok
      /// It is not met, and Longhand needs it.
      case missing
      /// It is met or optional, but there may be a problem soon.
      case warning
    }

    /// The name of the requirement, such as `temporary folder`.
    package var name: String
    /// Whether it is met.
    package var state: State
    /// A version, a path, or what is wrong.
    package var detail: String
    /// A command that solves the problem; nil if there is no problem.
    package var remedy: String?

    package init(name: String, state: State, detail: String, remedy: String? = nil) {
      self.name = name
      self.state = state
      self.detail = detail
      self.remedy = remedy
    }
  }

  /// Checks one requirement, which may have several parts.
  package typealias Probe = @Sendable () async -> [Finding]

  /// The checks, in the order of the findings.
  package var probes: [Probe]

  package init(probes: [Probe] = Diagnosis.everything) { self.probes = probes }

  /// Runs the checks one after another.
  /// - Throws: `CancellationError`, without waiting for a check that does not end.
  package func findings() async throws -> [Finding] {
    let answer = FirstAnswer<[Finding]?>()
    let work = Task {
      var findings: [Finding] = []
      for probe in probes where !Task.isCancelled { findings += await probe() }
      answer.give(findings)
    }
    defer { work.cancel() }
    guard let findings = await answer.value(ifCancelled: nil) else { throw CancellationError() }
    return findings
  }

  /// All checks that need no further information.
  package static var everything: [Probe] {
    [recognizer, parts, punctuation, sandbox, microphone, temporaryFolder, processors]
  }
}
