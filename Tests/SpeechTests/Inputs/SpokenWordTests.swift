import AVFoundation
import SoundServer
import Speech
import TestSupport
import Testing

/// A move of chess is spoken where the microphone would be.
@Suite(.tagged(.recognizer, .soundServer), .serialized, .timeLimit(.minutes(5))) struct SpokenWordTests {
  @Test func spokenMoveIsRecognizedWithTheChessModel() async throws {
    let server = try await PulseServer()
    try server.addMicrophone()
    setenv("PULSE_SERVER", server.address, 1)
    defer { unsetenv("PULSE_SERVER") }
    let folder = server.folder.appendingPathComponent("chess")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let data = folder.appendingPathComponent("CustomLMData.bin")
    try await ChessData.data().export(to: data)
    let speech = folder.appendingPathComponent("move.wav")
    try await Program.output(of: [
      "flite", "-voice", "slt", "-t", "play the Albin counter gambit", speech.path,
    ])

    let program = await SpokenWord(
      model: SFSpeechLanguageModel.Configuration(
        languageModel: folder.appendingPathComponent("LM"), vocabulary: folder.appendingPathComponent("Vocab")
      ))
    try await program.prepare(trainingData: data)
    await program.start()
    // Until the program records.
    while try server.control("list", "short", "source-outputs").isEmpty {
      try await Task.sleep(for: .milliseconds(200))
    }
    // Who is not understood says it again: what a busy program or sound server loses is not what this is about.
    for _ in 1...3 {
      try await Task.sleep(for: .milliseconds(500))
      let player = try server.play(speech)
      #expect(await eventually { !player.isRunning })
      // A busy sound server plays on after its client has ended.
      try await Task.sleep(for: .seconds(3))
      if await text(of: program).contains("albin counter gambit") { break }
    }
    try await program.stop()
    // Whether there was volatile text depends on the load: a recognizer that is late shows the whole move at its end.
    let text = await text(of: program)
    let errors = await program.capture.errors
    #expect(text.contains("albin counter gambit"), "\(errors)")
  }

  private func text(of program: SpokenWord) async -> String {
    await String(program.transcript.characters).lowercased()
  }
}
