import Foundation
import Speech

/// Writes a result out: the text, a line for each word, and the other readings.
struct PhraseReport {
  func print(_ result: DictationTranscriber.Result) {
    Swift.print(line(result.text))
    for run in result.text.runs {
      guard let confidence = run.transcriptionConfidence else { continue }
      // Words in a row that are equally sure are one run.
      for word in result.text[run.range].characters.split(whereSeparator: \.isWhitespace) {
        Swift.print(String(format: "  %4.2f  ", confidence) + String(word))
      }
    }
    for other in result.alternatives.dropFirst() { Swift.print("  or: \(line(other))") }
  }

  /// A result's text begins with the space that parts it from the one before.
  private func line(_ text: AttributedString) -> String {
    String(text.characters).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
