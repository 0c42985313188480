import Foundation
import RecognitionProtocol
import Testing

@Suite("Places of models")
struct ModelLocationsTests {
  @Test("are the recognizer's own and then the user's, or the one that is named")
  func order() {
    let environment = ["HOME": "/home/someone"]
    let user = "/home/someone/.local/share/speech-service/models"
    let all = ModelLocations.all(environment: environment, builtIn: ["/usr/share/model"])
    #expect(all == ["/usr/share/model", user])
    let named = environment.merging(["SPEECH_MODEL_PATH": "/named"]) { $1 }
    let one = ModelLocations.all(environment: named, builtIn: ["/usr/share/model"])
    #expect(one == ["/named"])
    #expect(ModelLocations.installation(environment: environment) == user)
    #expect(ModelLocations.installation(environment: named) == "/named")
    #expect(
      ModelLocations.installation(environment: ["XDG_DATA_HOME": "/data", "HOME": "/home/someone"])
        == "/data/speech-service/models")
  }

  @Test("have a model if all of its files are there, the first place first")
  func finding() throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("places-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    let places = ["first", "second"].map { root.appendingPathComponent($0).path }
    #expect(ModelLocations.find(locale: "en_US", in: places) == nil)
    for place in places.reversed() {
      for file in ["en-us/mdef", "en-us.lm.bin", "cmudict-en-us.dict"] {
        let found = ModelLocations.find(locale: "en_US", in: places)
        #expect(found == (place == places[0] ? places[1] + "/en-us" : nil))
        let url = URL(fileURLWithPath: place + "/en-us/" + file)
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data().write(to: url)
      }
    }
    #expect(ModelLocations.find(locale: "en-US", in: places) == places[0] + "/en-us")
  }
}
