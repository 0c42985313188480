import Foundation

/// Checks whether everything that Longhand needs is installed and works.
///
/// ```swift
/// for finding in await Diagnosis().findings() where finding.state == .missing {
///   print(finding.name, finding.detail, finding.remedy ?? "")
/// }
/// ```
public struct Diagnosis: Sendable {
  /// One requirement, and whether it is met.
  public struct Finding: Sendable, Hashable, Codable {
    /// Whether a requirement is met.
    public enum State: String, Sendable, Hashable, Codable {
      /// It is met.
      case ok
      /// It is not met, and Longhand needs it.
      case missing
      /// It is met or optional, but there may be a problem soon.
      case warning
    }

    /// The name of the requirement, such as `temporary folder`.
    public var name: String
    /// Whether it is met.
    public var state: State
    /// A version, a path, or what is wrong.
    public var detail: String
    /// A command that solves the problem; nil if there is no problem.
    public var remedy: String?

    /// Creates a finding.
    public init(name: String, state: State, detail: String, remedy: String? = nil) {
      self.name = name
      self.state = state
      self.detail = detail
      self.remedy = remedy
    }
  }

  /// Checks one requirement, which may have several parts.
  public typealias Probe = @Sendable () async -> [Finding]

  /// The checks, in the order of the findings.
  public var probes: [Probe]

  /// Creates a diagnosis; by default with all checks.
  public init(probes: [Probe] = Diagnosis.everything) { self.probes = probes }

  /// Runs the checks one after another.
  public func findings() async -> [Finding] {
    var findings: [Finding] = []
    for probe in probes { findings += await probe() }
    return findings
  }

  /// All checks that need no further information.
  public static var everything: [Probe] {
    [recognizer, punctuation, sandbox, microphone, temporaryFolder, processors]
  }
}
