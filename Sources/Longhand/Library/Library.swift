import Foundation

/// A user's recordings and their transcripts, in one folder that only its owner can read. `recordings/` has one folder
/// for each session; the store beside it has the transcripts.
///
/// ```swift
/// let library = try Library(at: Library.usual)
/// let session = try await library.importFile(URL(fileURLWithPath: "talk.wav"))
/// print(try library.transcript(of: session).text)
/// ```
public struct Library: Sendable {
  /// The folder of the library.
  public let url: URL
  /// The sessions and their transcripts.
  public let store: TranscriptStore

  /// Opens a library, or creates it if the folder has none.
  /// - Throws: `StoreError`.
  public init(at url: URL) throws {
    self.url = url
    store = try TranscriptStore(at: url)
    try? FileManager.default.createDirectory(
      at: recordings, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// The default location of the user's library: `longhand` in the platform's folder for application data.
  public static var usual: URL {
    let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
    return (folders.first ?? FileManager.default.homeDirectoryForCurrentUser)
      .appendingPathComponent("longhand")
  }

  /// The folder of a session's recording.
  /// - Parameter session: the session's ID.
  public func recording(of session: String) -> RecordingFolder {
    RecordingFolder(recordings.appendingPathComponent(session))
  }

  /// Whether a session is being recorded now, by this process or another one.
  /// - Parameter session: the session's ID.
  public func isBeingRecorded(_ session: String) -> Bool {
    SystemDisk().isInUse(recording(of: session).audio)
  }

  /// Erases the audio and the transcript of a session.
  /// - Parameter session: the session's ID.
  /// - Throws: `RecordingError.inUse` while the session is being recorded. `StoreError`, or an error of Foundation, if
  ///   a part could not be erased; call this again then.
  public func erase(_ session: String) throws {
    let audio = recording(of: session).audio
    if SystemDisk().isInUse(audio) { throw RecordingError.inUse(path: audio.path) }
    try remove(session)
  }

  func remove(_ session: String) throws {
    let folder = recording(of: session).url
    if FileManager.default.fileExists(atPath: folder.path) { try FileManager.default.removeItem(at: folder) }
    try store.erase(session)
  }

  var recordings: URL { url.appendingPathComponent("recordings") }
}
