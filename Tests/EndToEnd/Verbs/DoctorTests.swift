import Foundation
import Longhand
import Testing

@testable import LonghandCommand

@Suite struct DoctorTests {
  private struct Document: Decodable {
    let findings: [Finding]
  }

  @Test func findingsAreForProgramsToo() async throws {
    let result = try await LonghandProcess.run("doctor", "--json")
    let findings = try JSONDecoder().decode(Document.self, from: Data(result.output.utf8)).findings
    #expect(findings.contains { $0.name == "processors" && $0.state == .ok })
    #expect(result.status == (findings.contains { $0.state == .missing } ? 1 : 0))
    let table = try await LonghandProcess.run("doctor")
    #expect(table.status == result.status)
    #expect(findings.allSatisfy { table.output.contains($0.name) })
  }

  @Test func whatIsMissingStandsWithItsRemedy() async throws {
    let result = try await LonghandProcess.run("doctor", environment: ["TMPDIR": "/nonexistent"])
    #expect(result.status == 1)
    #expect(result.output.contains("missing  temporary folder"))
    #expect(result.output.contains("type: export TMPDIR=DIR"))
  }

  @Test func aMissingRecognizerIsFound() async throws {
    let there = try await LonghandProcess.run("doctor")
    #expect(there.output.contains("ok       recognizer        pocketsphinx 5.1.1 for en-US"))
    #expect(there.output.contains("ok       model "))
    let missing = try await LonghandProcess.run(
      "doctor", environment: ["SPEECH_SERVICE_PATH": "/nonexistent"])
    #expect(missing.status == 1)
    #expect(missing.output.contains("missing  recognizer"))
    #expect(missing.output.contains("type: make setup build"))
  }

  @Test func theTableHasALineAFinding() {
    let findings = [
      Finding(name: "a", state: .ok, detail: "1"),
      Finding(name: "long", state: .missing, detail: "none\u{1B}", remedy: "make setup"),
    ]
    #expect(
      Doctor.table(findings) == "ok       a     1\nmissing  long  none\\u{1b}\n         type: make setup\n")
  }
}
