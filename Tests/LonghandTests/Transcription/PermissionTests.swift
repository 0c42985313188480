import Foundation
import Speech
import Testing

@testable import LonghandTranscription

/// What people read who may not recognize speech. `TranscribeInputTests` run the program with each status.
@Suite struct PermissionTests {
  @Test(arguments: [
    (SFSpeechRecognizerAuthorizationStatus.denied, "Settings > Privacy & Security > Speech Recognition"),
    (.restricted, "a profile or a parental control"), (.notDetermined, "Answer the question"),
  ])
  func eachStatusHasItsRemedy(_ status: SFSpeechRecognizerAuthorizationStatus, _ remedy: String) {
    #expect(Permission.problem(status)?.contains(remedy) == true)
  }

  @Test func authorizedProgramsHaveNoProblem() {
    #expect(Permission.problem(.authorized) == nil)
  }
}
