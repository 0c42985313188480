/// Why a folder cannot be used as a model: what is wrong, in which file, and what to do.
public struct ModelFolderError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong.
  public enum Fault: Sendable {
    /// The folder or a file cannot be read.
    case unreadable
    /// A file that the family needs is not there.
    case missingFile
    /// A file is no network.
    case notANetwork
    /// A file ends before its content does.
    case truncated
    /// A network has the name of another one.
    case swapped
    /// A network lacks metadata that the library needs.
    case missingMetadata
    /// The list of tokens does not fit the network.
    case wrongTokens
    /// `model.json` says another family than the networks.
    case wrongFamily
    /// The networks are of no family that can be loaded.
    case unknownFamily
    /// `model.json` cannot be read.
    case wrongDescription
  }

  /// What is wrong.
  public let fault: Fault
  /// The path of the file, or of the folder.
  public let path: String
  /// What is wrong, as a sentence that names the file.
  public let reason: String
  /// What to do, as a sentence.
  public let remedy: String

  package init(_ fault: Fault, path: String, reason: String, remedy: String) {
    (self.fault, self.path, self.reason, self.remedy) = (fault, path, reason, remedy)
  }

  /// The reason and the remedy.
  public var description: String { "\(reason) \(remedy)" }

  /// The remedy where files were damaged or mixed up on their way.
  static let installAgain = "Install the model again from its source."
}
