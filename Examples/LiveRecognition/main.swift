// Recognizes speech while it goes on, and shows every partial result in the place of the one before.
//
//   swift run LiveRecognition [--fast] FILE
//
// The sound of a file stands in for a microphone: it is handed over at the pace at which it was spoken, or, with
// --fast, all at once.
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
recognition.start(hearing: URL(fileURLWithPath: arguments[0]), atPace: !isFast)
RunLoop.main.run()
