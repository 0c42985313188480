// Hears chess commands: prepares a language model of chess, and prints what is said in sound files.
//
//   swift run SpokenChess generate DATA
//   swift run SpokenChess hear DATA FILE...
//
// What `generate` writes can be put into an app for an iPhone, and the other way round.
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())

do {
  switch arguments.first {
  case "generate" where arguments.count == 2:
    try await ChessLanguage().data.export(to: URL(fileURLWithPath: arguments[1]))
  case "hear" where arguments.count > 2:
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "SpokenChess-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let listener = try await ChessListener(asset: URL(fileURLWithPath: arguments[1]), folder: folder)
    for file in arguments.dropFirst(2) { print(try await listener.hear(URL(fileURLWithPath: file))) }
  default:
    FileHandle.standardError.write(Data("usage: SpokenChess generate DATA | hear DATA FILE...\n".utf8))
    exit(2)
  }
} catch {
  FileHandle.standardError.write(Data("SpokenChess: \(error.localizedDescription)\n".utf8))
  exit(1)
}
