import Testing

@testable import LonghandCommand

@Suite struct HelpPageTests {
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
      let pages = HelpPage.page(for: verb.description) + HelpPage.recognition
      for option in verb.description.allOptions {
        let names = option.names.joined(separator: ", ") + (option.value.map { " \($0)" } ?? "")
        #expect(pages.contains("\n  \(names)"), "\(verb.description.name) \(option.name)")
      }
    }
  }

  @Test func sharedPageFitsItsWidthAndHasOnlyOptionsOfRecognition() {
    #expect(HelpPage.recognition.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let entries = HelpPage.recognition.split(separator: "\n").filter { $0.hasPrefix("  -") }
    #expect(entries.count == Option.recognitionPage.count)
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
