import Foundation
import SpeechServiceProtocol

// The recognizer, alone in its process: PocketSphinx ends the process on some errors, and that must be nobody
// else's process. Standard input is the socket to the client, both ways.

ServiceChannel.closeInheritedFiles()

do {
  switch CommandLine.arguments.dropFirst().first {
  case nil:
    ServiceLoop(channel: ServiceChannel(descriptor: STDIN_FILENO)).run()
  case "--check":
    let description = try Decoder(configuration: ServiceConfiguration()).description
    print(String(decoding: try JSONEncoder().encode(description), as: UTF8.self))
  case "--model":
    print(try Model(locale: ServiceConfiguration().locale).folder)
  default:
    FileHandle.standardError.write(
      Data(
        """
        usage: speech-service [--check | --model]

        Serves one client over the socket on standard input; started by the Speech framework, not by hand.
          --check   loads the model, says which it is, and ends
          --model   says where the model lies, and ends

        """.utf8))
    exit(CommandLine.arguments.contains("--help") ? 0 : 2)
  }
} catch {
  FileHandle.standardError.write(Data("speech-service: \(error)\n".utf8))
  exit(1)
}
