import Foundation
import RecognitionProtocol

/// What is known of a model; `model.json` in its folder.
public struct ModelDescription: Sendable, Equatable, Codable {
  /// The name of the file that has the description.
  public static let fileName = "model.json"

  /// What a file is for.
  public enum Role: String, Sendable, Codable {
    /// The only network of a model.
    case model
    /// The networks of a transducer.
    case encoder, decoder, joiner
    /// The networks that separate voices: who speaks, and what a voice sounds like.
    case segmentation, embedding
    /// The list of tokens.
    case tokens
    /// The list of pieces by which phrases are split, for hotwords.
    case pieces
    /// The licence's text.
    case licence
  }

  /// A file of a model.
  public struct File: Sendable, Equatable, Codable {
    /// What the file is for.
    public var role: Role
    /// Its name in the model's folder.
    public var name: String
    /// Its size in bytes.
    public var size: Int64
    /// The SHA-256 of its bytes, in lower-case hexadecimal.
    public var sha256: String

    package init(role: Role, name: String, size: Int64, sha256: String) {
      (self.role, self.name, self.size, self.sha256) = (role, name, size, sha256)
    }
  }

  /// A licence of a model.
  public struct Licence: Sendable, Equatable, Codable {
    /// Its identifier, such as `CC-BY-4.0` (SPDX); `unknown` if none was stated.
    public var identifier: String
    /// Who is to be named, and where the text is; empty if nothing was stated.
    public var attribution: String

    package init(identifier: String, attribution: String = "") {
      (self.identifier, self.attribution) = (identifier, attribution)
    }
  }

  /// The name by which users select the model; letters, digits, `-`, `.` and `_`.
  public var name: String
  /// The ID of the recognizer that loads it, see `Recognizer`.
  public var recognizer: String
  /// The family.
  public var family: ModelFamily
  /// The files, without `model.json` itself.
  public var files: [File]
  /// The languages (BCP 47), such as `en` or `de`; a language without a region stands for all its regions.
  public var languages: [String]
  /// Whether the model writes capitals and punctuation.
  public var isPunctuated: Bool
  /// The licence.
  public var licence: Licence
  /// Where the model comes from; nil for a folder of unknown origin.
  public var source: String?

  package init(
    name: String, recognizer: String = Recognizer.sherpaOnnx.id, family: ModelFamily, files: [File],
    languages: [String], isPunctuated: Bool, licence: Licence, source: String?
  ) {
    (self.name, self.recognizer, self.family) = (name, recognizer, family)
    (self.files, self.languages, self.isPunctuated) = (files, languages, isPunctuated)
    (self.licence, self.source) = (licence, source)
  }

  /// Reads a description. One without a recognizer is of sherpa-onnx.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    name = try values.decode(String.self, forKey: .name)
    recognizer =
      try values.decodeIfPresent(String.self, forKey: .recognizer) ?? Recognizer.sherpaOnnx.id
    family = try values.decode(ModelFamily.self, forKey: .family)
    files = try values.decode([File].self, forKey: .files)
    languages = try values.decode([String].self, forKey: .languages)
    isPunctuated = try values.decode(Bool.self, forKey: .isPunctuated)
    licence = try values.decode(Licence.self, forKey: .licence)
    source = try values.decodeIfPresent(String.self, forKey: .source)
  }

  /// Reads a `model.json`.
  /// - Throws: `ModelFolderError`.
  package init(contentsOf path: String) throws(ModelFolderError) {
    do {
      guard let data = ModelInspection.contents(path, maxSize: 1 << 20) else {
        throw CocoaError(.fileReadUnknown)
      }
      self = try JSONDecoder().decode(Self.self, from: data)
    } catch let family as ModelFamily.Retired {
      throw family.error((path as NSString).deletingLastPathComponent)
    } catch {
      throw ModelFolderError(
        .wrongDescription, path: path, reason: "The file \(path) is not the description of a model.",
        remedy: "Remove it and import the folder again.")
    }
  }

  /// The first file of a role; nil if there is none.
  public func file(_ role: Role) -> File? { files.first { $0.role == role } }
}
