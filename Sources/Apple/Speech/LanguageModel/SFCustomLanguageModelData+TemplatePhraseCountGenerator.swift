import Foundation

extension SFCustomLanguageModelData {
  /// Makes phrases of templates: every `<class>` in a template stands for any value of that class.
  public class TemplatePhraseCountGenerator: SFCustomLanguageModelData.PhraseCountGenerator {
    /// A pattern, and how many phrases it stands for.
    public struct Template: Hashable, Codable, TemplateInsertable {
      /// Words and names of classes, these within `<` and `>`.
      public let body: String
      /// How often phrases of this pattern are said, all together.
      public let count: Int

      /// A pattern and its count.
      public init(_ body: String, count: Int) {
        self.body = body
        self.count = count
      }

      /// Adds this to the generator.
      public func insert(generator: SFCustomLanguageModelData.TemplatePhraseCountGenerator) {
        generator.insert(template: body, count: count)
      }

      private enum CodingKeys: CodingKey { case body, count }

      /// Writes both.
      public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(body, forKey: .body)
        try container.encode(count, forKey: .count)
      }
    }

    /// Expands templates, one phrase at a time.
    ///
    /// The order is that of Apple's export: the first class of a template turns slowest, and each class goes from its
    /// last value to its first. A class that is named twice turns twice. The template's count is divided evenly and
    /// rounded down, but to no less than 1.
    public class Iterator: SFCustomLanguageModelData.PhraseCountGenerator.Iterator {
      private var templates: ArraySlice<Template>
      private let classes: [String: [String]]
      private var expansion: TemplateExpansion?

      /// An iterator over all expansions of `templates`.
      public init(templates: [TemplatePhraseCountGenerator.Template], templateClasses: [String: [String]]) {
        self.templates = templates[...]
        classes = templateClasses
      }

      /// The next phrase; nil after the last.
      /// - Throws: `SFSpeechError.undefinedTemplateClassName`; `.malformedSupplementalModel` for a template that
      ///   stands for no phrase, for too many to count, or less than once.
      override public func next() async throws -> SFCustomLanguageModelData.PhraseCount? {
        while true {
          if let phrase = expansion?.next() { return phrase }
          guard let template = templates.popFirst() else { return nil }
          expansion = try TemplateExpansion(template, classes: classes)
        }
      }
    }

    private(set) var templates: [Template] = []
    private(set) var classes: [String: [String]] = [:]

    /// A generator without templates.
    override public init() { super.init() }

    /// Adds a template.
    public func insert(template: String, count: Int) { templates.append(Template(template, count: count)) }

    /// Says what a class stands for; later definitions of the same name replace earlier ones.
    public func define(className: String, values: [String]) { classes[className] = values }

    /// A new iterator, at the first expansion of the first template.
    override public func makeAsyncIterator() -> SFCustomLanguageModelData.PhraseCountGenerator.Iterator {
      Iterator(templates: templates, templateClasses: classes)
    }

    override func isEqual(to other: PhraseCountGenerator) -> Bool {
      guard let other = other as? TemplatePhraseCountGenerator else { return false }
      return templates == other.templates && classes == other.classes
    }

    /// Whether both have the same templates and classes.
    public static func == (lhs: TemplatePhraseCountGenerator, rhs: TemplatePhraseCountGenerator) -> Bool {
      lhs.isEqual(to: rhs)
    }

    /// Hashes what `==` compares.
    override public func hash(into hasher: inout Hasher) {
      hasher.combine(templates)
      hasher.combine(classes)
    }

    private enum CodingKeys: CodingKey { case templates, classes }

    /// Writes the templates and the classes.
    override public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(templates, forKey: .templates)
      try container.encode(classes, forKey: .classes)
    }

    /// Reads what `encode(to:)` wrote.
    required public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      templates = try container.decode([Template].self, forKey: .templates)
      classes = try container.decode([String: [String]].self, forKey: .classes)
      super.init()
    }
  }
}
