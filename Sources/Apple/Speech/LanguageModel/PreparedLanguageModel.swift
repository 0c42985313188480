import Foundation

/// A language model that was prepared here.
struct PreparedLanguageModel {
  /// The first line of a prepared file.
  struct Header: Equatable {
    /// Of the format, and of the way that models are estimated.
    static let version = 1
    private static let name = "# Longhand language model"

    /// What the file was made of, and for whom.
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

  /// - Throws: `SFSpeechError.malformedSupplementalModel` if there is no such model, or only a part of one.
  init(at place: URL) throws {
    guard FileManager.default.fileExists(atPath: place.path) else {
      throw SFSpeechError.malformedData(
        "There is no language model at \(place.path); SFSpeechLanguageModel.prepareCustomLanguageModel makes one."
      )
    }
    guard let header = Self.header(of: place) else {
      throw SFSpeechError.malformedData(
        "\(place.path) is no language model that was prepared here; "
          + "SFSpeechLanguageModel.prepareCustomLanguageModel makes one of exported data.")
    }
    guard Self.isWhole(place) else {
      throw SFSpeechError.malformedData("\(place.path) is only a part of a language model; prepare it again.")
    }
    self.header = header
  }

  /// The first line of a prepared model or vocabulary; nil if it is neither.
  static func header(of place: URL) -> Header? {
    guard let file = try? FileHandle(forReadingFrom: place) else { return nil }
    defer { try? file.close() }
    guard let start = try? file.read(upToCount: 256) else { return nil }
    return String(decoding: start, as: UTF8.self).split(separator: "\n").first.flatMap(Header.init)
  }

  private static func isWhole(_ place: URL) -> Bool {
    let mark = Data("\\end\\\n".utf8)
    guard let file = try? FileHandle(forReadingFrom: place) else { return false }
    defer { try? file.close() }
    guard let length = try? file.seekToEnd(), length > UInt64(mark.count) else { return false }
    return (try? file.seek(toOffset: length - UInt64(mark.count))) != nil && (try? file.readToEnd()) == mark
  }
}
