import FileSupport
import Foundation
import RecognitionProtocol

/// A model in the folder of models.
public struct InstalledModel: Sendable, Equatable {
  /// The model's folder.
  public let folder: URL
  /// What is known of it.
  public let description: ModelDescription

  /// The name.
  public var name: String { description.name }
  /// The size of its files, in bytes.
  public var size: Int64 { description.files.reduce(0) { $0 + $1.size } }

  /// A digest of the model: the SHA-256 of what `sha256sum` prints of its files, in the order of their names.
  public var digest: String {
    let lines = description.files.sorted { $0.name < $1.name }.map { "\($0.sha256)  \($0.name)\n" }
    return SHA256.hash(data: Data(lines.joined().utf8)).hexadecimal
  }

  /// The model as a recognizer loads it; nil if the recognizer is unknown.
  public var reference: ModelReference? {
    Recognizer.named(description.recognizer).map { ModelReference($0, folder: folder.path, digest: digest) }
  }

  /// The program that loads the model, if it is missing; nil if it is there.
  package var missingProgram: String? {
    guard let recognizer = Recognizer.named(description.recognizer),
      recognizer.locator.find() == nil
    else { return nil }
    return recognizer.program
  }

  /// Whether the model finds the language of speech by its sound.
  public var detectsLanguage: Bool {
    description.family.detectsLanguage && description.languages.count > 1
  }

  /// Whether the model recognizes a language; `auto` is one that is to be detected.
  public func recognizes(_ locale: Locale) -> Bool {
    if locale.identifier == "auto" { return detectsLanguage }
    return description.languages.contains { name in
      let own = Locale(identifier: name)
      guard own.modelLanguage == locale.modelLanguage else { return false }
      // A language without a region stands for all its regions, and "001" is the region "world".
      guard let region = own.region, let wanted = locale.region, wanted.identifier != "001" else {
        return true
      }
      return region == wanted
    }
  }
}

/// A folder among the models that is not a model that can be used.
public struct BrokenModel: Sendable, Equatable {
  /// The folder.
  public let folder: URL
  /// Why it cannot be used.
  public let error: ModelError

  /// What is wrong with it: a sentence.
  public var problem: String { error.problem }
  /// The folder's name.
  public var name: String { folder.lastPathComponent }
}

extension InstalledModel {
  /// Reads a model's folder. The files must exist with their sizes; their bytes are not read.
  /// - Throws: `ModelError` that says what is wrong.
  init(folder: URL) throws(ModelError) {
    func broken(_ problem: String) -> ModelError {
      ModelError(
        .malformed, problem, remedy: "Remove it with 'models remove', and install or import the model again.")
    }
    let path = folder.appendingPathComponent(ModelDescription.fileName).path
    guard Self.size(of: path) != nil else { throw broken("It has no \(ModelDescription.fileName).") }
    let description: ModelDescription
    do { description = try ModelDescription(contentsOf: path) } catch {
      throw error.fault == .unknownFamily ? ModelError(error) : broken(error.reason)
    }
    if let problem = description.problem {
      throw broken("Its \(ModelDescription.fileName) is wrong: \(problem).")
    }
    guard description.name == folder.lastPathComponent else {
      throw broken("Its \(ModelDescription.fileName) is that of the model '\(description.name)'.")
    }
    for file in description.files {
      guard let size = Self.size(of: folder.appendingPathComponent(file.name).path) else {
        throw broken("The file \(file.name) is missing.")
      }
      guard size == file.size else {
        throw broken("The file \(file.name) has \(size) bytes instead of \(file.size).")
      }
    }
    (self.folder, self.description) = (folder, description)
  }

  /// The size of a regular file; nil if there is none.
  private static func size(of path: String) -> Int64? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int64(status.st_size)
  }
}

extension ModelDescription {
  private static let maxFiles = 64
  private static let maxLanguages = 1000
  private static let maxIdentifierBytes = 200
  private static let maxLineBytes = 2000

  /// What is wrong with a description that someone else wrote; nil if nothing is.
  package var problem: String? {
    do { try ModelName.check(name) } catch { return "the name is not allowed" }
    guard Recognizer.named(recognizer) != nil else {
      return "it is for the unknown recognizer '\(recognizer)'"
    }
    guard (1...Self.maxFiles).contains(files.count) else { return "it has \(files.count) files" }
    var names: Set<String> = [Self.fileName]
    for file in files {
      guard Self.isPlain(file.name) else { return "a file's name is not allowed" }
      guard names.insert(file.name.lowercased()).inserted else { return "it names \(file.name) twice" }
      guard file.size >= 0 else { return "the size of \(file.name) is below 0" }
      guard file.sha256.utf8.count == 64, file.sha256.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
        return "the sha256 of \(file.name) is not 64 hexadecimal digits"
      }
    }
    guard Self.isLine(licence.identifier, maxBytes: Self.maxIdentifierBytes) else {
      return "the licence's identifier is not a short line"
    }
    guard Self.isLine(licence.attribution, maxBytes: Self.maxLineBytes) else {
      return "the licence's attribution is not a line"
    }
    guard Self.isLine(source ?? "", maxBytes: Self.maxLineBytes) else { return "the source is not a line" }
    if !family.recognizesWords, languages.isEmpty { return nil }
    guard (1...Self.maxLanguages).contains(languages.count), languages.allSatisfy(Self.isLanguage) else {
      return "the languages are not codes such as 'en' or 'de-DE'"
    }
    return nil
  }

  /// Whether a text is a language's code, such as `en` or `de-DE`.
  package static func isLanguage(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard let code = parts.first, (2...3).contains(code.count), code.allSatisfy({ $0.isASCII && $0.isLetter })
    else { return false }
    return parts.count <= 3
      && parts.dropFirst().allSatisfy { part in
        (2...8).contains(part.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
      }
  }

  /// Whether a text is one line that does nothing to a terminal.
  private static func isLine(_ text: String, maxBytes: Int) -> Bool {
    text.utf8.count <= maxBytes
      && !text.unicodeScalars.contains {
        [.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
      }
  }

  private static func isPlain(_ name: String) -> Bool {
    name.utf8.count <= 200 && name.first != "." && !name.isEmpty
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._+-".contains($0)) }
  }
}
