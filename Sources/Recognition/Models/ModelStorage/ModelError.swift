import Foundation

/// The reason why a model cannot be used, installed or removed.
public struct ModelError: LocalizedError, Equatable {
  /// What kind of thing went wrong.
  public enum Kind: Sendable {
    /// There is no such model, file or folder.
    case notFound
    /// A model of that name exists already.
    case exists
    /// A name, a language or an address that is not allowed.
    case invalid
    /// The files are not those of a model, or differ from what is said of them.
    case malformed
    /// A model of a family that is not supported, or no longer.
    case unsupported
    /// An archive that would write where it must not, or more than it may.
    case unsafeArchive
    /// The disk is full.
    case noSpace
    /// The server cannot be reached, or does not have the file.
    case network
    /// The disk cannot be read or written.
    case storage
  }

  /// What kind of thing went wrong.
  public var kind: Kind
  /// What went wrong: a sentence.
  public var problem: String
  /// What to do next: a sentence.
  public var remedy: String

  package init(_ kind: Kind, _ problem: String, remedy: String) {
    (self.kind, self.problem, self.remedy) = (kind, problem, remedy)
  }

  /// The problem and the remedy.
  public var errorDescription: String? { "\(problem) \(remedy)" }
}

extension ModelError {
  /// A folder cannot be used as a model.
  package init(_ error: ModelFolderError) {
    self.init(
      error.fault == .unknownFamily ? .unsupported : .malformed, error.reason, remedy: error.remedy)
  }

  /// A failed system call.
  /// - Parameters:
  ///   - number: the value of `errno`.
  ///   - path: the file or the folder.
  package static func system(_ number: Int32, path: String) -> ModelError {
    switch number {
    case ENOSPC, EDQUOT, EFBIG:
      ModelError(
        .noSpace, "The disk is full: \(path) cannot be written.",
        remedy: "Free some disk space and try again.")
    default:
      ModelError(
        .storage, "\(path): \(String(cString: strerror(number))).", remedy: "Check the folder's permissions.")
    }
  }
}

/// The names of models, which are the names of their folders too.
public enum ModelName {
  private static let maxLength = 64

  /// Checks a name.
  /// - Throws: `ModelError` if it is not allowed.
  public static func check(_ name: String) throws(ModelError) {
    let isPlain = name.utf8.allSatisfy { byte in
      let character = Character(Unicode.Scalar(byte))
      return character.isASCII && (character.isLetter || character.isNumber || "-._".contains(character))
    }
    guard isPlain, name.first.map({ $0.isLetter || $0.isNumber }) == true, name.count <= maxLength else {
      throw ModelError(
        .invalid, "'\(name.prefix(maxLength + 1))' cannot be the name of a model.",
        remedy:
          "Use up to \(maxLength) letters, digits, '-', '.' and '_', and begin with a letter or a digit.")
    }
    // The folder of the other recognizer's model.
    guard name.lowercased() != "en-us" else {
      throw ModelError(
        .invalid, "The name '\(name)' is taken by PocketSphinx.", remedy: "Choose another name.")
    }
  }
}
