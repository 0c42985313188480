import Testing

@testable import LonghandCommand

@Suite struct HelpPageTests {
  @Test func overviewFitsAScreenAndNamesEveryVerb() {
    let lines = HelpPage.overview.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count <= 30)
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

  /// Runs the `longhand` part of each example through the parser and the verb's checks.
  @Test func everyExamplePassesTheVerbsChecks() throws {
    for verb in Verbs.all {
      for example in verb.description.examples {
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
}
