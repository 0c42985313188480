import FileSupport
import Foundation
import Synchronization

/// What `--resume` remembers in its folder: the outputs that were begun and finished, each with its audio and its options.
///
/// An output is begun before its first byte is written, so that after a crash the file is known to be this program's own.
final class ResumeRecord: Sendable {
  /// The name of the file in the folder.
  static let name = "longhand-resume.jsonl"

  /// A line of the file.
  struct Entry: Codable, Hashable, Sendable {
    /// The name of the output files, without the extension.
    var output: String
    /// The absolute path of the audio.
    var source: String
    /// Whether all output files were written.
    var isDone: Bool
    /// The SHA-256 digest of the audio.
    var sha256: String
    /// The SHA-256 digest of what else the outputs depend on.
    var options: String
    /// The SHA-256 digests of the output files as they were written, or were about to be; nil in a line of an older
    /// version.
    var files: [String]?

    fileprivate func isOfSameInput(as other: Entry) -> Bool {
      source == other.source || sha256 == other.sha256
    }
  }

  private let descriptor: Int32
  private let entries: Mutex<[String: Entry]>

  /// Opens the record of a folder, or begins it. No other process can use it meanwhile.
  /// - Throws: a `Failure`.
  init(in folder: String) throws {
    let path = PathName.join(folder, Self.name)
    descriptor = open(path.systemName, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw Failure.system(errno, .output, "Cannot write the file \(path)", hint: "Check the folder.")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw Failure(
        .output, "Another process transcribes into the folder \(folder).",
        hint: "Wait for its end, or choose another folder.")
    }
    let data = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readDataToEndOfFile()
    var known: [String: Entry] = [:]
    // The last line of a process that was killed may be incomplete.
    for line in data.split(separator: 0x0A) {
      guard let entry = try? JSONDecoder().decode(Entry.self, from: Data(line)) else { continue }
      Self.add(entry, to: &known)
    }
    entries = Mutex(known)
    if let last = data.last, last != 0x0A { try append(Data([0x0A])) }
  }

  deinit { close(descriptor) }

  /// Whether output files of this name were begun.
  func knows(_ output: String) -> Bool { entries.withLock { $0[output] != nil } }

  /// Whether an output file was made from the same file or the same audio, completely or not, and was not edited since.
  /// That of another input with the same name is not replaced.
  func canReplace(_ path: String, of entry: Entry) -> Bool {
    guard let known = entries.withLock({ $0[entry.output] }), known.isOfSameInput(as: entry),
      let digests = known.files
    else { return false }
    var status = stat()
    guard stat(path.systemName, &status) == 0, status.isFile else { return false }
    // Read at once, and not in parts that end with cancelled work: a finished text is still written.
    guard let data = try? NamedFile(path).withURL({ try Data(contentsOf: $0) }) else { return false }
    return digests.contains(SHA256.hash(data: data).hexadecimal)
  }

  /// Whether this output was finished, from the same audio with the same options.
  func isDone(_ entry: Entry) -> Bool {
    entries.withLock { entries in
      entries[entry.output].map { $0.isDone && $0.sha256 == entry.sha256 && $0.options == entry.options }
        ?? false
    }
  }

  /// Adds a line, which is on the disk when this returns.
  /// - Throws: a `Failure`.
  func add(_ entry: Entry) throws {
    try append(Data((JSONLine.string(entry) + "\n").utf8))
    guard fdatasync(descriptor) == 0 else { throw Self.failure(errno) }
    entries.withLock { Self.add(entry, to: &$0) }
  }

  /// What an earlier run wrote for the same input may still be there, so that its digests stay.
  private static func add(_ entry: Entry, to entries: inout [String: Entry]) {
    var entry = entry
    if let earlier = entries[entry.output], earlier.isOfSameInput(as: entry), let files = earlier.files {
      entry.files = Array(Set(files + (entry.files ?? [])))
    }
    entries[entry.output] = entry
  }

  private func append(_ line: Data) throws {
    do { try AtomicFile.write(line, to: descriptor) } catch { throw Self.failure(error.number) }
  }

  private static func failure(_ number: Int32) -> Failure {
    .system(number, .output, "Cannot write the file \(name)")
  }
}
