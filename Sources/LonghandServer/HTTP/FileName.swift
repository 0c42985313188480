import Foundation

/// What a browser calls a file that it saves.
struct FileName {
  private let name: String

  /// - Parameters:
  ///   - source: a recording's name, which may hold anything.
  ///   - extension: without the dot.
  init(_ source: String, extension: String) {
    let stem = (source as NSString).lastPathComponent as NSString
    let kept = stem.deletingPathExtension.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
      default: !"/\\:*?\"<>|".unicodeScalars.contains(scalar)
      }
    }
    let text = String(String.UnicodeScalarView(kept)).trimmingCharacters(in: CharacterSet(charactersIn: " ."))
    name = "\(text.isEmpty ? "transcript" : String(text.prefix(100))).\(`extension`)"
  }

  /// The header (RFC 6266): the name for everybody in ASCII, and as it is for those who know that.
  var disposition: String {
    let plain = String(
      String.UnicodeScalarView(name.unicodeScalars.map { $0.isASCII ? $0 : "_" }))
    let allowed = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    let encoded = name.addingPercentEncoding(withAllowedCharacters: allowed) ?? plain
    return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded)"
  }
}
