import Foundation
import Testing

@testable import Speech

/// The answers of `SFSpeechRecognizer` to a program that asks whether it may recognize speech.
@Suite(.serialized) struct AuthorizationPolicyTests {
  private func ask() async -> SFSpeechRecognizerAuthorizationStatus {
    await withCheckedContinuation { continuation in
      SFSpeechRecognizer.requestAuthorization { continuation.resume(returning: $0) }
    }
  }

  @Test(arguments: [SFSpeechRecognizerAuthorizationStatus.authorized, .denied, .restricted])
  func answerOfTheUserIsTheStatusFromThenOn(_ answer: SFSpeechRecognizerAuthorizationStatus) async {
    defer { SFSpeechRecognizer.AuthorizationPolicy.current = .init(.authorized) }
    SFSpeechRecognizer.AuthorizationPolicy.current = .init(.notDetermined, answer: answer)
    #expect(SFSpeechRecognizer.authorizationStatus() == .notDetermined)
    #expect(await ask() == answer)
    #expect(SFSpeechRecognizer.authorizationStatus() == answer)
  }

  @Test func decisionIsNotAskedForAgain() async {
    defer { SFSpeechRecognizer.AuthorizationPolicy.current = .init(.authorized) }
    SFSpeechRecognizer.AuthorizationPolicy.current = .init(.denied, answer: .authorized)
    #expect(await ask() == .denied)
  }

  @Test func speechIsAllowedByDefault() async {
    #expect(SFSpeechRecognizer.authorizationStatus() == .authorized)
    #expect(await ask() == .authorized)
  }
}
