import FileSupport
import Foundation

extension ModelStore {
  /// Checks a model completely: every byte of its files, and whether they fit together.
  /// - Parameters:
  ///   - name: the model's name.
  ///   - report: receives the number of bytes that were read so far.
  /// - Throws: `ModelError` that says what is wrong; `CancellationError`.
  public func verify(_ name: String, report: (Int64) -> Void = { _ in }) throws {
    let model = try model(named: name)
    func damaged(_ problem: String) -> ModelError {
      ModelError(
        .malformed, "The model '\(name)' is damaged: \(problem)",
        remedy: "Remove it with 'models remove', and install or import it again.")
    }
    var done: Int64 = 0
    for file in model.description.files {
      let digest: String
      do {
        digest = try SHA256.hash(contentsOf: model.folder.appendingPathComponent(file.name)).hexadecimal
      } catch let error as CocoaError {
        throw damaged("The file \(file.name) cannot be read: \(error.localizedDescription)")
      }
      guard digest == file.sha256.lowercased() else {
        throw damaged("The SHA-256 of the file \(file.name) differs from that at its installation.")
      }
      done += file.size
      report(done)
    }
    do {
      _ = try ModelInspection(folder: model.folder.path, description: model.description)
    } catch {
      throw damaged(error.reason)
    }
  }

  /// Removes a model, or a folder that `contents()` lists as broken. The model is gone at once, as a whole.
  /// - Throws: `ModelError`.
  public func remove(_ name: String) throws {
    try checkIsOwn(name)
    do {
      let draft = try makeDraft()
      defer { draft.remove() }
      let model = folder.appendingPathComponent(name).path
      guard rename(model, draft.path + "/removed") == 0 else { throw AtomicFile.Failure(number: errno) }
    } catch let failure as AtomicFile.Failure {
      throw ModelError.system(failure.number, path: folder.appendingPathComponent(name).path)
    }
  }

  /// Checks that a model, or a broken one, is in the user's folder.
  /// - Throws: `ModelError`.
  public func checkIsOwn(_ name: String) throws(ModelError) {
    let broken = contents().broken.first { $0.name == name }
    let found = if let broken { broken.folder } else { try model(named: name).folder }
    let own = folder.appendingPathComponent(name)
    guard found.standardizedFileURL.path != own.standardizedFileURL.path else { return }
    throw ModelError(
      .storage, "The model '\(name)' is installed for all users, in \(found.path).",
      remedy:
        "Who administers this computer can remove that folder. To use another model, name it with --model.")
  }

  /// Creates a folder for unfinished work, and removes those that killed processes left.
  package func makeDraft() throws -> DraftFolder {
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    removeAbandoned()
    return try DraftFolder(DraftFolder.path(in: folder.path, prefix: Self.draftPrefix))
  }

  /// Removes the unfinished work of processes that were killed.
  package func removeAbandoned() {
    DraftFolder.removeAbandoned(in: folder.path, prefix: Self.draftPrefix)
  }
}
