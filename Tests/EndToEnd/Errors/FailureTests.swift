import Foundation
import Longhand
import Testing

@testable import LonghandCommand

@Suite struct FailureTests {
  @Test func theLineTellsWhatWhereAndWhatToDo() {
    let failure = Failure(.unreadable, "there is no such file", input: "talk.wav", hint: "check its name")
    #expect(failure.line == "longhand: talk.wav: there is no such file; check its name")
    #expect(failure.status == 1)
    #expect(Failure.usage("no verb was given").line == "longhand: no verb was given")
    #expect(Failure.usage("no verb was given").status == 2)
  }

  @Test func aMissingMicrophoneSaysWhatToDo() {
    let failure = Failure(CaptureError.noInput("there is no sound server; start one"))
    #expect(failure.code == .unreadable)
    #expect(failure.line == "longhand: there is no sound server; start one")
  }

  @Test func nothingInANameActsOnTheTerminal() {
    let failure = Failure(.unreadable, "missing", input: "a\n\u{1B}[31mb\u{9B}\u{202E}\u{2028}\t\u{7F}é文")
    #expect(failure.line == #"longhand: a\n\u{1b}[31mb\u{9b}\u{202e}\u{2028}\t\u{7f}é文: missing"#)
  }

  @Test func theObjectHasEveryKeyOnOneLine() throws {
    let failure = Failure(.unreadable, "there is no such file", input: "a/\n\"b\"")
    #expect(!failure.json.contains("\n"))
    let object = try JSONSerialization.jsonObject(with: Data(failure.json.utf8)) as? [String: [String: Any]]
    let error = try #require(object?["error"])
    #expect(Set(error.keys) == ["code", "message", "input", "hint"])
    #expect(error["code"] as? String == "unreadable")
    #expect(error["input"] as? String == "a/\n\"b\"")
    #expect(error["hint"] is NSNull)
  }

  @Test(arguments: [
    TranscriptionError.unreadable("x"), .undecodable("x"), .noAudio, .unsupportedLocale("xx"),
    .notInstalled("x", hint: "make setup"), .recognizerFailed("x"),
  ])
  func everyErrorOfTheWorkHasAWayOut(_ error: TranscriptionError) {
    let failure = Failure(error, input: "talk.wav")
    #expect(failure.status == 1)
    #expect(failure.hint != nil)
    #expect(failure.endsTheRun == (failure.input == nil))
  }

  @Test func mistakesInFilesHaveTheirLine() {
    let failure = Failure(EvaluationInputError(file: "a.stm", line: 3, reason: .endBeforeStart))
    #expect(failure.line == "longhand: a.stm:3: ends before it starts")
  }
}
