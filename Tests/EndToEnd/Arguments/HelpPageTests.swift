import Testing

@testable import LonghandCommand

@Suite struct HelpPageTests {
  private let sharedPage = HelpPage.recognition(for: Verbs.all.map { $0.description })

  @Test func overviewFitsAScreenAndNamesEveryVerb() {
    let lines = HelpPage.overview.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count <= 34)
    #expect(lines.allSatisfy { $0.count <= 80 })
    for verb in Verbs.all { #expect(HelpPage.overview.contains("\n  \(verb.description.name) ")) }
  }

  @Test func everyPageFitsItsWidthAndNamesEveryOption() {
    for verb in Verbs.all {
      let page = HelpPage.page(for: verb.description)
      #expect(page.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(verb.description.name)")
      for option in verb.description.allOptions { #expect(page.contains(option.name)) }
      #expect(!verb.description.examples.isEmpty)
    }
  }

  /// An option that no page explains cannot be used.
  @Test func everyOptionIsExplainedOnItsPageOrOnTheSharedPage() {
    for verb in Verbs.all {
      let pages = HelpPage.page(for: verb.description) + sharedPage
      for option in verb.description.allOptions {
        let names = option.names.joined(separator: ", ") + (option.value.map { " \($0)" } ?? "")
        #expect(pages.contains("\n  \(names)"), "\(verb.description.name) \(option.name)")
      }
    }
  }

  @Test func sharedPageFitsItsWidthAndHasOnlyOptionsOfRecognition() {
    #expect(sharedPage.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let entries = sharedPage.split(separator: "\n").filter { $0.hasPrefix("  -") }
    #expect(entries.count == Option.recognitionPage.count)
  }

  /// A verb refuses the options of recognition that it does not have, and the shared page says so.
  @Test func sharedPageNamesTheVerbsOfOptionsThatNotAllTake() throws {
    let page = sharedPage.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let verbs = Verbs.all.map { $0.description }.filter { verb in
      Option.recognition.allSatisfy { $0.isAmong(verb.options) }
    }
    for option in Option.recognitionPage {
      let entry = try #require(page.firstIndex { $0.hasPrefix("  \(option.names.joined(separator: ", "))") })
      // The paragraph's heading, which can have two lines.
      let start = page[..<entry].lastIndex(of: "") ?? 0
      let heading = page[start..<entry].filter { !$0.hasPrefix(" ") }.joined(separator: " ")
      for verb in verbs where heading.contains("(") || !option.isAmong(verb.options) {
        #expect(heading.contains(verb.name) == option.isAmong(verb.options), "\(option.name): \(heading)")
      }
    }
  }

  /// An option means what its verb does with it.
  @Test(arguments: [
    ("score", "--locale", "auto"), ("worker", "--format", "docx"), ("worker", "--format", "txt by default"),
    ("export", "--translate", "by the model"), ("record", "--normalize", "docx"),
    ("import", "--normalize", "docx"),
    ("serve", "--normalize", "docx"), ("evaluate", "--normalize", "docx"), ("worker", "--normalize", "docx"),
    ("align", "--jobs", "recordings"),
  ])
  func summaryIsThatOfTheVerb(_ name: String, _ option: String, _ wrong: String) throws {
    let verb = try #require(Verbs.all.first { $0.description.name == name })
    let found = try #require(verb.description.options.first { $0.name == option })
    #expect(!found.summary.contains(wrong), "\(found.summary)")
  }

  @Test func pageOfTranscribeIsShort() {
    let page = HelpPage.page(for: TranscribeCommand.description)
    #expect(page.split(separator: "\n", omittingEmptySubsequences: false).count <= 95)
  }

  /// Runs the `longhand` part of each example through the parser and the verb's checks.
  @Test func everyExamplePassesTheVerbsChecks() throws {
    for example in Verbs.all.flatMap({ $0.description.examples }) + HelpPage.recognitionExamples {
      for command in example.command.split(separator: "|") {
        // A word in quotes is one argument, as in a shell.
        let words = command.split(separator: ">")[0].matches(of: #/'([^']*)'|[^ ]+/#)
          .map { String($0.1 ?? $0.0) }
        guard words[0] == "longhand" else { continue }
        let named = try Verbs.named(words[1])
        _ = try named.init(named.description.parser.parse(Array(words.dropFirst(2))))
      }
    }
  }
}
