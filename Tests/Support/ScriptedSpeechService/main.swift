import ChildProcesses
import Foundation
import ScriptedSpeech
import RecognitionProtocol

// A speech service for tests. It recognizes the words of `SpokenTones`, needs no model, and fails as a script
// says. Standard input is the socket to the client, in both directions. `SPEECH_SCRIPT` names the script.
// With `SPEECH_FAULTY_SERVICE` it is a proxy of the real service instead: see `FaultyProxy`. With `SPEECH_HOSTILE_ANSWER` it is a
// hostile one: see `HostileAnswer`.

ChildProcess.closeInheritedFiles()

do {
  let environment = ProcessInfo.processInfo.environment
  // Asked whether a model exists, it always says yes. Another descriptor: standard input is closed when it
  // ends.
  let isProxy = environment["SPEECH_FAULTY_SERVICE"] != nil
  let answer = environment[HostileAnswer.variable].flatMap(HostileAnswer.init)
  if CommandLine.arguments.count > 1, answer == .silenceAboutModel { while true { sleep(1000) } }
  if CommandLine.arguments.count > 1, !isProxy { exit(0) }
  if isProxy {
    let client = ServiceChannel(descriptor: dup(STDIN_FILENO))
    try FaultyProxy(client: client, environment: environment).serve()
  }
  if let answer {
    try HostileLoop(channel: ServiceChannel(descriptor: STDIN_FILENO), answer: answer).serve()
  }
  guard let script = environment[SpeechScript.variable] else { throw CocoaError(.fileNoSuchFile) }
  let run = try ScriptedRun(script: URL(fileURLWithPath: script))
  try ScriptedLoop(channel: ServiceChannel(descriptor: STDIN_FILENO), run: run).serve()
} catch ServiceChannelError.closed {
  // The client has gone.
} catch {
  FileHandle.standardError.write(Data("scripted-speech-service: \(SpeechScript.variable): \(error)\n".utf8))
  exit(1)
}
