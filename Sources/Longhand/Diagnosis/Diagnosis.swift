import Foundation

/// Looks at what Longhand stands on.
///
/// ```swift
/// for finding in await Diagnosis().findings() where finding.state == .missing {
///   print(finding.name, finding.detail, finding.remedy ?? "")
/// }
/// ```
public struct Diagnosis: Sendable {
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
