/// What the tests read of a transcript in JSON.
struct TranscriptDocument: Decodable {
  struct Word: Decodable {
    var text: String
    var start: Double
    var end: Double
  }

  struct Segment: Decodable {
    var language: String?
    var start: Double
    var end: Double
    var text: String
    var words: [Word]
  }

  struct Coverage: Decodable {
    var transcribed: Double
    var silent: Double
    var wordless: Double
    var nonspeech: Double
    var pending: Double
    var failed: Double
    var gaps: Double

    var sum: Double { transcribed + silent + wordless + nonspeech + pending + failed + gaps }
  }

  struct Model: Decodable {
    var name: String
    var sha256: String?
  }

  var version: Int
  var source: String
  var locale: String
  var engine: String
  var model: Model?
  var duration: Double
  var segments: [Segment]
  var coverage: Coverage
}
