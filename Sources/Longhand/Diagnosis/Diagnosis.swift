import Foundation

/// Looks at what Longhand stands on.
///
/// ```swift
/// for finding in await Diagnosis().findings() where finding.state == .missing {
///   print(finding.name, finding.detail, finding.remedy ?? "")
/// }
/// ```
public struct Diagnosis: Sendable {
  /// One requirement of Longhand, and whether it is met.
  public struct Finding: Sendable, Hashable, Codable {
    /// Whether a thing is there.
    public enum State: String, Sendable, Hashable, Codable {
      /// It is there and works.
      case ok
      /// It is needed, and not there or not working.
      case missing
      /// Everything works, but something may soon not.
      case warning
    }

    /// What was looked at, such as `temporary folder`.
    public var name: String
    /// Whether it is there.
    public var state: State
    /// What was found: a version, a path, or what is wrong.
    public var detail: String
    /// The command that mends it; nil when there is nothing to mend.
    public var remedy: String?

    /// Each field by its name.
    public init(name: String, state: State, detail: String, remedy: String? = nil) {
      self.name = name
      self.state = state
      self.detail = detail
      self.remedy = remedy
    }
  }

  /// Looks at one thing, which may have several parts.
  public typealias Probe = @Sendable () async -> [Finding]

  /// What is looked at, in the order of the findings.
  public var probes: [Probe]

  /// A diagnosis of these things; without any named, of everything that Longhand stands on.
  public init(probes: [Probe] = Diagnosis.everything) { self.probes = probes }

  /// Looks at everything, one thing after another.
  public func findings() async -> [Finding] {
    var findings: [Finding] = []
    for probe in probes { findings += await probe() }
    return findings
  }

  /// Everything that Longhand stands on.
  public static var everything: [Probe] { [recognizer, microphone, temporaryFolder, processors] }
}
