import FileSupport
import Foundation
import LonghandTranscripts

/// Why voices cannot be remembered, or forgotten.
package enum RememberedVoicesError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file has something else than voices; the second text says what.
  case damaged(path: String, String)
  /// A system call failed; the number is that of `errno`.
  case system(action: String, path: String, number: Int32)
  /// No voice with this name is remembered. The names of all remembered voices are added.
  case unknown(String, known: [String])
  /// The speaker says too little in the recording; seconds of speech.
  case tooLittle(String, seconds: TimeInterval, needed: TimeInterval)
  /// The recording has no audio any more.
  case noAudio
  /// The recording is not completely transcribed.
  case unfinished

  /// What is wrong, as a sentence.
  package var description: String {
    switch self {
    case .damaged(let path, let why): "The file of the remembered voices is damaged (\(why)): \(path)."
    case .system(let action, let path, let number):
      "Cannot \(action) the file of the remembered voices \(path): \(String(cString: strerror(number)))."
    case .unknown(let name, let known):
      known.isEmpty
        ? "No voice of '\(name)' is remembered, because no voices are remembered."
        : "No voice of '\(name)' is remembered. The remembered voices are: \(known.joined(separator: ", "))."
    case .tooLittle(let name, let seconds, let needed):
      "\(name) does not speak enough in this session: \(Int(clamping: seconds)) s without pauses, but \(Int(needed)) s are needed."
    case .noAudio: "The audio of this session no longer exists, so its voices cannot be remembered."
    case .unfinished: "The session is not complete yet."
    }
  }
}

extension RememberedVoices {
  /// What the file has, as JSON.
  private struct Content: Codable {
    /// Version 1 had prints of the method that needs no network only.
    var version = 2
    var voices: [Voice]
  }

  private static let maxSize = 64 << 20

  /// The default location of the user's remembered voices: `longhand-speakers/voices.json` in the platform's folder for
  /// application data, outside of any library.
  package static var defaultLocation: URL {
    .applicationData.appendingPathComponent("longhand-speakers/voices.json")
  }

  /// Reads the remembered voices; there are none if there is no file.
  /// - Throws: `RememberedVoicesError.damaged`, `.system`.
  package init(at file: URL) throws(RememberedVoicesError) {
    let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return }
      throw .system(action: "read", path: file.path, number: errno)
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let data: Data
    do { data = try handle.read(upToCount: Self.maxSize) ?? Data() } catch {
      throw .system(action: "read", path: file.path, number: EIO)
    }
    guard let content = try? JSONDecoder().decode(Content.self, from: data) else {
      throw .damaged(path: file.path, "it is no JSON of this form")
    }
    guard 1...2 ~= content.version else {
      throw .damaged(path: file.path, "its version is \(content.version), and 2 is known")
    }
    for voice in content.voices {
      guard !voice.prints.isEmpty, voice.prints.allSatisfy(\.isPossible) else {
        throw .damaged(path: file.path, "it has an impossible print")
      }
    }
    // The voice of an impossible name can still be found and forgotten.
    voices = content.voices.map {
      Voice(name: SessionSpeakers.possible($0.name) ?? "Unnamed", prints: $0.prints)
    }
  }

  /// Changes the remembered voices. Only the owner can read the file; it is replaced in one step, and the bytes of the earlier
  /// one are overwritten. If no voice is left, there is no file.
  /// - Returns: what `change` returns.
  /// - Throws: `RememberedVoicesError`, and what `change` throws; the file is then unchanged.
  @discardableResult package static func change<Result>(
    at file: URL, _ change: (inout RememberedVoices) throws -> Result
  ) throws -> Result {
    let target = resolved(file)
    let folder = target.deletingLastPathComponent()
    try? FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let lock = try? FolderLock(folder, .exclusiveAfterOthers)
    defer { withExtendedLifetime(lock) {} }
    try eraseDrafts(of: file)
    var voices = try RememberedVoices(at: target)
    let old = voices
    let result = try change(&voices)
    if voices != old { try voices.replace(target) }
    return result
  }

  /// Erases the voices of people in a file, see `forget(_:)`. If none is left, the file is removed.
  /// - Throws: `RememberedVoicesError`; the file is then unchanged.
  package static func forget(_ names: [String] = [], at file: URL) throws -> [String] {
    // No folder is made where nothing is remembered.
    guard FileManager.default.fileExists(atPath: file.path) || !drafts(of: file).isEmpty else {
      var none = RememberedVoices()
      return try none.forget(names)
    }
    return try change(at: file) { try $0.forget(names) }
  }

  /// Erases the file, also a damaged one.
  /// - Throws: `RememberedVoicesError.system`.
  package static func eraseAll(at file: URL) throws(RememberedVoicesError) {
    let target = resolved(file)
    let lock = try? FolderLock(target.deletingLastPathComponent(), .exclusiveAfterOthers)
    defer { withExtendedLifetime(lock) {} }
    try eraseDrafts(of: file)
    if FileManager.default.fileExists(atPath: target.path) { try RememberedVoices().replace(target) }
  }

  /// The file itself if a link was named, so that its bytes are replaced and not the link.
  private static func resolved(_ file: URL) -> URL {
    file.path.resolvedSystemName.map { URL(fileURLWithPath: $0) } ?? file
  }

  /// The files in which voices are that a process could not give their name, because it was killed.
  private static func drafts(of file: URL) -> [String] {
    Set([file, resolved(file)]).flatMap { file in
      let folder = file.deletingLastPathComponent().path
      let prefix = file.lastPathComponent + "."
      return (folder.namesInFolder ?? []).filter { name in
        name.hasPrefix(prefix) && name.hasSuffix(".part")
          && UUID(uuidString: String(name.dropFirst(prefix.count).dropLast(".part".count))) != nil
      }.map { "\(folder)/\($0)" }
    }
  }

  /// Overwrites and removes them. The folder is locked, so that no process is writing one.
  private static func eraseDrafts(of file: URL) throws(RememberedVoicesError) {
    for path in drafts(of: file) {
      let draft = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
      defer { if draft >= 0 { close(draft) } }
      guard unlink(path) == 0 || errno == ENOENT else {
        throw .system(action: "remove", path: path, number: errno)
      }
      overwrite(draft)
    }
  }

  private func replace(_ file: URL) throws(RememberedVoicesError) {
    let earlier = open(file.path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    defer { if earlier >= 0 { close(earlier) } }
    if voices.isEmpty {
      guard unlink(file.path) == 0 || errno == ENOENT else {
        throw .system(action: "remove", path: file.path, number: errno)
      }
    } else {
      do throws(AtomicFile.Failure) {
        let new = try AtomicFile(file.path, permissions: 0o600)
        guard let data = try? JSONEncoder().encode(Content(voices: voices)) else {
          throw AtomicFile.Failure(number: EINVAL)
        }
        try new.write(data)
        try new.publish()
      } catch {
        throw .system(action: "write", path: file.path, number: error.number)
      }
    }
    Self.overwrite(earlier)
  }

  /// Overwrites the bytes of a file that has no name any more.
  private static func overwrite(_ descriptor: Int32) {
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else { return }
    try? AtomicFile.write(Data(count: Int(status.st_size)), to: descriptor)
    fsync(descriptor)
  }
}
