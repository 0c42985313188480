import Foundation
import Longhand

/// The line that says which sessions of a library were interrupted, and what to do.
enum InterruptedNotice {
  /// The line for a library; nil if nothing was interrupted, or if the folder is not a library.
  static func text(for location: LibraryLocation) -> String? {
    let file = location.url.appendingPathComponent(TranscriptStore.fileName)
    guard FileManager.default.fileExists(atPath: file.path), let library = try? location.open(),
      let sessions = try? library.interruptedSessions()
    else { return nil }
    return text(for: sessions.map { ($0, library.activity(of: $0).state) })
  }

  /// The line for sessions and their states, the newest first.
  static func text(for sessions: [(RecordedSession, RecordedSession.State)]) -> String? {
    let erasing = sessions.filter { $0.1 == .erasing }
    let others = sessions.filter { $0.1 != .erasing }
    var parts: [String] = []
    if let newest = others.first?.0 {
      let name = "\(newest.id.prefix(8)) (\(newest.source))"
      parts.append(
        others.count == 1
          ? "Session \(name) is not complete: its process ended or failed."
          : "\(others.count) sessions are not complete, the newest is \(name): their processes ended or failed."
      )
    }
    if !erasing.isEmpty {
      parts.append(
        erasing.count == 1
          ? "The deletion of session \(erasing[0].0.id.prefix(8)) is not finished."
          : "The deletions of \(erasing.count) sessions are not finished.")
    }
    guard !parts.isEmpty else { return nil }
    return (parts + ["Run 'longhand recover' to finish."]).joined(separator: " ")
  }
}
