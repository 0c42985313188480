import Foundation
import Longhand
import Testing

@testable import LonghandCommand

@Suite struct FailureTests {
  @Test func lineHasInputProblemAndRemedy() {
    let failure = Failure(.unreadable, "No such file.", input: "talk.wav", hint: "Check the name.")
    #expect(failure.line == "longhand: talk.wav: No such file. Check the name.")
    #expect(failure.status == 1)
    #expect(Failure.usage("No verb.").line == "longhand: No verb.")
    #expect(Failure.usage("No verb.").status == 2)
  }

  /// Messages of other modules may be fragments; a path at the start keeps its letters.
  @Test func messageBecomesASentence() {
    #expect(Failure(.output, "the disk is full").message == "The disk is full.")
    #expect(Failure(.output, "talk.wav is broken").message == "talk.wav is broken.")
    #expect(Failure(.output, "Is it there?", hint: "look: ls").line == "longhand: Is it there? look: ls")
  }

  @Test func inputThatTheMessageQuotesIsNotRepeated() {
    let failure = Failure(.library, "No session has an ID that starts with 'ab'.", input: "ab")
    #expect(failure.line == "longhand: No session has an ID that starts with 'ab'.")
  }

  @Test func missingMicrophoneSaysWhatToDo() {
    let failure = Failure(CaptureError.noInput("there is no sound server; start one"))
    #expect(failure.code == .unreadable)
    #expect(failure.line == "longhand: There is no sound server; start one.")
  }

  @Test func controlCharactersInNamesAreEscaped() {
    let failure = Failure(.unreadable, "missing", input: "a\n\u{1B}[31mb\u{9B}\u{202E}\u{2028}\t\u{7F}é文")
    #expect(failure.line == #"longhand: a\n\u{1b}[31mb\u{9b}\u{202e}\u{2028}\t\u{7f}é文: missing."#)
  }

  @Test func jsonErrorHasEveryKeyOnOneLine() throws {
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
  func everyTranscriptionErrorHasAHint(_ error: TranscriptionError) {
    let failure = Failure(error, input: "talk.wav")
    #expect(failure.status == 1)
    #expect(failure.hint != nil)
    #expect(failure.endsTheRun == (failure.input == nil))
  }

  @Test func mistakeInAFileNamesItsLine() {
    let failure = Failure(EvaluationInputError(file: "a.stm", line: 3, reason: .endBeforeStart))
    #expect(failure.line == "longhand: a.stm:3: Ends before it starts.")
  }
}
