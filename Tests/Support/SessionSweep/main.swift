import Foundation

// Records speech of which every word is known while the recognizer and the microphone fail as a seed says, and tells
// whether anything was lost, invented, written twice or changed. `SweepOptions.usage` says how it is called.
//
// Each seed runs in a process of its own: the services of a process are found once, by its environment.

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
