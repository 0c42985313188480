import Foundation

/// What a reader of a terminal sees while the work goes on: on standard error.
enum Log {
  static func say(_ text: String) {
    FileHandle.standardError.write(Data("benchmarks: \(text)\n".utf8))
  }
}
