import Foundation

/// How results describe themselves.
enum ResultDescription {
  static func text(of result: some SpeechModuleResult, _ content: String) -> String {
    let times = [result.range.start, result.range.end]
      .map { String(format: "%.2f", $0.seconds) }
      .joined(separator: "–")
    return "\(times) s, \(result.isFinal ? "final" : "volatile"): \(content)"
  }
}
