#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Live sessions whose recognizer and microphone fail at random. For each seed, `SessionSweep` reports words that are
  /// missing without a reason, invented or committed twice, changed segments, and sessions that do not end.
  @Suite(.tagged(.childProcess), .serialized) struct FaultSweepTests {
    /// The reports of a sweep and its exit status.
    private struct Outcome {
      var lines: [Substring]
      /// The failures, each with the command that repeats it.
      var complaints: String
      var status: Int32
    }

    private func sweep(_ arguments: [String]) async throws -> Outcome {
      let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      let sweep = bundle.deletingLastPathComponent().appendingPathComponent("SessionSweep").path
      let program = try await Program.run([sweep] + arguments)
      return Outcome(
        lines: program.text.split(separator: "\n"), complaints: program.complaint,
        status: program.status)
    }

    /// PocketSphinx, and Whisper if `make setup` could install its weights.
    private static let models =
      ["pocketsphinx"]
      + ["whisper-tiny-en"].filter {
        let prefix = ProcessInfo.processInfo.environment["PREFIX"] ?? "/usr/local"
        return FileManager.default.fileExists(atPath: "\(prefix)/share/longhand/models/\($0)")
      }

    /// 500 seeds of each engine and recognizer in `make soak`, 3 in every run of the tests.
    @Test(arguments: ["analyzer", "rolling"], models)
    func whateverFailsNothingIsLostInventedOrChanged(_ engine: String, _ model: String) async throws {
      let count = isSoak ? 500 : 3
      let outcome = try await sweep([engine, "--model", model, "--count", "\(count)", "--jobs", "3"])
      #expect(outcome.lines.count == count)
      let problems = outcome.lines.filter { !$0.contains(#""problems":[]"#) }.joined(separator: "\n")
      #expect(outcome.status == 0, "\(outcome.complaints)\n\(problems)")
      // Without any fault, the test would prove nothing.
      #expect(outcome.lines.contains { !$0.contains(#""incidents":[]"#) })
      #expect(outcome.lines.contains { !$0.contains(#""losses":[]"#) })
    }

    /// Twenty minutes, or an hour in `make soak`, three quarters of it silent, with interruptions and a recognizer that fails,
    /// from the microphone to the view and the exports, on a clock that runs fast.
    @Test func longSilencesAreWholeInEveryLayer() async throws {
      let minutes = isSoak ? 60 : 20
      let outcome = try await sweep(["automatic", "--length", "\(60 * minutes)", "--deadline", "400"])
      #expect(outcome.status == 0, "\(outcome.complaints)\n\(outcome.lines.joined())")
      let report = try JSONDecoder().decode(SilenceReport.self, from: Data((outcome.lines.first ?? "").utf8))
      #expect(report.duration == Double(60 * minutes))
      #expect(report.segments > 3 * minutes)
      #expect(report.words > 25 * minutes)
      #expect(report.losses.count > minutes / 7)
      #expect(report.incidents.count > minutes / 7)
    }

    private struct SilenceReport: Decodable {
      var duration: Double
      var words: Int
      var segments: Int
      var losses: [String]
      var incidents: [String]
    }

    /// The negative controls: each defect is found by its check.
    @Test(arguments: [
      ("drop", "is missing"), ("invent", "was not said"), ("move", "was not said"),
      ("twice", "is there twice"), ("change", "was changed"), ("hole", "is followed by"),
      ("hush", "is missing"), ("hang", "did not end"),
    ])
    func everyDefectIsFound(_ defect: String, _ complaint: String) async throws {
      let deadline = defect == "hang" ? ["--deadline", "10"] : []
      for engine in isSoak || defect == "drop" ? ["analyzer", "rolling"] : ["rolling"] {
        let outcome = try await sweep([engine, "--first", "2", "--fault", defect] + deadline)
        #expect(outcome.status == 1)
        #expect(outcome.lines.count == 1)
        #expect(outcome.lines.first?.contains(complaint) == true)
        // The report has the command that repeats the failed seed.
        #expect(outcome.complaints.contains("SessionSweep \(engine) --first 2 --fault \(defect)"))
      }
    }
  }
#endif
