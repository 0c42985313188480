import FileSupport
import Foundation
import ModelConversion
import ModelStorage

/// What is said of a model that is not installed yet.
struct ModelOrigin: Sendable {
  var name: String
  /// The family; nil if only the files decide.
  var family: ModelFamily?
  var languages: [String]
  var isPunctuated = false
  var licence = ModelDescription.Licence(identifier: "unknown")
  var source: String?
  /// The SHA-256 of files, by their names; others are not compared.
  var hashes: [String: String] = [:]
}

/// Puts a model into the folder of models: from a folder or an archive, completely or not at all.
package struct ModelImporter: Sendable {
  let store: ModelStore
  /// The entries by whose SHA-256 an archive is recognized.
  let catalogue: [ModelCatalogue.Entry]
  var limits = ModelArchive.Limits()
  /// The free space of a folder's disk, in bytes; nil if unknown.
  var freeSpace: @Sendable (String) -> Int64? = DiskSpace.free

  package init(store: ModelStore, catalogue: [ModelCatalogue.Entry] = []) {
    (self.store, self.catalogue) = (store, catalogue)
  }

  /// Imports a folder or an archive. Only the files that the recognizer needs are copied.
  /// - Parameters:
  ///   - source: the folder or the archive.
  ///   - name: the model's name; nil takes that of the source.
  ///   - languages: the languages; empty takes those that the source states.
  /// - Throws: `ModelError`, `CancellationError`.
  package func run(from source: URL, name: String? = nil, languages: [String] = []) throws -> InstalledModel {
    if let name { try checkIsFree(name) }
    var status = stat()
    guard stat(source.path.systemName, &status) == 0 else {
      throw ModelError(
        .notFound, "\(source.path): \(String(cString: strerror(errno))).",
        remedy: "Name the folder or the archive of a model.")
    }
    if let whisper = WhisperSource(source.path) {
      return try mapped(source.path) { try take(whisper, name: name, languages: languages) }
    }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    guard isFolder || status.st_mode & S_IFMT == S_IFREG else {
      throw ModelError(
        .invalid, "\(source.path) is neither a folder nor a file.",
        remedy: "Name the folder or the archive of a model.")
    }
    let origin = { (root: URL) in
      try self.origin(of: root, source: source, isFolder: isFolder, name: name, languages: languages)
    }
    return try mapped(source.path) {
      isFolder
        ? try inDraft { draft, _ in try take(source, moving: false, draft: draft, origin: origin(source)) }
        : try unpack(source, isWanted: { _ in true }, origin: origin)
    }
  }

  /// Unpacks an archive and installs what is in it.
  func unpack(
    _ archive: URL, isWanted: (String) -> Bool, origin: (URL) throws -> ModelOrigin
  ) throws -> InstalledModel {
    try inDraft { draft, content in
      try ModelArchive(file: archive, limits: limits).extract(into: content, isWanted: isWanted)
      // Published archives have one folder at the top.
      let names = try FileManager.default.contentsOfDirectory(atPath: content.path)
      let folders = names.filter { name in
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: "\(content.path)/\(name)", isDirectory: &isFolder)
          && isFolder.boolValue
      }
      let isNested = names.count == 1 && folders.count == 1
      let root = isNested ? content.appendingPathComponent(names[0]) : content
      return try take(root, moving: true, draft: draft, origin: origin(root))
    }
  }

  /// Installs files that `fill` puts into a folder.
  func take(_ origin: ModelOrigin, fill: (URL) throws -> Void) throws -> InstalledModel {
    try inDraft { draft, content in
      try fill(content)
      return try take(content, moving: true, draft: draft, origin: origin)
    }
  }

  /// - Parameter body: receives a folder for unfinished work, and an empty folder in it.
  func inDraft(_ body: (DraftFolder, _ content: URL) throws -> InstalledModel) throws -> InstalledModel {
    let draft = try store.makeDraft()
    defer { draft.remove() }
    let content = URL(fileURLWithPath: draft.path + "/content")
    try FileManager.default.createDirectory(at: content, withIntermediateDirectories: false)
    return try body(draft, content)
  }

  /// Runs `body`, and makes errors of the disk readable.
  func mapped<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let failure as AtomicFile.Failure {
      throw ModelError.system(failure.number, path: path)
    } catch let error as ModelFolderError {
      throw ModelError(error)
    } catch ConversionError.system(let number, let path) {
      if number == ECANCELED { throw CancellationError() }
      throw ModelError.system(number, path: path)
    } catch let error as ConversionError {
      let error = ModelFolderError(error)
      throw ModelError(
        .malformed, error.reason, remedy: "Take the file or the folder from its publisher again.")
    } catch let error as CocoaError {
      let isFull = error.code == .fileWriteOutOfSpace
      throw ModelError(
        isFull ? .noSpace : .storage, error.localizedDescription,
        remedy: isFull ? "Free some disk space and try again." : "Check the permissions of the folder.")
    }
  }

  /// - Throws: `ModelError` if the name is not allowed, or in use.
  func checkIsFree(_ name: String) throws(ModelError) {
    try ModelName.check(name)
    var status = stat()
    guard lstat(store.folder.appendingPathComponent(name).path, &status) != 0 else {
      throw ModelError(
        .exists, "A model named '\(name)' exists already.",
        remedy: "Remove it first with 'models remove \(name)', or import under another name with --name.")
    }
  }

  // MARK: what is said of it

  private func origin(
    of root: URL, source: URL, isFolder: Bool, name: String?, languages: [String]
  ) throws -> ModelOrigin {
    var origin = try stated(root) ?? known(source, isFolder: isFolder)
    origin.name = name ?? origin.name
    if !languages.isEmpty { origin.languages = languages }
    // Voices have no language, and there is punctuation for English only.
    if try !ModelInspection(folder: root.path, description: nil).family.recognizesWords {
      origin.languages = []
      return origin
    }
    guard !origin.languages.isEmpty else {
      throw ModelError(
        .invalid, "The languages of \(source.path) are not known.",
        remedy: "Name them, for example: --language en")
    }
    try Self.check(origin.languages)
    return origin
  }

  static func check(_ languages: [String]) throws(ModelError) {
    guard let other = languages.first(where: { !ModelDescription.isLanguage($0) }) else { return }
    throw ModelError(
      .invalid, "'\(other.prefix(40))' is not the code of a language.", remedy: "Example: --language de")
  }

  /// What the `model.json` of a folder says; nil if it has none.
  private func stated(_ root: URL) throws -> ModelOrigin? {
    let file = root.appendingPathComponent(ModelDescription.fileName)
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    let description = try ModelDescription(contentsOf: file.path)
    if let problem = description.problem {
      throw ModelError(
        .malformed, "\(file.path) is wrong: \(problem).", remedy: "Remove it, and import again.")
    }
    return ModelOrigin(
      name: description.name, family: description.family, languages: description.languages,
      isPunctuated: description.isPunctuated, licence: description.licence, source: description.source,
      hashes: Dictionary(
        description.files.map { ($0.name, $0.sha256) }, uniquingKeysWith: { first, _ in first }))
  }

  /// What the catalogue says of an archive, or only a name.
  private func known(_ source: URL, isFolder: Bool) throws -> ModelOrigin {
    let size = FileDownload.length(of: source)
    let candidates = isFolder ? [] : catalogue.filter { $0.archive?.bytes == size }
    if !candidates.isEmpty {
      let digest = try SHA256.hash(contentsOf: source).hexadecimal
      if let entry = candidates.first(where: { $0.archive?.sha256 == digest }) { return entry.origin }
    }
    var name = source.standardizedFileURL.lastPathComponent
    for suffix in [".tar", ".tar.bz2", ".tar.gz", ".tar.xz", ".tar.zst", ".tbz2", ".tgz", ".zip"]
    where !isFolder && name.lowercased().hasSuffix(suffix) {
      name = String(name.dropLast(suffix.count))
      break
    }
    return ModelOrigin(name: name, languages: [])
  }

  // MARK: into the folder of models

  /// Copies or moves the files of a model into a folder of its own, describes them, and publishes the folder.
  func take(
    _ root: URL, moving: Bool, draft: DraftFolder, origin: ModelOrigin
  ) throws -> InstalledModel {
    try checkIsFree(origin.name)
    let inspection = try ModelInspection(folder: root.path, description: nil)
    if let family = origin.family, family != inspection.family {
      throw ModelError(
        .malformed,
        "The model '\(origin.name)' is said to be of the family \(family.rawValue), but its files are of the "
          + "family \(inspection.family.rawValue).",
        remedy: "Take the right files, or import the folder without its model.json.")
    }
    let sizes = inspection.files.values.map { FileDownload.length(of: root.appendingPathComponent($0)) }
    try check(size: sizes.reduce(0, +), needsSpace: !moving)
    let folder = URL(fileURLWithPath: draft.path + "/model")
    guard mkdir(folder.path, 0o700) == 0 else { throw AtomicFile.Failure(number: errno) }
    var files: [ModelDescription.File] = []
    for (role, name) in inspection.files.sorted(by: { $0.value < $1.value }) {
      let part = folder.appendingPathComponent(name)
      let (size, digest) =
        moving
        ? try Self.move(root.appendingPathComponent(name), to: part)
        : try Self.copy(root.appendingPathComponent(name), to: part)
      if let expected = origin.hashes[name], expected.lowercased() != digest {
        throw ModelError(
          .malformed, "The SHA-256 of \(name) differs from that in model.json: the file is damaged.",
          remedy: "Copy the folder again.")
      }
      files.append(.init(role: role, name: name, size: size, sha256: digest))
    }
    let description = ModelDescription(
      name: origin.name, recognizer: inspection.family.recognizer, family: inspection.family, files: files,
      languages: origin.languages,
      isPunctuated: origin.isPunctuated, licence: origin.licence, source: origin.source)
    return try publish(description, folder)
  }

  /// - Throws: `ModelError` if a model is too large, or if the disk has no space for it.
  func check(size: Int64, needsSpace: Bool = true) throws(ModelError) {
    guard size <= limits.bytes else {
      throw ModelError(
        .unsafeArchive, "The model is larger than \(limits.bytes) bytes.", remedy: "Import a smaller model.")
    }
    guard needsSpace, let free = freeSpace(store.folder.path), size > free else { return }
    throw ModelError(
      .noSpace, "The disk has not enough space for the model.", remedy: "Free at least \(size) bytes.")
  }

  private func publish(_ description: ModelDescription, _ folder: URL) throws -> InstalledModel {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let file = try AtomicFile(
      folder.appendingPathComponent(ModelDescription.fileName).path, permissions: 0o600)
    try file.write(try encoder.encode(description))
    try file.publish()
    try Task.checkCancellation()
    let target = store.folder.appendingPathComponent(description.name)
    guard rename(folder.path, target.path) == 0 else {
      if errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR { try checkIsFree(description.name) }
      throw AtomicFile.Failure(number: errno)
    }
    try Self.synchronize(store.folder)
    return try store.model(named: description.name)
  }

  /// Moves a file that this program wrote, and makes it durable.
  private static func move(_ source: URL, to target: URL) throws -> (size: Int64, sha256: String) {
    guard rename(source.path.systemName, target.path.systemName) == 0 else {
      throw AtomicFile.Failure(number: errno)
    }
    try synchronize(target)
    return (FileDownload.length(of: target), try SHA256.hash(contentsOf: target).hexadecimal)
  }

  static func copy(_ source: URL, to target: URL) throws -> (size: Int64, sha256: String) {
    let input = try FileHandle(forReadingFrom: source)
    defer { try? input.close() }
    let output = try AtomicFile(target.path, permissions: 0o600)
    var function = SHA256()
    var size: Int64 = 0
    while let part = try input.read(upToCount: 1 << 20), !part.isEmpty {
      try Task.checkCancellation()
      function.update(data: part)
      size += Int64(part.count)
      try output.write(part)
    }
    try output.publish(replacing: false)
    return (size, function.finalize().hexadecimal)
  }

  private static func synchronize(_ file: URL) throws {
    let descriptor = open(file.path.systemName, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw AtomicFile.Failure(number: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw AtomicFile.Failure(number: errno) }
  }
}
