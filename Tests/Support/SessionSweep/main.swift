import Foundation

// Records and transcribes known speech while the recognizer and the microphone fail at random, and reports whether a word
// was lost, invented, duplicated or changed. `SweepOptions.usage` has the options.
//
// Each seed runs in its own process, because a process reads the path of its service only once.

do {
  let options = try SweepOptions(CommandLine.arguments.dropFirst())
  if let folder = options.folder {
    exit(await SweepRun(options, seed: options.first, in: folder).reported() ? 0 : 1)
  }
  exit(try await SweepProcesses(options).run() ? 0 : 1)
} catch {
  FileHandle.standardError.write(Data("SessionSweep: \(error)\n".utf8))
  exit(2)
}
