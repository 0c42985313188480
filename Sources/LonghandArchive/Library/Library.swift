import FileSupport
import Foundation
import LonghandRecording
import LonghandTranscripts

/// A user's recordings and their transcripts, in one folder that only its owner can read. `recordings/` has one folder
/// for each session; the store beside it has the transcripts.
///
/// ```swift
/// let library = try Library(at: Library.defaultLocation)
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

  /// A library with a store that is open, for tests of faults.
  init(at url: URL, store: TranscriptStore) { (self.url, self.store) = (url, store) }

  /// The default location of the user's library: `longhand` in the platform's folder for application data.
  public static var defaultLocation: URL { .applicationData.appendingPathComponent("longhand") }

  /// The folder of a session's recording.
  /// - Parameter session: the session's ID.
  package func recording(of session: String) -> RecordingFolder {
    RecordingFolder(recordings.appendingPathComponent(session))
  }

  /// Erases the audio and the transcript of a session. If the process is killed, `recover` finishes the erasure.
  /// - Parameters:
  ///   - session: the session's ID.
  ///   - force: whether it is erased even while a process works on it; that process then fails.
  /// - Throws: `RecordingError.inUse` while a process works on the session. `StoreError`, or an error of Foundation, if
  ///   a part could not be erased; call this again then.
  public func erase(_ session: String, force: Bool = false) throws {
    // Held until the end, so that no other process begins to work on it.
    var hold: (any RecordingFile)?
    defer { hold?.close() }
    do {
      hold = try SystemDisk().open(recording(of: session).audio, isNew: false)
    } catch RecordingError.inUse(let path) where !force {
      throw RecordingError.inUse(path: path)
    } catch {
      // The audio is missing, or cannot be read. What is there is erased.
    }
    try remove(session)
  }

  func remove(_ session: String) throws {
    let folder = recording(of: session).url
    func removeAudio() throws {
      guard FileManager.default.fileExists(atPath: folder.path) else { return }
      // Frees its room at once, also while the file is held open.
      _ = truncate(recording(of: session).audio.path, 0)
      try FileManager.default.removeItem(at: folder)
    }
    var store = store
    // The text first: from then on, `recover` finishes the erasure. If it fails, the audio is erased anyway, and then the
    // text: on a full disk it needs the room of the audio, and a store that is writable with that room. If that is too
    // little, the text is only hidden.
    do { try store.removeContent(of: session) } catch {
      try removeAudio()
      store = try TranscriptStore(at: url)
      do { try store.removeContent(of: session) } catch let error as StoreError
        where error.problem == .diskFull
      {
        try store.hide(session)
        uploads.remove(session)
        throw store.error(.erasureNeedsRoom)
      }
    }
    try removeAudio()
    uploads.remove(session)
    try store.erase(session)
  }

  /// Runs `body`, which creates the folder of a session, while no other process takes an unfinished folder for one that a
  /// killed process left.
  func creating<Result>(_ body: () throws -> Result) throws -> Result {
    let lock = try? FolderLock(recordings, .shared)
    defer { withExtendedLifetime(lock) {} }
    return try body()
  }

  /// The vocabularies that people made in the library, and the words for every recording.
  package var vocabularies: VocabularyFolder { VocabularyFolder(of: url) }

  /// The files that are being received for the library.
  package var uploads: UploadFolder { UploadFolder(url.appendingPathComponent("uploads")) }

  /// What is to be done again with complete sessions.
  package var pendingWork: PendingWork { PendingWork(url.appendingPathComponent("again")) }

  /// What people want to stop.
  package var stopRequests: StopRequests { StopRequests(url.appendingPathComponent("stops")) }

  /// The folder of what the processes say about the sessions that wait in them.
  var queues: URL { url.appendingPathComponent("queues") }

  /// The folder of where the processes serve the library.
  var servers: URL { url.appendingPathComponent("servers") }

  var recordings: URL { url.appendingPathComponent("recordings") }
}
