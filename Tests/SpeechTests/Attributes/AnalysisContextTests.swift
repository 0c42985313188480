import Speech
import Testing

@Suite("AnalysisContext")
struct AnalysisContextTests {
  @Test func wordsAndDataAreStoredByTag() {
    let context = AnalysisContext()
    #expect(context.contextualStrings.isEmpty)
    #expect(context.userData.isEmpty)
    context.contextualStrings[.general] = ["gambit"]
    context.contextualStrings[.general, default: []].append("zugzwang")
    context.contextualStrings[.init("names")] = ["Sicilian"]
    context.userData[.init(rawValue: "session")] = 7
    let general = context.contextualStrings[AnalysisContext.ContextualStringsTag(rawValue: "general")]
    #expect(general == ["gambit", "zugzwang"])
    #expect(context.contextualStrings.count == 2)
    #expect(context.userData[.init("session")] as? Int == 7)
  }

  @Test func contextIsSafeOnManyThreads() async {
    let context = AnalysisContext()
    await withTaskGroup { group in
      for number in 0..<50 {
        group.addTask {
          context.contextualStrings = [.general: ["\(number)", "\(number)"]]
          context.userData = [.init("number"): number]
          let words = context.contextualStrings[.general] ?? []
          #expect(words.count == 2)
          #expect(words.first == words.last)
        }
      }
    }
  }
}
