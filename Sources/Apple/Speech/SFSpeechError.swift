import Foundation

/// The domain of `SFSpeechError`.
public let SFSpeechErrorDomain = "SFSpeechErrorDomain"

/// An error of the Speech framework itself; tasks also report errors of other domains (`RecognitionError`).
public struct SFSpeechError: CustomNSError, Hashable, Error, @unchecked Sendable {
  // `@unchecked Sendable`: `userInfo` is never changed after `init`, and holds what errors hold everywhere.

  /// What went wrong.
  public enum Code: Int, @unchecked Sendable, Equatable {
    /// The speech service failed.
    case internalServiceError = 1
    /// The audio file could not be read.
    case audioReadFailed = 2
    /// The audio's format is none that the modules take.
    case unexpectedAudioFormat = 3
    /// There is no model for what was asked.
    case noModel = 4
    /// Formats that cannot be brought together.
    case incompatibleAudioFormats = 5
    /// A template names a class that is not defined.
    case undefinedTemplateClassName = 7
    /// The custom language model data cannot be read.
    case malformedSupplementalModel = 8
    /// A module failed.
    case moduleOutputFailed = 9
    /// The locale's assets are not reserved.
    case assetLocaleNotAllocated = 10
    /// More locales are reserved than may be.
    case tooManyAssetLocalesAllocated = 11
    /// The work took too long.
    case timeout = 12
    /// Something that is needed was not given.
    case missingParameter = 13
    /// The locale cannot be reserved.
    case cannotAllocateUnsupportedLocale = 15
    /// There is too little memory, or too many requests at a time.
    case insufficientResources = 16
    /// The audio overlaps or precedes what came before.
    case audioDisordered = 17
    /// The audio source cannot be set up.
    case cannotConfigureAudioSystem = 18

    /// The type of the errors that have such codes.
    public typealias _ErrorType = SFSpeechError

    /// Whether an error is of this code, an `NSError` of the same domain too: `catch SFSpeechError.timeout { … }`.
    public static func ~= (code: Code, error: any Error) -> Bool {
      let error = error as NSError
      return error.domain == SFSpeechErrorDomain && error.code == code.rawValue
    }
  }

  /// What went wrong.
  public let code: Code
  /// What else is known, by Foundation's keys.
  public let userInfo: [String: Any]

  /// An error of a code.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    self.code = code
    self.userInfo = userInfo
  }

  /// `SFSpeechErrorDomain`.
  public static var errorDomain: String { SFSpeechErrorDomain }
  /// The code's number.
  public var errorCode: Int { code.rawValue }
  /// `userInfo`, with a description where it has none.
  public var errorUserInfo: [String: Any] {
    userInfo.merging([NSLocalizedDescriptionKey: localizedDescription]) { old, _ in old }
  }
  /// What went wrong, in words.
  public var localizedDescription: String {
    if let text = userInfo[NSLocalizedDescriptionKey] as? String { return text }
    let cause = (userInfo[NSUnderlyingErrorKey] as? any Error).map {
      ": " + ($0 as NSError).localizedDescription
    }
    return code.text + (cause ?? ".")
  }

  /// Two errors are equal if their codes and what else is known are, as with `NSError`.
  public static func == (left: SFSpeechError, right: SFSpeechError) -> Bool {
    left.code == right.code && left.details.isEqual(right.details)
  }
  /// `userInfo` to be compared: errors within are compared as `NSError`s, as Swift's own often cannot be.
  private var details: NSDictionary {
    NSDictionary(dictionary: userInfo.mapValues { ($0 as? any Error).map { $0 as NSError } ?? $0 })
  }
  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension SFSpeechError {
  /// The speech service failed.
  public static var internalServiceError: Code { .internalServiceError }
  /// The audio file could not be read.
  public static var audioReadFailed: Code { .audioReadFailed }
  /// The audio's format is none that the modules take.
  public static var unexpectedAudioFormat: Code { .unexpectedAudioFormat }
  /// There is no model for what was asked.
  public static var noModel: Code { .noModel }
  /// Formats that cannot be brought together.
  public static var incompatibleAudioFormats: Code { .incompatibleAudioFormats }
  /// A template names a class that is not defined.
  public static var undefinedTemplateClassName: Code { .undefinedTemplateClassName }
  /// The custom language model data cannot be read.
  public static var malformedSupplementalModel: Code { .malformedSupplementalModel }
  /// A module failed.
  public static var moduleOutputFailed: Code { .moduleOutputFailed }
  /// The locale's assets are not reserved.
  public static var assetLocaleNotAllocated: Code { .assetLocaleNotAllocated }
  /// More locales are reserved than may be.
  public static var tooManyAssetLocalesAllocated: Code { .tooManyAssetLocalesAllocated }
  /// The work took too long.
  public static var timeout: Code { .timeout }
  /// Something that is needed was not given.
  public static var missingParameter: Code { .missingParameter }
  /// The locale cannot be reserved.
  public static var cannotAllocateUnsupportedLocale: Code { .cannotAllocateUnsupportedLocale }
  /// There is too little memory, or too many requests at a time.
  public static var insufficientResources: Code { .insufficientResources }
  /// The audio overlaps or precedes what came before.
  public static var audioDisordered: Code { .audioDisordered }
  /// The audio source cannot be set up.
  public static var cannotConfigureAudioSystem: Code { .cannotConfigureAudioSystem }
}

extension SFSpeechError.Code {
  fileprivate var text: String {
    switch self {
    case .internalServiceError: "The speech service failed"
    case .audioReadFailed: "The audio file could not be read"
    case .unexpectedAudioFormat: "The audio format is not supported"
    case .noModel: "There is no model for this language"
    case .incompatibleAudioFormats: "The audio formats cannot be brought together"
    case .undefinedTemplateClassName: "A template names a class that is not defined"
    case .malformedSupplementalModel: "The custom language model data cannot be read"
    case .moduleOutputFailed: "A speech module failed"
    case .assetLocaleNotAllocated: "The locale's assets are not reserved"
    case .tooManyAssetLocalesAllocated: "Too many locales are reserved"
    case .timeout: "The speech service took too long"
    case .missingParameter: "A parameter is missing"
    case .cannotAllocateUnsupportedLocale: "The locale is not supported"
    case .insufficientResources: "Too little memory, or too many requests at a time"
    case .audioDisordered: "The audio overlaps or precedes what came before"
    case .cannotConfigureAudioSystem: "The audio source cannot be set up"
    }
  }
}
