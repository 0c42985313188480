import Foundation

/// A user's recordings and their transcripts, in one folder that is readable by its owner alone: `recordings/` has a
/// folder a session, and the store beside it has what was said.
public struct Library: Sendable {
  /// The folder.
  public let url: URL
  /// What was said.
  public let store: TranscriptStore

  /// Opens a library; makes it where there is none.
  /// - Throws: `StoreError`.
  public init(at url: URL) throws {
    self.url = url
    store = try TranscriptStore(at: url)
    try? FileManager.default.createDirectory(
      at: recordings, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// Where the user's library is unless somebody says otherwise: in the platform's folder for data.
  public static var usual: URL {
    let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
    return (folders.first ?? FileManager.default.homeDirectoryForCurrentUser)
      .appendingPathComponent("longhand")
  }

  /// The recording of a session.
  public func recording(of session: String) -> RecordingFolder {
    RecordingFolder(recordings.appendingPathComponent(session))
  }

  /// Whether a session's sound is being recorded at the moment, in this process or another.
  public func isBeingRecorded(_ session: String) -> Bool {
    SystemDisk().isInUse(recording(of: session).audio)
  }

  /// Erases a session, its sound and its words.
  /// - Throws: `RecordingError.inUse` while it is being recorded; `StoreError`, and what Foundation throws: then something
  ///   of it is left, and it can be erased again.
  public func erase(_ session: String) throws {
    let sound = recording(of: session).audio
    if SystemDisk().isInUse(sound) { throw RecordingError.inUse(path: sound.path) }
    try remove(session)
  }

  func remove(_ session: String) throws {
    let folder = recording(of: session).url
    if FileManager.default.fileExists(atPath: folder.path) { try FileManager.default.removeItem(at: folder) }
    try store.erase(session)
  }

  var recordings: URL { url.appendingPathComponent("recordings") }
}
