import Foundation
import ScriptedSpeech
import Testing

@Suite struct SpeechScriptTests {
  /// Samples that are different for each utterance.
  private func beginning(_ number: Int) -> [Int16] { [Int16(number), 7] }

  @Test func scriptSurvivesEncoding() throws {
    var script = SpeechScript.random(seed: 7, faultRate: 0.5)
    script.faults = [3: [.late(seconds: 0.5), .refused(domain: "d", code: 1)], 4: []]
    script.unavailableConfigurations = [2]
    #expect(try JSONDecoder().decode(SpeechScript.self, from: JSONEncoder().encode(script)) == script)
  }

  @Test func seedDeterminesTheFaults() {
    let scripts = (1...2).map { _ in SpeechScript.random(seed: 3, faultRate: 0.3) }
    let faults = scripts.map { script in (0..<400).map { script.fault(utterance: $0, attempt: 0) } }
    #expect(faults[0] == faults[1])
    let count = faults[0].count { $0 != nil }
    #expect((80...160).contains(count))
    let other = SpeechScript.random(seed: 4, faultRate: 0.3)
    #expect(faults[0] != (0..<400).map { other.fault(utterance: $0, attempt: 0) })
    #expect(
      (0..<400).allSatisfy {
        SpeechScript.random(seed: 3, faultRate: 0).fault(utterance: $0, attempt: 0) == nil
      })
  }

  @Test func everyKindOfFaultIsDrawn() {
    let script = SpeechScript.random(seed: 1, faultRate: 1)
    let names = (0..<500).compactMap { script.fault(utterance: $0, attempt: 0) }.map { fault in
      String("\(fault)".prefix { $0 != "(" })
    }
    var expected = Set(SpeechScript.Kind.allCases.map(\.rawValue))
    expected.remove("unavailable")
    #expect(Set(names) == expected)
    #expect((0..<100).contains { script.isUnavailable(configuration: $0) })
    #expect(
      !(0..<100).contains {
        script.isUnavailable(configuration: $0) && script.isUnavailable(configuration: $0 + 1)
      })
  }

  @Test func thirdAttemptSucceeds() throws {
    try Folder.temporary { folder in
      let script = SpeechScript(faults: [1: [.hang, .silent, .nonsense]])
      _ = try script.environment(in: folder)
      // A new service each time, as after a crash.
      let turns = try [0, 1, 1, 1, 2].map { try ScriptedRun(folder: folder).begin(beginning($0)) }
      #expect(turns.map(\.fault) == [nil, .hang, .silent, nil, nil])
      #expect(turns.map(\.utterance) == [0, 1, 1, 1, 2])
      let run = try ScriptedRun(folder: folder)
      #expect(try run.incidents().map(\.attempt) == [0, 1])
      #expect(try run.utterances() == 3)
    }
  }

  @Test func hopelessUtteranceNeverSucceeds() throws {
    try Folder.temporary { folder in
      _ = try SpeechScript(faults: [0: [.silent, .hang]], isHopeless: true).environment(in: folder)
      let run = try ScriptedRun(folder: folder)
      let faults = try (0..<5).map { _ in try run.begin(beginning(0)).fault }
      #expect(faults == [.silent, .hang, .hang, .hang, .hang])
    }
  }

  /// Also if the utterance begins at another time in each attempt, and if a fault of another utterance fails one attempt.
  @Test func drawnFaultsAreTransient() throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      try Folder.temporary { folder in
        _ = try SpeechScript.random(seed: seed, faultRate: 1).environment(in: folder)
        let run = try ScriptedRun(folder: folder)
        var streak = 0
        for utterance in 0..<30 {
          let fault = try run.begin(beginning(utterance)).fault
          streak = fault == nil ? 0 : streak + 1
          #expect(streak <= 2)
        }
        let again = try (0..<3).map { _ in try run.begin(beginning(99)).fault }
        #expect(again.contains(nil))
      }
    }
  }

  @Test func configurationsAreCountedOverAllServices() throws {
    try Folder.temporary { folder in
      _ = try SpeechScript(unavailableConfigurations: [1]).environment(in: folder)
      #expect(try (0..<3).map { _ in try ScriptedRun(folder: folder).configure() } == [false, true, false])
    }
  }

  @Test func environmentNamesTheServiceAndTheScript() throws {
    try Folder.temporary { folder in
      let script = SpeechScript(faults: [0: [.hang]])
      let variables = try script.environment(in: folder, service: URL(fileURLWithPath: "/s"))
      #expect(variables["SPEECH_SERVICE_PATH"] == "/s")
      let file = try #require(variables["SPEECH_SCRIPT"])
      #expect(
        try JSONDecoder().decode(SpeechScript.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
          == script)
    }
  }
}
