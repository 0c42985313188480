#if os(Linux)
  import ChildProcesses
  import Foundation

  /// A voice of the speech synthesizer flite, for American English.
  package struct FliteVoice: Sendable, Hashable {
    /// flite is missing, or does not speak.
    package enum Problem: Error, Hashable {
      case notInstalled
      /// It ended with a status that is not 0.
      case failed(status: Int32)
    }

    private static let program = ProgramLocator(name: "flite", variable: "FLITE_PATH")
    private static let names = ["slt", "rms", "awb", "kal16"]
    /// For a sentence, which takes a tenth of a second.
    private static let limits: [ChildProcess.Limit] = [.processorSeconds(20), .memory(1 << 30)]

    /// The name of the voice.
    package let name: String
    private let executable: String

    /// All voices: a woman and three men, of whom one is Scottish.
    /// - Throws: `Problem.notInstalled`.
    package static func all() throws(Problem) -> [FliteVoice] {
      guard let executable = program.find() else { throw .notInstalled }
      return names.map { FliteVoice(name: $0, executable: executable) }
    }

    /// Says a text.
    /// - Parameter file: where the audio is written, in the format WAVE.
    /// - Throws: `Problem`, `CancellationError`.
    func say(_ text: SpokenTerm.Sentence, to file: URL) async throws {
      try Task.checkCancellation()
      let child = try ChildProcess(
        executable, ["-voice", name, "-ssml", "-t", text.markup, "-o", file.path], input: .null,
        output: .null,
        errors: .null, limits: Self.limits)
      let status = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          Thread.detachNewThread { continuation.resume(returning: child.wait()) }
        }
      } onCancel: {
        child.kill()
      }
      try Task.checkCancellation()
      if status != 0 { throw Problem.failed(status: status) }
    }
  }
#endif
