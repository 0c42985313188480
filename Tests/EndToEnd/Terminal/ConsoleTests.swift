import Foundation
import Testing

@testable import LonghandCommand

@Suite struct ConsoleTests {
  @Test(arguments: [
    ("yes\n", true), (" Y \r\n", true), ("y", true), ("no\n", false), ("yes, please\n", false),
    ("oui\n", false),
    ("はい\n", false), ("\nyes\n", false), ("", false),
  ])
  func onlyYesIsYes(_ typed: String, _ isYes: Bool) async throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(typed.utf8))
    try pipe.fileHandleForWriting.close()
    let answers = pipe.fileHandleForReading.fileDescriptor
    #expect(try await Console().confirms("Delete the talk?", answers: answers) == isYes)
    withExtendedLifetime(pipe) {}
  }

  /// Ctrl-C at a question, and then the answer to it.
  @Test func answerAfterASignalDoesNotCount() async throws {
    let pipe = Pipe()
    let answers = pipe.fileHandleForReading.fileDescriptor
    let question = Task { try await Console().confirms("Delete the talk?", answers: answers) }
    question.cancel()
    try pipe.fileHandleForWriting.write(contentsOf: Data("yes\n".utf8))
    await #expect(throws: CancellationError.self) { try await question.value }
    withExtendedLifetime(pipe) {}
  }

  /// Nothing is typed at all.
  @Test func signalEndsTheWaitForAnAnswer() async throws {
    let pipe = Pipe()
    let answers = pipe.fileHandleForReading.fileDescriptor
    let question = Task { try await Console().confirms("Delete the talk?", answers: answers) }
    question.cancel()
    await #expect(throws: CancellationError.self) { try await question.value }
    withExtendedLifetime(pipe) {}
  }
}
