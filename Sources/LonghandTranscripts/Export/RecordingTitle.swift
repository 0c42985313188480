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
    let ends = CharacterSet(charactersIn: " .")
    let name = String(String.UnicodeScalarView(kept)).trimmingCharacters(in: ends)
    var stem = ""
    for character in name.prefix(Self.maxLength) {
      guard stem.utf8.count + character.utf8.count <= Self.maxBytes else { break }
      stem.append(character)
    }
    stem = stem.trimmingCharacters(in: ends)
    return stem.isEmpty ? "transcript" : stem
  }

  /// Characters of the name of a file at most.
  private static let maxLength = 100
  /// Bytes of it in UTF-8 at most. A file system allows 255, with the extension and what a file is called while it is written.
  private static let maxBytes = 200
}

extension RecordedSession {
  /// How documents and files call the session.
  package var title: RecordingTitle { RecordingTitle(name: name, source: source) }
}
