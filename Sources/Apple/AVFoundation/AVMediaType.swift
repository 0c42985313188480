import Foundation

/// A kind of media. On Linux only `audio` can be captured and read.
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
  /// Apple's code for the kind: four characters.
  public let rawValue: String
  /// Creates the kind with this code.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Creates the kind with this code.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// Sound.
  public static let audio = AVMediaType(rawValue: "soun")
  /// Pictures.
  public static let video = AVMediaType(rawValue: "vide")
  /// Text.
  public static let text = AVMediaType(rawValue: "text")
  /// Captions that can be switched off.
  public static let closedCaption = AVMediaType(rawValue: "clcp")
  /// Subtitles.
  public static let subtitle = AVMediaType(rawValue: "sbtl")
  /// Time codes.
  public static let timecode = AVMediaType(rawValue: "tmcd")
  /// Metadata.
  public static let metadata = AVMediaType(rawValue: "meta")
  /// Several kinds in one stream.
  public static let muxed = AVMediaType(rawValue: "muxx")
}

/// Whether the user lets the program use a device.
public enum AVAuthorizationStatus: Int, Sendable {
  /// Not asked yet.
  case notDetermined = 0
  /// The machine does not allow it; on Linux the status of everything but audio.
  case restricted = 1
  /// The user said no.
  case denied = 2
  /// The user said yes.
  case authorized = 3
}

/// The error domain of this framework.
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"

/// An error of this framework.
public struct AVError: CustomNSError, LocalizedError, Sendable {
  /// Why the error occurred, with Apple's codes.
  public enum Code: Int, Sendable {
    /// The reason has no code of its own.
    case unknown = -11800
    /// The device was removed.
    case deviceWasDisconnected = -11808
    /// There is no such device.
    case deviceNotConnected = -11814
    /// The media could not be decoded.
    case decodeFailed = -11821
    /// The file is of no known format.
    case fileFormatNotRecognized = -11828
    /// The file cannot be opened.
    case contentIsUnavailable = -11863
    /// The user does not let the program use the device.
    case applicationIsNotAuthorizedToUseDevice = -11852
  }

  /// Why the error occurred.
  public let code: Code
  /// What went wrong, and what to do.
  public let errorDescription: String?
  /// The domain, `AVFoundationErrorDomain`.
  public static var errorDomain: String { AVFoundationErrorDomain }
  /// The number of `code`.
  public var errorCode: Int { code.rawValue }
  /// The description, for Foundation.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: errorDescription ?? ""] }

  /// Creates an error with a description.
  public init(_ code: Code, _ description: String? = nil) {
    self.code = code
    errorDescription = description ?? "AVFoundation failed with the code \(code.rawValue)."
  }

  /// An error that another layer describes.
  init(_ code: Code, _ cause: any Error) { self.init(code, (cause as NSError).localizedDescription) }
}
