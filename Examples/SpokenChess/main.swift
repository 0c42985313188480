// Recognizes chess commands: prepares a language model of chess, and prints the commands in audio files.
//
//   swift run SpokenChess generate DATA
//   swift run SpokenChess hear DATA FILE...
//
// An app for an iPhone can use the file that `generate` writes, and `hear` can use one that an iPhone app wrote.
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())

guard #available(macOS 26, iOS 26, *) else {
  FileHandle.standardError.write(Data("SpokenChess: This example needs macOS 26.\n".utf8))
  exit(1)
}

do {
  switch arguments.first {
  case "generate" where arguments.count == 2:
    try await ChessLanguage().data.export(to: URL(fileURLWithPath: arguments[1]))
  case "hear" where arguments.count > 2:
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "SpokenChess-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let recognizer = try await ChessRecognizer(asset: URL(fileURLWithPath: arguments[1]), folder: folder)
    for file in arguments.dropFirst(2) { print(try await recognizer.recognize(URL(fileURLWithPath: file))) }
  default:
    FileHandle.standardError.write(Data("usage: SpokenChess generate DATA | hear DATA FILE...\n".utf8))
    exit(2)
  }
} catch {
  FileHandle.standardError.write(Data("SpokenChess: \(error.localizedDescription)\n".utf8))
  exit(1)
}
