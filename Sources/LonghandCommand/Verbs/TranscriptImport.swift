import Foundation
import Longhand

/// The work of `import --transcripts`: lines of `longhand worker` become sessions.
struct TranscriptImport: Sendable {
  /// The longest line, in bytes: some 30 hours of speech.
  private static let maxLine = 256 << 20

  /// The file with the lines; `-` is standard input.
  let file: String
  /// The folder with the audio; nil to import the text alone.
  let audioRoot: String?

  /// Reads the options; nil if they name no transcripts.
  init?(_ arguments: ParsedArguments) throws {
    audioRoot = arguments.value(.audioRoot)
    guard let file = arguments.value(.transcripts) else {
      guard audioRoot == nil else {
        throw Failure.usage(
          "The option --audio-root needs --transcripts.", hint: "Example: --transcripts transcripts.jsonl")
      }
      return nil
    }
    _ = try arguments.operands(named: [])
    self.file = file
  }

  /// Imports every line, and prints the IDs of the new sessions.
  /// - Parameter spellings: the vocabulary whose second text the sessions get.
  /// - Returns: the exit status.
  func run(into library: Library, spellings: Vocabulary?, _ console: Console) async throws -> Int32 {
    let reader = try StreamReader.open(file, contents: "transcripts")
    defer { close(reader.descriptor) }
    let name = reader.name
    let lines = LineReader(reader, maxLength: Self.maxLine)
    var (status, number, known) = (ExitStatus.done, 0, 0)
    var current = try await Self.next(of: lines)
    while let line = current {
      // Reading takes half of the time, so that the next line is read while this one is stored.
      async let following = Self.next(of: lines)
      number += 1
      do {
        let audio = audioRoot.map { root in { Self.audio(of: $0, in: root) } }
        if let transcript = try line.get() {
          switch try await library.importTranscript(transcript, audio: audio, spellings: spellings) {
          case .added(let session, let warnings):
            try console.output.write("\(session.id)\n")
            console.report(warnings, input: "\(name):\(number)")
          case .known: known += 1
          }
        }
      } catch let closed as ClosedOutput {
        throw closed
      } catch {
        try Task.checkCancellation()
        status = ExitStatus.failed
        console.report(Failure(error, input: "\(name):\(number)").about("\(name):\(number)"))
      }
      current = try await following
    }
    if known > 0 { console.note("\(known) of \(number) transcripts were in the library already.") }
    return status
  }

  /// Reads and checks the next line; nil at the end. An empty line has no transcript.
  private static func next(of lines: LineReader) async throws -> Result<WorkerTranscript?, any Error>? {
    switch try await lines.next() {
    case nil: nil
    case .tooLong: .failure(Failure(.malformed, "The line has more than \(maxLine >> 20) MB."))
    case .bytes(let bytes): Result { bytes.isEmpty ? nil : try WorkerTranscript(Data(bytes)) }
    }
  }

  /// A relative path is one in the folder. Of an absolute path and of a URL, the folder has the last part.
  private static func audio(of location: String, in root: String) -> URL {
    let isRelative = !location.hasPrefix("/") && location.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:/) == nil
    let name = isRelative ? location : PathName.last(of: location)
    return URL(fileURLWithPath: PathName.join(root, name))
  }
}

extension Option {
  static let transcripts = Option(
    "--transcripts", value: "FILE",
    summary: "import the lines of 'longhand worker' in FILE instead of audio, without transcribing again")
  static let audioRoot = Option(
    "--audio-root", value: "DIR",
    summary: "with --transcripts: also copy the audio, which is in DIR (default: import the text alone)")
}
