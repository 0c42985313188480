import Foundation

extension SFCustomLanguageModelData {
  /// Generates phrases when the data is exported. This class generates none; its subclasses do.
  public class PhraseCountGenerator: Hashable, Codable, AsyncSequence, DataInsertable {
    /// Iterates over the phrases.
    public typealias AsyncIterator = SFCustomLanguageModelData.PhraseCountGenerator.Iterator
    /// A phrase and its count.
    public typealias Element = SFCustomLanguageModelData.PhraseCount

    /// Returns one phrase after the other.
    public class Iterator: AsyncIteratorProtocol {
      /// A phrase and its count.
      public typealias Element = SFCustomLanguageModelData.PhraseCount

      init() {}

      /// The next phrase; nil after the last one.
      public func next() async throws -> SFCustomLanguageModelData.PhraseCount? { nil }
    }

    /// Creates a generator without phrases.
    public init() {}

    /// Creates an iterator that starts at the first phrase.
    public func makeAsyncIterator() -> SFCustomLanguageModelData.PhraseCountGenerator.Iterator { Iterator() }

    /// Adds the generator to the data.
    public func insert(data: SFCustomLanguageModelData) { data.insert(phraseCountGenerator: self) }

    /// Whether `other` generates the same phrases.
    func isEqual(to other: PhraseCountGenerator) -> Bool { type(of: self) == type(of: other) }

    /// Whether both belong to the same class and generate the same phrases.
    public static func == (lhs: PhraseCountGenerator, rhs: PhraseCountGenerator) -> Bool {
      lhs === rhs || lhs.isEqual(to: rhs)
    }

    /// Hashes the properties that `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type(of: self))) }

    /// Encodes nothing.
    public func encode(to encoder: any Encoder) throws {}

    /// Decodes nothing.
    required public init(from decoder: any Decoder) throws {}
  }

  /// Templates and the classes that they use.
  public struct PhraseCountsFromTemplates: DataInsertable {
    private let generator = TemplatePhraseCountGenerator()

    /// Creates templates with a result builder.
    public init(
      classes: [String: [String]],
      @SFCustomLanguageModelData.TemplateInsertableBuilder builder: () -> any TemplateInsertable
    ) {
      for (name, values) in classes { generator.define(className: name, values: values) }
      builder().insert(generator: generator)
    }

    /// Adds the templates to the data.
    public func insert(data: SFCustomLanguageModelData) { data.insert(phraseCountGenerator: generator) }
  }

  /// Generates phrases from templates: each `<class>` in a template is replaced by every value of that class.
  public class TemplatePhraseCountGenerator: SFCustomLanguageModelData.PhraseCountGenerator {
    /// A pattern with classes, and the total count of its phrases.
    public struct Template: Hashable, Codable, TemplateInsertable {
      /// Words, and names of classes in `<` and `>`.
      public let body: String
      /// How often phrases of this pattern are spoken in total.
      public let count: Int

      /// Creates a template.
      public init(_ body: String, count: Int) {
        self.body = body
        self.count = count
      }

      /// Adds the template to the generator.
      public func insert(generator: SFCustomLanguageModelData.TemplatePhraseCountGenerator) {
        generator.insert(template: body, count: count)
      }

      private enum CodingKeys: CodingKey { case body, count }

      /// Encodes the pattern and its count.
      public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(body, forKey: .body)
        try container.encode(count, forKey: .count)
      }
    }

    /// Expands templates, one phrase at a time.
    ///
    /// The order is that of Apple's export: the first class of a template changes slowest, and each class runs from its
    /// last value to its first. A class that occurs twice is expanded twice. The template's count is divided evenly among
    /// the phrases and rounded down, but each phrase counts at least 1.
    public class Iterator: SFCustomLanguageModelData.PhraseCountGenerator.Iterator {
      private var templates: ArraySlice<Template>
      private let classes: [String: [String]]
      private var expansion: TemplateExpansion?

      /// Creates an iterator over all expansions of `templates`.
      public init(templates: [TemplatePhraseCountGenerator.Template], templateClasses: [String: [String]]) {
        self.templates = templates[...]
        classes = templateClasses
      }

      /// The next phrase; nil after the last one.
      /// - Throws: `SFSpeechError.undefinedTemplateClassName`; `.malformedSupplementalModel` if a template has no
      ///   expansion, more than can be counted, or a count below 1.
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

    /// Creates a generator without templates.
    override public init() { super.init() }

    /// Adds a template.
    public func insert(template: String, count: Int) { templates.append(Template(template, count: count)) }

    /// Defines the values of a class. A later definition of the same name replaces the earlier one.
    public func define(className: String, values: [String]) { classes[className] = values }

    /// Creates an iterator that starts at the first expansion of the first template.
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

    /// Hashes the properties that `==` compares.
    override public func hash(into hasher: inout Hasher) {
      hasher.combine(templates)
      hasher.combine(classes)
    }

    private enum CodingKeys: CodingKey { case templates, classes }

    /// Encodes the templates and the classes.
    override public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(templates, forKey: .templates)
      try container.encode(classes, forKey: .classes)
    }

    /// Decodes the templates and the classes.
    required public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      templates = try container.decode([Template].self, forKey: .templates)
      classes = try container.decode([String: [String]].self, forKey: .classes)
      super.init()
    }
  }
}
