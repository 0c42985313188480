// Writes the speech of a file as WebVTT captions with the time of each word.
//
//   swift run FileCaptions FILE > FILE.vtt
import Foundation

guard CommandLine.arguments.count == 2 else {
  FileHandle.standardError.write(Data("usage: FileCaptions FILE\n".utf8))
  exit(2)
}

guard #available(macOS 26, iOS 26, *) else {
  FileHandle.standardError.write(Data("FileCaptions: This example needs macOS 26.\n".utf8))
  exit(1)
}

do {
  let captions = FileCaptions(url: URL(fileURLWithPath: CommandLine.arguments[1]))
  try await captions.write { block in print(block) }
} catch {
  FileHandle.standardError.write(Data("FileCaptions: \(error.localizedDescription)\n".utf8))
  exit(1)
}
