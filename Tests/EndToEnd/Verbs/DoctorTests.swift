import Foundation
import Longhand
import TestSupport
import Testing

@testable import LonghandCommand

@Suite struct DoctorTests {
  private struct Document: Decodable {
    let findings: [Diagnosis.Finding]
  }

  @Test(.tagged(.childProcess)) func findingsAreForProgramsToo() async throws {
    let result = try await LonghandProcess.run("doctor", "--json")
    let findings = try JSONDecoder().decode(Document.self, from: Data(result.output.utf8)).findings
    #expect(findings.contains { $0.name == "processors" && $0.state == .ok })
    #expect(result.status == (findings.contains { $0.state == .missing } ? 1 : 0))
    let table = try await LonghandProcess.run("doctor")
    #expect(table.status == result.status)
    #expect(findings.allSatisfy { table.output.contains($0.name) })
  }

  @Test(.tagged(.childProcess)) func missingPartIsListedWithItsRemedy() async throws {
    let result = try await LonghandProcess.run("doctor", environment: ["TMPDIR": "/nonexistent"])
    #expect(result.status == 1)
    #expect(result.output.contains("missing  temporary folder"))
    #expect(result.output.contains("type: export TMPDIR=DIR"))
  }

  @Test(.tagged(.childProcess)) func partsForRecordingAreChecked() async throws {
    let folder = try TemporaryFolder()
    let place = folder.path("new/library")
    let fresh = try await LonghandProcess.run(
      "doctor", environment: ["LONGHAND_LIBRARY": place, "PULSE_SERVER": "unix:/nonexistent"])
    #expect(fresh.status == 0)
    #expect(fresh.output.contains("\(place), made by the first recording"))
    #expect(fresh.output.contains("ok       encryption"))
    #expect(fresh.output.contains("warning  microphone"))
    #expect(fresh.output.contains("pulseaudio --start"))
    #expect(!FileManager.default.fileExists(atPath: place), "nothing is made by looking")
    let none = try await LonghandProcess.run("doctor", "--library", "/dev/null/library")
    #expect(none.status == 1)
    #expect(none.output.contains("missing  library"))
    try folder.write("no database", to: "bad/transcripts.sqlite")
    let bad = try await LonghandProcess.run("doctor", "--library", folder.path("bad"))
    #expect(bad.status == 1)
    #expect(bad.output.contains("it is not a transcript store"))
  }

  @Test(.tagged(.childProcess), .recognizer(.pocketSphinx)) func aMissingRecognizerIsFound() async throws {
    let there = try await LonghandProcess.run("doctor")
    #expect(there.output.contains("ok       recognizer        pocketsphinx 5.1.1 for English (en-US)"))
    #expect(there.output.contains("ok       model "))
    #expect(there.output.contains("  programs  "))
    let other = try await LonghandProcess.run(
      "doctor", environment: ["NEURAL_SPEECH_SERVICE_PATH": "/nonexistent"])
    #expect(other.output.contains("warning  programs"))
    #expect(other.output.contains("sherpa-service: not found"))
    let missing = try await LonghandProcess.run(
      "doctor", environment: ["SPEECH_SERVICE_PATH": "/nonexistent"])
    #expect(missing.status == 1)
    #expect(missing.output.contains("missing  recognizer"))
    #expect(missing.output.contains("type: make setup build"))
  }

  /// The first signal ends the program although the recognizer never answers.
  @Test(.tagged(.childProcess), .recognizer(.pocketSphinx)) func aCheckIsAbandonedBySignal() async throws {
    let folder = try TemporaryFolder()
    let begun = folder.path("begun")
    try folder.write("#!/bin/sh\n: > '\(begun)'\nexec cat > /dev/null\n", to: "service")
    chmod(folder.path("service"), 0o755)
    let doctor = try LonghandProcess(
      ["doctor"], environment: ["SPEECH_SERVICE_PATH": folder.path("service")])
    while doctor.isRunning, !FileManager.default.fileExists(atPath: begun) {
      try await Task.sleep(for: .milliseconds(20))
    }
    doctor.send(SIGINT)
    // The recognizer has a minute to answer.
    let result = try await doctor.result(within: .seconds(30))
    #expect(result.status == 130)
    #expect(result.output.isEmpty)
  }

  @Test func theTableHasALineAFinding() {
    let findings = [
      Diagnosis.Finding(name: "a", state: .ok, detail: "1"),
      Diagnosis.Finding(name: "long", state: .missing, detail: "none\u{1B}", remedy: "make setup"),
    ]
    #expect(
      DoctorCommand.table(findings)
        == "ok       a     1\nmissing  long  none\\u{1b}\n         type: make setup\n")
  }
}
