import Foundation

/// The choice of a second network among the texts of a search.
///
/// It is stored as the candidates' sources: `elected 1.34` for the text that was chosen, with how much likelier than the search's
/// own first text both networks together find it (a natural logarithm), and `outvoted` for that first text.
extension Candidate {
  private static let elected = "elected"
  private static let outvoted = "outvoted"

  /// The source of a text that was elected.
  package static func electedSource(_ lead: Double) -> String {
    String(format: "\(elected) %.2f", locale: Locale(identifier: "en_US_POSIX"), lead)
  }

  /// How much likelier than the outvoted text it is, as a logarithm; nil if it was not elected.
  package var election: Double? {
    guard let fields = source?.split(separator: " "), fields.count == 2, fields[0] == Self.elected[...],
      let lead = Double(fields[1]), lead.isFinite
    else { return nil }
    return lead
  }

  /// Whether another text was elected in its place.
  package var isOutvoted: Bool { source == Self.outvoted }

  /// The source without the choice of a second network.
  package var sourceWithoutElection: String? { isOutvoted || election != nil ? nil : source }

  /// The source of a text that is this one and then another one.
  package func joinedSource(with next: Candidate) -> String? {
    if isOutvoted || next.isOutvoted { return Self.outvoted }
    if let lead = election, let other = next.election { return Self.electedSource(lead + other) }
    return source ?? next.source
  }
}

extension [Candidate] {
  /// Takes the labels from an election that was about other words than these.
  package mutating func removeVoidElection() {
    guard let elected = firstIndex(where: { $0.election != nil }), !contains(where: \.isOutvoted) else {
      return
    }
    self[elected].source = nil
  }
}
