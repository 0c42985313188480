// Transcribes speech while it goes on: what may still change is written anew until it is final.
//
//   swift run LiveTranscription [--fast] FILE
//
// The sound of a file stands in for a microphone: it is handed over at the pace at which it was spoken, or, with
// --fast, all at once.
import ExampleSupport
import Foundation

var arguments = Array(CommandLine.arguments.dropFirst())
let isFast = arguments.first == "--fast"
if isFast { arguments.removeFirst() }
guard arguments.count == 1 else {
  FileHandle.standardError.write(Data("usage: LiveTranscription [--fast] FILE\n".utf8))
  exit(2)
}

do {
  let source = try FileSource(url: URL(fileURLWithPath: arguments[0]))
  try await LiveTranscription(display: LiveLine()).listen(to: source, atPace: !isFast)
} catch {
  FileHandle.standardError.write(Data("LiveTranscription: \(error.localizedDescription)\n".utf8))
  exit(1)
}
