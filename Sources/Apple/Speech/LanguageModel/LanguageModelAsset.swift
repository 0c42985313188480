import CArchive
import Foundation

/// A file of custom language model data, as Apple's framework or any other tool zipped it.
struct LanguageModelAsset {
  /// The most bytes of a phrase.
  static let longestPhrase = 10_000
  /// The most bytes of the members that are read whole.
  private static let mostBytes = 64 << 20

  let url: URL

  /// What the file says besides its phrases.
  struct Contents {
    var information: LanguageModelAssetInformation
    var pronunciations: [SFCustomLanguageModelData.CustomPronunciation]
  }

  /// Reads the file from its beginning to its end.
  /// - Parameter takePhrase: takes each phrase and its count as it is read.
  /// - Throws: `SFSpeechError.malformedSupplementalModel`, with what is wrong and where, and what `takePhrase` throws.
  func read(_ takePhrase: (String, Int) throws -> Void) throws -> Contents {
    guard let archive = archive_read_new() else { throw SFSpeechError(.insufficientResources) }
    defer { archive_read_free(archive) }
    archive_read_support_format_zip(archive)
    guard archive_read_open_filename(archive, url.path, 1 << 16) == ARCHIVE_OK else {
      throw problem(message(of: archive))
    }
    var information: LanguageModelAssetInformation?
    var pronunciations: [SFCustomLanguageModelData.CustomPronunciation] = []
    var found: Set<String> = []
    var entry: OpaquePointer?
    while true {
      let status = archive_read_next_header(archive, &entry)
      if status == ARCHIVE_EOF { break }
      guard status == ARCHIVE_OK, let entry,
        let name = archive_entry_pathname(entry).map({ String(cString: $0) })
      else { throw problem(message(of: archive)) }
      found.insert(name)
      switch name {
      case LanguageModelAssetMember.information:
        do {
          information = try JSONDecoder().decode(
            LanguageModelAssetInformation.self, from: try whole(archive, name: name))
        } catch let error as DecodingError {
          throw problem("\(name): \(Self.text(of: error))")
        }
      case LanguageModelAssetMember.pronunciations:
        do {
          pronunciations = try PronunciationLexicon.read(try whole(archive, name: name))
        } catch let error as SFSpeechError {
          throw problem(error.localizedDescription)
        }
      case LanguageModelAssetMember.phrases:
        try readPhrases(archive, takePhrase)
      default: break
      }
    }
    guard let information else {
      throw problem(found.isEmpty ? "it is empty" : "it has no \(LanguageModelAssetMember.information)")
    }
    if let missing = information.contentList?.first(where: { !found.contains($0) }) {
      throw problem("it has no \(missing), which its \(LanguageModelAssetMember.information) names")
    }
    return Contents(information: information, pronunciations: pronunciations)
  }

  private func readPhrases(_ archive: OpaquePointer, _ takePhrase: (String, Int) throws -> Void) throws {
    var line: [UInt8] = []
    var number = 1
    func problem(_ text: String) -> SFSpeechError {
      self.problem("\(LanguageModelAssetMember.phrases), line \(number): \(text)")
    }
    func take() throws {
      if line.last == 0x0D { line.removeLast() }
      guard let tab = line.firstIndex(of: 0x09),
        let count = Int(String(decoding: line[..<tab], as: UTF8.self))
      else { throw problem("not a count, a tab and a phrase") }
      guard count > 0 else { throw problem("the count is \(count); it must be at least 1") }
      guard let phrase = String(validating: line[(tab + 1)...], as: UTF8.self) else {
        throw problem("not UTF-8")
      }
      guard phrase.contains(where: { !$0.isWhitespace }) else { throw problem("the phrase is empty") }
      try takePhrase(phrase, count)
      line.removeAll(keepingCapacity: true)
      number += 1
    }
    try readParts(archive) { bytes in
      var start = bytes.startIndex
      while start < bytes.endIndex {
        let end = bytes[start...].firstIndex(of: 0x0A)
        line += bytes[start..<(end ?? bytes.endIndex)]
        // The count before the phrase takes some bytes too.
        guard line.count <= Self.longestPhrase + 24 else {
          throw problem("longer than \(Self.longestPhrase) bytes")
        }
        guard let end else { return }
        try take()
        start = end + 1
      }
    }
    if !line.isEmpty { try take() }
  }

  private func whole(_ archive: OpaquePointer, name: String) throws -> Data {
    var data = Data()
    try readParts(archive) { bytes in
      data.append(contentsOf: bytes)
      guard data.count <= Self.mostBytes else {
        throw problem("\(name): larger than \(Self.mostBytes) bytes")
      }
    }
    return data
  }

  private func readParts(_ archive: OpaquePointer, _ take: (UnsafeRawBufferPointer) throws -> Void) throws {
    try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
      while true {
        let count = archive_read_data(archive, buffer.baseAddress, buffer.count)
        guard count >= 0 else { throw problem(message(of: archive)) }
        if count == 0 { return }
        try take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        try Task.checkCancellation()
      }
    }
  }

  private func problem(_ text: String) -> SFSpeechError {
    .malformedData("\(url.path) is no custom language model data: \(text).")
  }

  private func message(of archive: OpaquePointer) -> String {
    archive_error_string(archive).map { String(cString: $0) } ?? "it cannot be read"
  }

  private static func text(of error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, _): "\(key.stringValue) is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "\(context.codingPath.map(\.stringValue).joined(separator: ".")) is not what it should be"
    case .dataCorrupted: "not JSON"
    @unknown default: "not JSON"
    }
  }
}
