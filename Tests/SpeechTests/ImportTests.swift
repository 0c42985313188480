import Speech
import Testing

/// What a file has that imports Speech alone, as programs for Apple's frameworks do.
@Suite struct ImportTests {
  @MainActor @Observable final class Model {
    var text = ""
    let engine = AVAudioEngine()
    let start = CMTime.zero
    let locale = Locale(identifier: "en_001")
  }

  @Test @MainActor func speechBringsObservationAndTheTypesOfItsInterface() async {
    let model = Model()
    await confirmation { changed in
      withObservationTracking {
        _ = model.text
      } onChange: {
        changed()
      }
      model.text = "one"
    }
    // The current locale where no language is set, as it is on Linux.
    #expect(
      await SpeechTranscriber.supportedLocale(equivalentTo: model.locale)?.identifier(.bcp47) == "en-US")
  }
}
