import Foundation
import Testing

@testable import ModelStorage

@Suite struct ModelFamilyTests {
  @Test func streamingFamiliesSayItInTheirNames() {
    for family in ModelFamily.all {
      #expect(family.isStreaming == family.rawValue.contains("streaming"))
    }
  }

  /// They stand in the descriptions of installed models.
  @Test(arguments: [
    ("nemo-transducer", ModelFamily.nemoTransducer), ("nemo-streaming-transducer", .nemoStreamingTransducer),
    ("nemo-ctc", .nemoCTC), ("nemo-streaming-ctc", .nemoStreamingCTC),
    ("zipformer-streaming-transducer", .zipformerStreamingTransducer), ("sense-voice", .senseVoice),
    ("whisper-ggml", .whisperGGML), ("speakers", .speakers), ("punctuation", .punctuation),
  ])
  func namesAreThoseOfStoredDescriptions(name: String, family: ModelFamily) throws {
    let data = Data("[\"\(name)\"]".utf8)
    #expect(try JSONDecoder().decode([ModelFamily].self, from: data) == [family])
    #expect(try JSONEncoder().encode([family]) == data)
  }

  @Test func familyOfAnEarlierVersionIsAnErrorOfItsOwn() {
    func decode(_ name: String) throws {
      _ = try JSONDecoder().decode([ModelFamily].self, from: Data("[\"\(name)\"]".utf8))
    }
    for name in ["whisper", "moonshine", "zipformer-transducer"] {
      #expect(throws: ModelFamily.Retired.self) { try decode(name) }
    }
    #expect(throws: DecodingError.self) { try decode("paraformer") }
  }
}
