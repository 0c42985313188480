import CFFmpeg
import Foundation

/// Makes the errors of this module: `NSError`s whose description names the cause in one line.
package enum AudioError {
  /// The error domain of Apple's AVFAudio.
  package static let domain = "com.apple.coreaudio.avfaudio"

  /// Apple's error codes. Most of them are four characters.
  package enum Code: Int {
    case fileNotFound = -43
    case permission = 0x7072_6D3F  // 'prm?'
    case unsupportedFileType = 0x7479_703F  // 'typ?'
    case invalidFile = 0x6474_613F  // 'dta?'
    case unsupportedFormat = 0x666D_743F  // 'fmt?'
    case unspecified = 0x7768_743F  // 'wht?'
    case notOpen = -38
    case badParameter = -50
    case noMemory = -108
    /// kAudioUnitErr_CannotDoInCurrentContext
    case cannotDoNow = -10863
    /// Not of Apple's: there is no `audio-decoder`.
    case noService = 0x7372_763F  // 'srv?'
  }

  package static func make(_ code: Code, _ description: String) -> NSError {
    let line = description.split(whereSeparator: \.isNewline).joined(separator: " ")
    return NSError(domain: domain, code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: line])
  }

  /// The C library's description of an `errno`.
  package static func text(errno code: Int32) -> String { String(cString: strerror(code)) }

  /// FFmpeg's description of one of its error codes.
  package static func text(ffmpeg code: Int32) -> String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard av_strerror(code, &bytes, bytes.count) >= 0 else { return "error \(code)" }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
