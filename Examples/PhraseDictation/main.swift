// Transcribes a short dictation. Prints the confidence of each word, and the alternatives.
//
//   swift run PhraseDictation [--expect PHRASE]... FILE
//
// --expect names a phrase that is likely in the dictation, such as a name or a term.
import Foundation

var arguments = Array(CommandLine.arguments.dropFirst())
var phrases: [String] = []
while arguments.first == "--expect", arguments.count > 1 {
  phrases.append(arguments[1])
  arguments.removeFirst(2)
}
guard arguments.count == 1, arguments[0] != "--expect" else {
  FileHandle.standardError.write(Data("usage: PhraseDictation [--expect PHRASE]... FILE\n".utf8))
  exit(2)
}

guard #available(macOS 26, iOS 26, *) else {
  FileHandle.standardError.write(Data("PhraseDictation: This example needs macOS 26.\n".utf8))
  exit(1)
}

do {
  let dictation = PhraseDictation(url: URL(fileURLWithPath: arguments[0]), expectedPhrases: phrases)
  try await dictation.forEach { result in PhraseReport().print(result) }
} catch {
  FileHandle.standardError.write(Data("PhraseDictation: \(error.localizedDescription)\n".utf8))
  exit(1)
}
