/// The options of a verb in the groups of its help page. Verbs with few options have one group.
struct OptionGroups {
  /// The options that most people use.
  private(set) var usual: [Option]
  /// The options of recognition that the page of the verb explains.
  private(set) var recognition: [Option] = []
  /// The options of recognition that the page of the verb only names; `longhand help recognition` explains them.
  private(set) var shared: [Option] = []
  /// The options that few people need.
  private(set) var advanced: [Option] = []

  /// A list of up to this many options is short enough to read.
  private static let shortList = 12
  private static let rare: Set<Option> = [
    .raw, .filesFrom, .resume, .transcripts, .audioRoot, .wordTimestamps, .markWordless, .voiceAnalytics,
    .withEcho, .maximumLineWidth, .maximumLineCount, .captionOverlap, .jobs, .progress, .jsonErrors,
  ]

  /// Sorts the options of a verb into groups.
  init(_ options: [Option]) {
    usual = options
    guard options.count > Self.shortList else { return }
    let explained = Option.usualRecognition + [.voices]
    // A verb that does not recognize explains the option itself.
    let page = Option.recognitionPage.filter { $0 != .entities || options.contains(.model) }
    usual.removeAll { $0.isAmong(page) || $0.isAmong(Self.rare) }
    recognition = options.filter { $0.isAmong(explained) }
    shared = options.filter { $0.isAmong(page) && !$0.isAmong(explained) }
    advanced = options.filter { $0.isAmong(Self.rare) }
  }
}
