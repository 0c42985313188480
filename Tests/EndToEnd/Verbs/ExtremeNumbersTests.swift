import Foundation
import Longhand
import TestSupport
import Testing

/// Numbers at the ends of what an integer can be: the command, its worker and its interface for agents refuse them or have
/// nothing there, quickly, and do not crash. (The server: `LonghandServerTests`.)
@Suite struct ExtremeNumbersTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  static let numbers = [
    "-9223372036854775808", "9223372036854775807", "9223372036854775808", "-2147483649", "-2147483648",
    "2147483647", "2147483648", "100000000", "1000000000000000", "1e300", "nan",
  ]

  /// A session of one segment.
  private func session() throws -> (Library, String) {
    let library = try Library(at: URL(fileURLWithPath: folder.path("library")))
    let session = RecordedSession(
      source: "a.wav", locale: "en-US", engine: "analyzer", start: .now, duration: 2, state: .complete)
    try library.store.begin(session)
    let word = Word(text: "one", start: 0, end: 1, confidence: 0.9)
    let candidate = Candidate(text: "one", words: [word], confidence: 0.9)
    try library.store.append(Segment(id: 0, start: 0, end: 1, candidates: [candidate]), to: session.id)
    return (library, session.id)
  }

  @Test(arguments: numbers) func theCommandDoesNotCrash(_ number: String) async throws {
    let (library, id) = try session()
    let before = try library.store.transcript(of: id)
    let options = [
      "--alternatives", "--max-line-count", "--max-line-width", "--offset", "--silence-duration",
      "--silence-threshold", "--speakers", "--language-model-weight", "--tracks", "--jobs",
    ]
    var lines = options.map { ["transcribe", "\($0)=\(number)", folder.path("missing.wav")] }
    lines += [
      ["transcribe", "--raw=s16le:\(number):1", folder.path("missing.wav")],
      ["transcribe", "--raw=s16le:16000:\(number)", folder.path("missing.wav")],
      ["record", "--for=\(number)", "--from=nothing"], ["record", "--idle=\(number)", "--from=nothing"],
      ["serve", "--port=\(number)", "--listen=nowhere"],
      ["serve", "--wyoming-port=\(number)", "--listen=nowhere"],
      ["sessions", "--limit=\(number)"], ["search", "--limit=\(number)", "one"],
      ["sessions", "--since=\(number)"], ["explain", "last", "--", number],
      ["explain", "last", "0", "--choose=\(number)"], ["explain", "last", "0", "--revision=\(number)"],
      ["explain", "last", "0", "--word=\(number)", "--choose=0"], ["export", "last", "--offset=\(number)"],
      ["speakers", "last", "--assign=\(number)=Anna"],
      ["export", "last", "--format=srt", "--max-line-width=\(number)"],
    ]
    for line in lines {
      let process = try LonghandProcess(line, environment: ["LONGHAND_LIBRARY": folder.path("library")])
      let result = try await process.result(within: .seconds(30))
      #expect((0...127).contains(result.status), "\(line): \(result.status) \(result.errors)")
      #expect(!result.errors.contains("Fatal error"), "\(line): \(result.errors)")
    }
    #expect(try library.store.transcript(of: id) == before)
  }

  @Test func theInterfaceForAgentsAnswers() async throws {
    let (library, id) = try session()
    let before = try library.store.transcript(of: id)
    let calls = [
      ("list_sessions", #"{"limit": $N}"#), ("search", #"{"text": "one", "limit": $N}"#),
      ("get_transcript", #"{"session": "last", "start": $N}"#),
      ("get_transcript", #"{"session": "last", "end": $N}"#),
      ("get_transcript", #"{"session": "last", "segment": $N}"#),
      ("get_transcript", #"{"session": "last", "limit": $N}"#),
      ("correct", #"{"session": "last", "key": $N, "revision": 0, "text": "two"}"#),
      ("correct", #"{"session": "last", "key": 0, "revision": $N, "text": "two"}"#),
    ]
    let numbers = Self.numbers.filter { $0 != "nan" }
    let lines = numbers.flatMap { number in
      calls.map { tool, arguments in
        #"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "\#(tool)", "arguments": \#(arguments.replacing("$N", with: number))}}"#
      } + [#"{"jsonrpc": "2.0", "id": \#(number), "method": "ping"}"#]
    }
    let result = try await LonghandProcess(
      ["mcp", "--allow-changes"], input: .bytes(Data(lines.joined(separator: "\n").utf8)),
      environment: ["LONGHAND_LIBRARY": folder.path("library")]
    ).result()
    #expect(result.status == 0)
    #expect(result.outputLines.count == lines.count)
    #expect(try library.store.transcript(of: id) == before)
  }

  @Test func theWorkerAnswers() async throws {
    let options = [
      "alternatives", "silence-duration", "silence-threshold", "speakers", "offset", "language-model-weight",
    ]
    let jobs = Self.numbers.filter { $0 != "nan" }.flatMap { number in
      options.map { #"{"id": \#(number), "path": "missing.wav", "options": {"\#($0)": \#(number)}}"# }
        + options.map { #"{"id": "a", "path": "missing.wav", "options": {"\#($0)": "\#(number)"}}"# }
    }
    let result = try await LonghandProcess(
      ["worker"], input: .bytes(Data(jobs.joined(separator: "\n").utf8)), in: folder.url
    ).result()
    #expect((0...127).contains(result.status), "\(result.errors)")
    #expect(result.outputLines.count == jobs.count)
  }
}
