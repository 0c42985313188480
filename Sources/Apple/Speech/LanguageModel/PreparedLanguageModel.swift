import Foundation
import RecognitionProtocol

/// A language model that `SFSpeechLanguageModel` prepared.
struct PreparedLanguageModel {
  /// The first line of a prepared file.
  struct Header: Equatable {
    /// The version of the format and of the estimation.
    static let version = 1
    private static let name = "# Longhand language model"

    /// Identifies the data and the client.
    var digest: String
    /// The recognizer's language (BCP 47).
    var locale: String

    var line: String { "\(Self.name) \(Self.version) \(locale) \(digest)" }

    init(digest: String, locale: String) {
      self.digest = digest
      self.locale = locale
    }

    /// Nil if the line is not such a header.
    init?(_ line: Substring) {
      let parts = line.dropFirst(Self.name.count).split(separator: " ")
      guard line.hasPrefix(Self.name), parts.count == 3, parts[0] == "\(Self.version)" else { return nil }
      self.init(digest: String(parts[2]), locale: String(parts[1]))
    }
  }

  let header: Header
  /// The number of words, by the first lines of the file.
  let wordCount: Int

  /// - Throws: `SFSpeechError.malformedSupplementalModel` if the model does not exist or is incomplete.
  init(at url: URL) throws {
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw SFSpeechError.malformedData(
        "There is no language model at \(url.path). Prepare one with SFSpeechLanguageModel.prepareCustomLanguageModel."
      )
    }
    guard let header = Self.header(of: url) else {
      throw SFSpeechError.malformedData(
        "\(url.path) is not a prepared language model. "
          + "Prepare one from exported data with SFSpeechLanguageModel.prepareCustomLanguageModel.")
    }
    guard Self.isComplete(url) else {
      throw SFSpeechError.malformedData("The language model \(url.path) is incomplete. Prepare it again.")
    }
    self.header = header
    wordCount =
      DomainSpelling.preamble(ofModelAt: url.path).split(separator: "\n").lazy
      .compactMap { Int($0.trimmingPrefix("ngram 1=")) }.first ?? 0
  }

  /// The first line of a prepared model or vocabulary; nil if it is neither.
  static func header(of url: URL) -> Header? {
    start(of: url).split(separator: "\n").first.flatMap(Header.init)
  }

  /// The first lines of a file; empty if it cannot be read.
  private static func start(of url: URL) -> String {
    guard let file = try? FileHandle(forReadingFrom: url) else { return "" }
    defer { try? file.close() }
    return String(decoding: (try? file.read(upToCount: 512)) ?? Data(), as: UTF8.self)
  }

  private static func isComplete(_ url: URL) -> Bool {
    let mark = Data("\\end\\\n".utf8)
    guard let file = try? FileHandle(forReadingFrom: url) else { return false }
    defer { try? file.close() }
    guard let length = try? file.seekToEnd(), length > UInt64(mark.count) else { return false }
    return (try? file.seek(toOffset: length - UInt64(mark.count))) != nil && (try? file.readToEnd()) == mark
  }
}
