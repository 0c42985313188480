import Foundation

/// Splits and joins paths, without reading the disk.
enum PathName {
  /// The folder of `path`; `.` if `path` has none.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last component of `path`.
  static func last(of path: String) -> String {
    String(path.drop { $0 == "/" }.split(separator: "/").last ?? Substring(path))
  }

  /// The last component of `path` without its extension: `a/talk.2.wav` is `talk.2`, `.wav` stays `.wav`.
  static func stem(of path: String) -> String {
    let name = last(of: path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// The extension of `path` in lower case, without its dot; empty if there is none.
  static func fileExtension(of path: String) -> String {
    let name = last(of: path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }

  /// The path from the root folder.
  static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : join(FileManager.default.currentDirectoryPath, path)
  }

  /// The path of `name` in `folder`.
  static func join(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }
}
