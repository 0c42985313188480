import Foundation
import Longhand
import Testing

@testable import TranscriptApp

/// What the example app says and shows, without its views.
@Suite struct TranscriptAppTests {
  @Test func beginningAndEndAreAnnounced() {
    var controls = RecordingControls()
    #expect(controls.buttonTitle == "Record")
    #expect(controls.enter(.starting) == nil)
    #expect(!controls.isEnabled)
    #expect(controls.enter(.recording) == "Recording started")
    #expect(controls.enter(.recording) == nil)
    #expect(controls.buttonTitle == "Stop")
    #expect(controls.isEnabled)
    #expect(controls.enter(.stopping) == nil)
    #expect(!controls.isEnabled)
    #expect(controls.enter(.ready) == "Recording stopped")
    #expect(controls == RecordingControls())
  }

  @Test func eachPhaseHasItsHint() {
    var controls = RecordingControls()
    #expect(controls.buttonHint.hasPrefix("Records the microphone"))
    _ = controls.enter(.recording)
    #expect(controls.buttonHint.hasPrefix("Ends the recording"))
  }

  @Test(arguments: [
    (CaptureError.notPermitted as any Error, PrivacySettings.microphone, "Privacy_Microphone"),
    (TranscriptionError.notAuthorized("No."), .speechRecognition, "Privacy_SpeechRecognition"),
  ])
  func refusedPermissionHasItsPage(_ error: any Error, _ page: PrivacySettings, _ anchor: String) {
    var controls = RecordingControls()
    _ = controls.enter(.starting)
    #expect(controls.fail(error) == error.localizedDescription)
    #expect(controls.problem == error.localizedDescription)
    #expect(controls.settings == page)
    #expect(page.anchor == anchor)
    #expect(controls.phase == .ready)
    // The next attempt begins without the problem.
    _ = controls.enter(.starting)
    #expect(controls.problem == nil)
    #expect(controls.settings == nil)
  }

  @Test func errorOfARecordingEndsItAndNamesNoSettings() {
    var controls = RecordingControls()
    _ = controls.enter(.recording)
    let error = CaptureError.noInput("No microphone.")
    #expect(controls.fail(error) == "Recording stopped. \(error.localizedDescription)")
    #expect(controls.settings == nil)
  }

  @Test(arguments: [
    (-Double.infinity, 0.0, "Silent"), (-60, 0, "Quiet"), (-45, 0.25, "Quiet"), (-30, 0.5, "Good"),
    (-3, 0.95, "Too loud"), (0, 1, "Too loud"), (6, 1, "Too loud"),
  ])
  func levelIsABarAndAWord(_ decibels: Double, _ fraction: Double, _ word: String) {
    let reading = LevelReading(decibels: decibels)
    #expect(abs(reading.fraction - fraction) < 1e-9)
    #expect(reading.description == word)
  }

  @Test func lessMotionIsNoMotion() {
    #expect(LevelReading.animation(reducesMotion: true) == 0)
    #expect(LevelReading.animation(reducesMotion: false) > 0)
  }
}
