import CArchive
import FileSupport
import Foundation

/// Writes custom language model data as Apple's framework does: a ZIP archive with uncompressed members and times of 0.
final class LanguageModelAssetWriter {
  private let path: URL
  private let file: AtomicFile
  private let archive: OpaquePointer
  private var phraseCount = 0
  private var budget = LanguageModelAsset.Budget()

  /// Creates a file that gets its name in `finish()`.
  /// - Throws: `CocoaError`.
  init(_ path: URL) throws {
    self.path = path
    do { file = try AtomicFile(path.path) } catch { throw error.cocoaError(path: path.path) }
    archive = archive_write_new()
    archive_write_set_format_zip(archive)
    archive_write_set_options(archive, "zip:compression=store,zip:!zip64")
    archive_write_set_bytes_in_last_block(archive, 1)
    archive_write_open_fd(archive, file.descriptor)
  }

  deinit {
    // Without `finish()` the file is removed, so the archive needs no end.
    archive_write_fail(archive)
    archive_write_free(archive)
  }

  /// Writes everything except the phrases.
  func write(_ data: SFCustomLanguageModelData) throws {
    let hasPhrases = !data.phraseCounts.isEmpty || !data.generators.isEmpty
    var members: [String] = []
    if !data.pronunciations.isEmpty { members.append(LanguageModelAssetInformation.Member.pronunciations) }
    if hasPhrases { members.append(LanguageModelAssetInformation.Member.phrases) }
    try begin(LanguageModelAssetInformation.Member.information)
    try write(LanguageModelAssetInformation(data, members: members).text)
    if !data.pronunciations.isEmpty {
      try begin(LanguageModelAssetInformation.Member.pronunciations)
      try write(try PronunciationLexicon.text(of: data.pronunciations, locale: data.locale))
    }
    if hasPhrases { try begin(LanguageModelAssetInformation.Member.phrases) }
  }

  /// Writes a phrase.
  /// - Throws: `SFSpeechError.malformedSupplementalModel` if the phrase is empty, too long or has control characters, or
  ///   if its count is below 1, or if there are too many phrases.
  func write(_ phrase: SFCustomLanguageModelData.PhraseCount) throws {
    phraseCount += 1
    func problem(_ text: String) -> SFSpeechError {
      let shown = phrase.phrase.count > 60 ? phrase.phrase.prefix(60) + "…" : phrase.phrase[...]
      return .malformedData("Phrase \(phraseCount), \"\(shown)\", \(text).")
    }
    guard phrase.count > 0 else { throw problem("has the count \(phrase.count); it must be at least 1") }
    guard phrase.phrase.contains(where: { !$0.isWhitespace }) else { throw problem("is empty") }
    guard phrase.phrase.utf8.allSatisfy({ $0 >= 0x20 }) else {
      throw problem("contains a control character")
    }
    guard phrase.phrase.utf8.count <= LanguageModelAsset.maxPhraseLength else {
      throw problem("is longer than \(LanguageModelAsset.maxPhraseLength) bytes")
    }
    if let excess = budget.take(phrase.phrase) { throw SFSpeechError.malformedData("There are \(excess).") }
    try write("\(phrase.count)\t\(phrase.phrase)\n")
  }

  /// Completes the file and gives it its name.
  func finish() throws {
    guard archive_write_close(archive) == ARCHIVE_OK else { throw failure() }
    do { try file.publish() } catch { throw error.cocoaError(path: path.path) }
  }

  private func begin(_ name: String) throws {
    let entry = archive_entry_new()
    defer { archive_entry_free(entry) }
    archive_entry_set_pathname(entry, name)
    archive_entry_set_filetype(entry, UInt32(0o100000))
    archive_entry_set_perm(entry, 0o644)
    archive_entry_set_mtime(entry, 0, 0)
    archive_entry_set_uid(entry, 0)
    archive_entry_set_gid(entry, 0)
    guard archive_write_header(archive, entry) == ARCHIVE_OK else { throw failure() }
  }

  private func write(_ text: String) throws {
    var text = text
    let written = text.withUTF8 { archive_write_data(archive, $0.baseAddress, $0.count) }
    guard written == text.utf8.count else { throw failure() }
  }

  private func failure() -> CocoaError {
    let text = archive_error_string(archive).map { String(cString: $0) } ?? "unknown"
    return CocoaError(
      .fileWriteUnknown,
      userInfo: [
        NSFilePathErrorKey: path.path,
        NSLocalizedDescriptionKey: "The file \(path.path) cannot be written: \(text).",
      ])
  }
}
