import Foundation

/// How documents and files call a recording.
package struct RecordingTitle: Sendable, Hashable {
  /// For readers; never empty.
  package let text: String

  /// - Parameters:
  ///   - name: the name that a person gave the recording; nil if it has none.
  ///   - source: the name of its file. The title has no extension of a file.
  package init(name: String?, source: String) {
    let file = LineText.of(source.split(separator: "/").last.map(String.init) ?? "") as NSString
    let name = name.map(LineText.of) ?? ""
    let isFile = !file.pathExtension.isEmpty && name.hasSuffix(".\(file.pathExtension)")
    let titles = [
      isFile ? (name as NSString).deletingPathExtension : name, file.deletingPathExtension, file as String,
    ]
    text = titles.first { !$0.isEmpty } ?? "Transcript"
  }

  /// The name of a file with the transcript, without its extension. It has no characters that a file system refuses.
  package var fileStem: String {
    let kept = text.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
      default: !"/\\:*?\"<>|".unicodeScalars.contains(scalar)
      }
    }
    let stem = String(String.UnicodeScalarView(kept)).trimmingCharacters(in: CharacterSet(charactersIn: " ."))
    return stem.isEmpty ? "transcript" : String(stem.prefix(Self.maxLength))
  }

  private static let maxLength = 100
}

extension RecordedSession {
  /// How documents and files call the session.
  package var title: RecordingTitle { RecordingTitle(name: name, source: source) }
}
