import Foundation
import Longhand

/// The files beside the recordings that an evaluation reads.
enum EvaluationFiles {
  /// The terms in the file; none without a file.
  static func terms(_ path: String?) throws -> [String] {
    guard let path else { return [] }
    let terms = try TermScore.readTerms(contentsOf: URL(fileURLWithPath: path))
    if terms.isEmpty {
      throw Failure(.malformed, "there is no term in it", input: path, hint: "write one a line")
    }
    return terms
  }

  /// The report in the file.
  static func report(_ path: String) throws -> EvaluationReport {
    do {
      return try EvaluationReport.read(contentsOf: URL(fileURLWithPath: path))
    } catch is DecodingError {
      throw Failure(
        .malformed, "it is no report of an evaluation", input: path,
        hint: "write one with 'longhand evaluate --json'")
    } catch {
      throw Failure(.unreadable, "it cannot be read", input: path, hint: "check its name and its permissions")
    }
  }
}
