import CArchive
import Foundation

/// A file of custom language model data: a ZIP archive from Apple's framework or any other tool.
struct LanguageModelAsset {
  /// The size limit of a phrase, in bytes.
  static let maxPhraseLength = 10_000
  /// The size limit of the members that are read into memory, in bytes.
  private static let maxMemberSize = 64 << 20

  /// How much the phrases of a language model may be.
  struct Budget {
    /// The number of phrases, with those of templates.
    static let maxPhrases = 1_000_000
    /// Their size in bytes, as UTF-8.
    static let maxBytes = 64 << 20

    private var phrases = 0
    private var bytes = 0

    /// Takes a phrase.
    /// - Returns: what is too much and what to do; nil if the phrase fits.
    mutating func take(_ phrase: String) -> String? {
      phrases += 1
      bytes += phrase.utf8.count
      if phrases > Self.maxPhrases {
        return
          "more than \(Self.maxPhrases) phrases, with those of templates. Remove phrases or words of classes"
      }
      return bytes > Self.maxBytes
        ? "more than \(Self.maxBytes >> 20) MiB of phrases. Remove phrases or shorten them" : nil
    }
  }

  let url: URL

  /// The content of the file except its phrases.
  struct Contents {
    var information: LanguageModelAssetInformation
    var pronunciations: [SFCustomLanguageModelData.CustomPronunciation]
  }

  /// Reads the whole file.
  /// - Parameter receivePhrase: receives each phrase with its count; nil to leave the phrases out.
  /// - Throws: `SFSpeechError.malformedSupplementalModel`, with the problem and its position; errors of `receivePhrase`.
  func read(_ receivePhrase: ((String, Int) throws -> Void)?) throws -> Contents {
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
      case LanguageModelAssetInformation.Member.information:
        do {
          information = try JSONDecoder().decode(
            LanguageModelAssetInformation.self, from: try whole(archive, name: name))
        } catch let error as DecodingError {
          throw problem("\(name): \(Self.text(of: error))")
        }
      case LanguageModelAssetInformation.Member.pronunciations:
        do {
          pronunciations = try PronunciationLexicon.read(try whole(archive, name: name))
        } catch let error as SFSpeechError {
          throw problem(error.localizedDescription)
        }
      case LanguageModelAssetInformation.Member.phrases:
        if let receivePhrase { try readPhrases(archive, receivePhrase) }
      default: break
      }
    }
    guard let information else {
      throw problem(
        found.isEmpty ? "it is empty" : "it has no \(LanguageModelAssetInformation.Member.information)")
    }
    if let missing = information.contentList?.first(where: { !found.contains($0) }) {
      throw problem(
        "it has no member \(missing), which its \(LanguageModelAssetInformation.Member.information) lists")
    }
    return Contents(information: information, pronunciations: pronunciations)
  }

  private func readPhrases(_ archive: OpaquePointer, _ receivePhrase: (String, Int) throws -> Void) throws {
    var line: [UInt8] = []
    var number = 1
    var budget = Budget()
    func problem(_ text: String) -> SFSpeechError {
      self.problem("\(LanguageModelAssetInformation.Member.phrases), line \(number): \(text)")
    }
    func finishLine() throws {
      if line.last == 0x0D { line.removeLast() }
      guard let tab = line.firstIndex(of: 0x09),
        let count = Int(String(decoding: line[..<tab], as: UTF8.self))
      else { throw problem("a line must be a count, a tab and a phrase") }
      guard count > 0 else { throw problem("the count is \(count); it must be at least 1") }
      guard let phrase = String(validating: line[(tab + 1)...], as: UTF8.self) else {
        throw problem("the phrase is not UTF-8")
      }
      guard phrase.contains(where: { !$0.isWhitespace }) else { throw problem("the phrase is empty") }
      if let excess = budget.take(phrase) { throw problem("there are \(excess)") }
      try receivePhrase(phrase, count)
      line.removeAll(keepingCapacity: true)
      number += 1
    }
    try readParts(archive) { bytes in
      var start = bytes.startIndex
      while start < bytes.endIndex {
        let end = bytes[start...].firstIndex(of: 0x0A)
        line += bytes[start..<(end ?? bytes.endIndex)]
        // The limit includes the count before the phrase.
        guard line.count <= Self.maxPhraseLength + 24 else {
          throw problem("the line is longer than \(Self.maxPhraseLength) bytes")
        }
        guard let end else { return }
        try finishLine()
        start = end + 1
      }
    }
    if !line.isEmpty { try finishLine() }
  }

  private func whole(_ archive: OpaquePointer, name: String) throws -> Data {
    var data = Data()
    try readParts(archive) { bytes in
      data.append(contentsOf: bytes)
      guard data.count <= Self.maxMemberSize else {
        throw problem("\(name): larger than \(Self.maxMemberSize) bytes")
      }
    }
    return data
  }

  private func readParts(_ archive: OpaquePointer, _ receive: (UnsafeRawBufferPointer) throws -> Void) throws
  {
    try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
      while true {
        let count = archive_read_data(archive, buffer.baseAddress, buffer.count)
        guard count >= 0 else { throw problem(message(of: archive)) }
        if count == 0 { return }
        try receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        try Task.checkCancellation()
      }
    }
  }

  private func problem(_ text: String) -> SFSpeechError {
    .malformedData("\(url.path) is not custom language model data: \(text). Export it again.")
  }

  private func message(of archive: OpaquePointer) -> String {
    archive_error_string(archive).map { String(cString: $0) } ?? "it cannot be read"
  }

  private static func text(of error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, _): "\(key.stringValue) is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "\(context.codingPath.map(\.stringValue).joined(separator: ".")) has the wrong type"
    case .dataCorrupted: "not JSON"
    @unknown default: "not JSON"
    }
  }
}

extension SFSpeechError {
  /// A problem with custom language model data.
  /// - Parameter text: what is wrong and where.
  static func malformedData(_ text: String) -> SFSpeechError {
    SFSpeechError(.malformedSupplementalModel, userInfo: [NSLocalizedDescriptionKey: text])
  }
}
