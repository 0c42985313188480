import AVFAudio
import Foundation
import Speech
import Testing

@testable import Longhand

/// The permissions of the user. The policies are those of the whole process, so that one test runs after the other, and
/// only with statuses that no other test asks for.
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
