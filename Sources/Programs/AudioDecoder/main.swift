import AudioDecoding
import ChildProcesses
import Foundation

// Audio files come from strangers, so they are decoded in processes of their own, which can open no file and no socket.
// Standard input is the socket to the client, in both directions.

ChildProcess.closeInheritedFiles()

if CommandLine.arguments.count > 1 {
  let isHelp = CommandLine.arguments.dropFirst() == ["--help"]
  (isHelp ? FileHandle.standardOutput : .standardError).write(
    Data(
      """
      usage: audio-decoder [--help]

      Decodes audio files for one client over the socket on standard input. AVFAudio starts it.

      """.utf8))
  exit(isHelp ? 0 : 2)
}
DecodingService.run()
