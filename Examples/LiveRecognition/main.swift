// Recognizes speech while it is spoken. Each partial result replaces the one before.
//
//   swift run LiveRecognition [--fast] FILE
//
// The audio of a file takes the place of a microphone. It arrives in real time, or all at once with --fast.
import ExampleSupport
import Foundation

var arguments = Array(CommandLine.arguments.dropFirst())
let isFast = arguments.first == "--fast"
if isFast { arguments.removeFirst() }
guard arguments.count == 1 else {
  FileHandle.standardError.write(Data("usage: LiveRecognition [--fast] FILE\n".utf8))
  exit(2)
}

let recognition = LiveRecognition(display: LiveLine())
recognition.onEnd = { error in
  guard let error else { exit(0) }
  FileHandle.standardError.write(Data("LiveRecognition: \(error.localizedDescription)\n".utf8))
  exit(1)
}
recognition.start(file: URL(fileURLWithPath: arguments[0]), inRealTime: !isFast)
RunLoop.main.run()
