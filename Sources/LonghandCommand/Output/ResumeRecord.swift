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
      known[entry.output] = entry
    }
    entries = Mutex(known)
    if let last = data.last, last != 0x0A { try append(Data([0x0A])) }
  }

  deinit { close(descriptor) }

  /// Whether output files of this name were begun.
  func knows(_ output: String) -> Bool { entries.withLock { $0[output] != nil } }

  /// Whether the output files of this name were made from the same file or the same audio, completely or not. Those of
  /// another input with the same name are not replaced.
  func owns(_ entry: Entry) -> Bool {
    entries.withLock { entries in
      entries[entry.output].map { $0.source == entry.source || $0.sha256 == entry.sha256 } ?? false
    }
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
    entries.withLock { $0[entry.output] = entry }
  }

  private func append(_ line: Data) throws {
    do { try AtomicFile.write(line, to: descriptor) } catch { throw Self.failure(error.number) }
  }

  private static func failure(_ number: Int32) -> Failure {
    .system(number, .output, "Cannot write the file \(name)")
  }
}
