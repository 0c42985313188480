import Foundation
import ScriptedSpeech
import SpeechServiceProtocol

// A speech service that hears the words of `SpokenTones`, needs no model, and does wrong what a script says. Standard
// input is the socket to the client, both ways; `SCRIPTED_SERVICE` names the script.

ServiceChannel.closeInheritedFiles()

do {
  // Whoever asks before anything is recognized whether there is a model hears that there is.
  if CommandLine.arguments.count > 1 { exit(0) }
  guard let script = ProcessInfo.processInfo.environment[SpeechScript.variable] else {
    throw CocoaError(.fileNoSuchFile)
  }
  let run = try ScriptedRun(script: URL(fileURLWithPath: script))
  try ScriptedLoop(channel: ServiceChannel(descriptor: STDIN_FILENO), run: run).serve()
} catch ServiceChannelError.closed {
  // The client has gone.
} catch {
  FileHandle.standardError.write(Data("scripted-speech-service: \(SpeechScript.variable): \(error)\n".utf8))
  exit(1)
}
