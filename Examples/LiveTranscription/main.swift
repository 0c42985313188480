// Transcribes speech while it is spoken. Text that may still change is replaced until it is final.
//
//   swift run LiveTranscription [--fast] FILE
//
// The audio of a file takes the place of a microphone. It arrives in real time, or all at once with --fast.
import ExampleSupport
import Foundation

var arguments = Array(CommandLine.arguments.dropFirst())
let isFast = arguments.first == "--fast"
if isFast { arguments.removeFirst() }
guard arguments.count == 1 else {
  FileHandle.standardError.write(Data("usage: LiveTranscription [--fast] FILE\n".utf8))
  exit(2)
}

guard #available(macOS 26, iOS 26, *) else {
  FileHandle.standardError.write(Data("LiveTranscription: This example needs macOS 26.\n".utf8))
  exit(1)
}

do {
  let source = try FileSource(url: URL(fileURLWithPath: arguments[0]))
  try await LiveTranscription(display: LiveLine()).transcribe(source, inRealTime: !isFast)
} catch {
  FileHandle.standardError.write(Data("LiveTranscription: \(error.localizedDescription)\n".utf8))
  exit(1)
}
