import CArchive
import FileSupport
import Foundation

/// Writes custom language model data as Apple's framework does: a ZIP archive whose members are stored, with times of 0.
final class LanguageModelAssetWriter {
  private let path: URL
  private let file: AtomicFile
  private let archive: OpaquePointer
  private var phraseCount = 0

  /// Begins a file that takes the place `path` when it is finished.
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
    // What is not finished needs no end: its file goes away.
    archive_write_fail(archive)
    archive_write_free(archive)
  }

  /// Writes everything but the phrases.
  func write(_ data: SFCustomLanguageModelData) throws {
    let hasPhrases = !data.phraseCounts.isEmpty || !data.generators.isEmpty
    var members: [String] = []
    if !data.pronunciations.isEmpty { members.append(LanguageModelAssetMember.pronunciations) }
    if hasPhrases { members.append(LanguageModelAssetMember.phrases) }
    try begin(LanguageModelAssetMember.information)
    try write(LanguageModelAssetInformation(data, members: members).text)
    if !data.pronunciations.isEmpty {
      try begin(LanguageModelAssetMember.pronunciations)
      try write(try PronunciationLexicon.text(of: data.pronunciations, locale: data.locale))
    }
    if hasPhrases { try begin(LanguageModelAssetMember.phrases) }
  }

  /// Writes a phrase.
  /// - Throws: `SFSpeechError.malformedSupplementalModel` if it is empty, too long or broken into lines, or its count is
  ///   not above 0.
  func write(_ phrase: SFCustomLanguageModelData.PhraseCount) throws {
    phraseCount += 1
    func problem(_ text: String) -> SFSpeechError {
      let shown = phrase.phrase.count > 60 ? phrase.phrase.prefix(60) + "…" : phrase.phrase[...]
      return .malformedData("Phrase \(phraseCount), \"\(shown)\", \(text).")
    }
    guard phrase.count > 0 else { throw problem("has the count \(phrase.count); it must be at least 1") }
    guard phrase.phrase.contains(where: { !$0.isWhitespace }) else { throw problem("is empty") }
    guard phrase.phrase.utf8.allSatisfy({ $0 >= 0x20 }) else {
      throw problem("is broken by a control character")
    }
    guard phrase.phrase.utf8.count <= LanguageModelAsset.longestPhrase else {
      throw problem("is longer than \(LanguageModelAsset.longestPhrase) bytes")
    }
    try write("\(phrase.count)\t\(phrase.phrase)\n")
  }

  /// Puts the file in its place.
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
      userInfo: [NSFilePathErrorKey: path.path, NSLocalizedDescriptionKey: "cannot be written: \(text)"])
  }
}
