import ModelStorage
import Testing

@Suite struct ModelFamilyTests {
  @Test func streamingFamiliesSayItInTheirNames() {
    for family in ModelFamily.allCases {
      #expect(family.isStreaming == family.rawValue.contains("streaming"))
    }
  }
}
