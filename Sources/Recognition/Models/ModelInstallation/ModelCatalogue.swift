import Foundation
import ModelStorage
import RecognitionProtocol

/// The models that can be installed: where they are, what they cost and whose they are.
///
/// `catalogue.json` is part of the program. An entry is in it only if its SHA-256 is confirmed: two unrelated public
/// repositories give the same value, or one quotes the publisher's own list. An entry is recommended only if its licence
/// is clear too.
package struct ModelCatalogue: Sendable, Equatable, Codable {
  /// An archive on a server.
  package struct Archive: Sendable, Equatable, Codable {
    package var url: URL
    /// Its size in bytes.
    package var bytes: Int64
    /// In 64 lower-case hexadecimal digits.
    package var sha256: String
    /// The size of the model's files in bytes; nil if it is not known.
    package var unpackedBytes: Int64?
    /// The names of the files that are kept, in which `*` stands for any text.
    package var files: [String]
    /// Other names for files that are kept; nil if all have the right ones.
    package var renamed: [String: String]?
  }

  /// A file on a server that is no archive.
  package struct File: Sendable, Equatable, Codable {
    package var url: URL
    /// Where the same file is too, for when the first address fails; nil if it is nowhere else.
    package var mirrors: [URL]?
    /// Its size in bytes.
    package var bytes: Int64
    /// In 64 lower-case hexadecimal digits.
    package var sha256: String
    /// Its name in the model.
    package var name: String
  }

  /// A word error rate that someone published.
  package struct WordErrors: Sendable, Equatable, Codable {
    package var percent: Double
    /// Who measured it, on what.
    package var source: String
  }

  /// A model that can be installed.
  package struct Entry: Sendable, Equatable, Codable {
    package var name: String
    package var family: ModelFamily
    package var languages: [String]
    /// Whether the model writes capitals and punctuation.
    package var isPunctuated: Bool
    package var licence: ModelDescription.Licence
    /// Where the licence's text is.
    package var licenceText: URL
    package var wordErrors: WordErrors?
    /// Why the model is recommended; nil if it is not.
    package var recommendation: String?
    /// Nil for a model that is published as files.
    package var archive: Archive?
    /// What belongs to the model and is not in the archive; nil if nothing is.
    package var others: [File]?
  }

  /// In the order of the list, the recommended ones first.
  package var models: [Entry]

  /// The catalogue that is part of the program.
  package static let builtIn: ModelCatalogue = {
    do { return try decode(Data(PackageResources.catalogue_json), name: "catalogue.json") } catch {
      preconditionFailure("The built-in catalogue is invalid: \(error)")
    }
  }()

  /// The largest catalogue, in bytes.
  private static let maxSize: Int64 = 1 << 20
  /// The variable that names another catalogue.
  package static let variable = "SPEECH_MODEL_CATALOGUE"

  /// The built-in catalogue, or the one that `SPEECH_MODEL_CATALOGUE` names: a file, or an address on this computer.
  /// - Throws: `ModelError`.
  package static func load(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) async throws -> ModelCatalogue {
    guard let name = environment[variable], !name.isEmpty else { return builtIn }
    guard name.contains("://") else { return try read(name) }
    guard let address = URL(string: name), isLoopback(address) else {
      throw ModelError(
        .invalid, "\(variable) is '\(name)', which is neither a file nor an address on this computer.",
        remedy: "Set it to a file, or remove it.")
    }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".json")
    defer { try? FileManager.default.removeItem(at: file) }
    do {
      try await FileDownload(
        address: address, destination: file, size: nil, limit: maxSize, isAllowed: isLoopback,
        report: { _ in }
      ).run()
    } catch let error as DownloadError {
      throw ModelError(.network, error, address: name)
    }
    return try decode(Data(contentsOf: file), name: name)
  }

  /// The catalogue for those who cannot wait: the built-in one, or a file that `SPEECH_MODEL_CATALOGUE` names.
  package static func local(environment: [String: String]) -> ModelCatalogue {
    guard let name = environment[variable], !name.isEmpty else { return builtIn }
    return (try? read(name)) ?? ModelCatalogue(models: [])
  }

  /// The entry with a name; nil if there is none.
  package func entry(named name: String) -> Entry? { models.first { $0.name == name } }

  /// The entries whose recognizer is part of this program.
  package var usable: [Entry] { models.filter { Recognizer.named($0.family.recognizer) != nil } }

  /// The first recommended entry for a language, else the first one; nil if there is none.
  package func best(for language: String) -> Entry? {
    let fitting = usable.filter { $0.languages.contains(language) }
    return fitting.first { $0.recommendation != nil } ?? fitting.first
  }

  /// Whether an address may be downloaded from: HTTPS, or HTTP on this computer.
  package static func isAllowed(_ address: URL) -> Bool {
    address.scheme?.lowercased() == "https" ? address.host?.isEmpty == false : isLoopback(address)
  }

  private static func isLoopback(_ address: URL) -> Bool {
    address.scheme?.lowercased() == "http"
      && ["127.0.0.1", "localhost", "::1", "[::1]"].contains(address.host?.lowercased() ?? "")
  }

  private static func read(_ path: String) throws -> ModelCatalogue {
    let file = URL(fileURLWithPath: path)
    guard FileDownload.length(of: file) <= maxSize, let data = FileManager.default.contents(atPath: file.path)
    else {
      throw ModelError(
        .notFound, "The catalogue \(path) cannot be read.",
        remedy: "Set \(variable) to another file, or remove it."
      )
    }
    return try decode(data, name: path)
  }

  static func decode(_ data: Data, name: String) throws -> ModelCatalogue {
    let catalogue: ModelCatalogue
    do {
      catalogue = try JSONDecoder().decode(ModelCatalogue.self, from: data)
    } catch let family as ModelFamily.Retired {
      throw invalid(name, "\(family.name) is no longer supported")
    } catch {
      throw invalid(name, "it is not JSON with the required fields")
    }
    var names: Set<String> = []
    for entry in catalogue.models {
      if let problem = entry.problem { throw invalid(name, "\(entry.name): \(problem)") }
      guard names.insert(entry.name).inserted else { throw invalid(name, "it has \(entry.name) twice") }
    }
    return catalogue
  }

  private static func invalid(_ name: String, _ reason: String) -> ModelError {
    ModelError(.malformed, "The catalogue \(name) is invalid: \(reason).", remedy: "Correct it.")
  }
}

extension ModelCatalogue.Entry {
  /// What is wrong with an entry; nil if nothing is.
  fileprivate var problem: String? {
    do { try ModelName.check(name) } catch { return error.problem }
    guard languages.isEmpty != family.recognizesWords, languages.allSatisfy(ModelDescription.isLanguage)
    else {
      return "its languages"
    }
    guard !downloads.isEmpty else { return "it has neither an archive nor files" }
    guard (0...8 << 30).contains(archive?.unpackedBytes ?? 0) else {
      return "its unpacked size is out of range"
    }
    for file in downloads {
      func its(_ property: String) -> String {
        file.name.isEmpty ? "its \(property)" : "the \(property) of \(file.name)"
      }
      guard file.addresses.allSatisfy(ModelCatalogue.isAllowed) else {
        return "\(its("address")) is not one of HTTPS"
      }
      guard (1...8 << 30).contains(file.bytes) else { return "\(its("size")) is out of range" }
      guard file.sha256.utf8.count == 64, file.sha256.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
        return "\(its("sha256")) is not 64 hexadecimal digits"
      }
    }
    let names = (others ?? []).map(\.name) + (archive?.renamed ?? [:]).values
    guard !names.contains(where: { $0.isEmpty || $0.hasPrefix(".") || $0.contains("/") }) else {
      return "the name of a file is not allowed"
    }
    return archive?.files.isEmpty == true ? "it keeps no files" : nil
  }

  /// Everything that is downloaded, the archive first.
  var downloads: [ModelCatalogue.File] {
    let first = archive.map { ModelCatalogue.File(url: $0.url, bytes: $0.bytes, sha256: $0.sha256, name: "") }
    return [first].compactMap { $0 } + (others ?? [])
  }

  /// The size of everything that is downloaded, in bytes.
  package var downloadBytes: Int64 { downloads.reduce(0) { $0 + $1.bytes } }

  /// What is said of the model when it is installed.
  var origin: ModelOrigin {
    ModelOrigin(
      name: name, family: family, languages: languages, isPunctuated: isPunctuated, licence: licence,
      source: address?.absoluteString)
  }

  /// Whether a file of the archive is kept.
  func keeps(_ file: String) -> Bool { archive?.files.contains { fnmatch($0, file, 0) == 0 } ?? false }

  /// The address that the archive, or the first file, is downloaded from.
  package var address: URL? { downloads.first?.url }

  /// The host that the archive is downloaded from.
  package var host: String { address?.host ?? "" }

  /// The size of the installed model in bytes, or an estimate.
  package var installedSize: Int64 {
    (archive.map { $0.unpackedBytes ?? $0.bytes * 2 } ?? 0) + (others ?? []).reduce(0) { $0 + $1.bytes }
  }
}

extension ModelCatalogue.File {
  /// Where the file is, in the order in which the addresses are tried.
  var addresses: [URL] { [url] + (mirrors ?? []) }
}

extension ModelError {
  /// The error of a download.
  init(_ kind: Kind, _ error: DownloadError, address: String) {
    switch error {
    case .wrongSize:
      self.init(
        .malformed, "The length of \(address) differs from the catalogue's: the publisher changed the file.",
        remedy: "Take a newer version of this program, or another model.")
    case .refused(let status):
      self.init(
        kind, "The server answered with HTTP status \(status) for \(address).",
        remedy: "Try again later, or install another model.")
    case .forbidden(let other):
      self.init(
        kind, "The address \(other) is not allowed: only HTTPS is.", remedy: "Check the network's proxy.")
    case .interrupted(let reason):
      self.init(
        kind, "The transfer of \(address) was interrupted: \(reason).",
        remedy: "Type the same command again to continue it.")
    }
  }
}
