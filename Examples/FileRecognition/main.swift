// Recognizes the speech in a file and prints everything that a result contains.
//
//   swift run FileRecognition FILE
import Foundation

guard CommandLine.arguments.count == 2 else {
  FileHandle.standardError.write(Data("usage: FileRecognition FILE\n".utf8))
  exit(2)
}

let recognition = FileRecognition(url: URL(fileURLWithPath: CommandLine.arguments[1]))
recognition.onEnd = { error in
  guard let error else { exit(0) }
  FileHandle.standardError.write(Data("FileRecognition: \(error.localizedDescription)\n".utf8))
  exit(1)
}
recognition.start()
RunLoop.main.run()
