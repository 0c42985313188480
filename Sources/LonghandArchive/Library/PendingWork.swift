import Foundation
import LonghandRecording

/// What is to be done again with complete sessions, in a folder of the library with one file for each session. It stays
/// when the process ends, so that a later one does it.
package struct PendingWork: Sendable {
  /// What a person asked for.
  package enum Request: Sendable, Hashable, Codable {
    case transcription(RecognitionChoice)
    case speakers(VoiceCount)
    case translation
  }

  private let url: URL
  private let disk = SystemDisk()

  init(_ url: URL) { self.url = url }

  /// All requests by the IDs of their sessions.
  package var all: [String: Request] {
    let sessions = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    return sessions.reduce(into: [:]) { all, session in
      guard UUID(uuidString: session) != nil, let data = try? disk.read(file(of: session)) else { return }
      all[session] = try? JSONDecoder().decode(Request.self, from: data)
    }
  }

  /// Whether there is a request for a session.
  package func contains(_ session: String) -> Bool { access(file(of: session).path, F_OK) == 0 }

  /// Stores a request, or removes it with nil. One that cannot be stored ends with the process.
  package func set(_ request: Request?, on session: String) {
    guard let request else {
      unlink(file(of: session).path)
      return
    }
    if !FileManager.default.fileExists(atPath: url.path) { try? disk.makeFolder(url) }
    guard let data = try? JSONEncoder().encode(request) else { return }
    try? disk.replace(file(of: session), with: data)
  }

  private func file(of session: String) -> URL { url.appendingPathComponent(session) }
}
