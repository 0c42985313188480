#if os(Linux)
  import FileSupport
  import Foundation
  import ModelInstallation
  import ModelStorage

  /// What `longhand models list` prints.
  struct ModelListing: Encodable {
    /// A model that is installed, or that can be.
    struct Row: Encodable {
      struct WordErrors: Encodable {
        let percent: Double
        let source: String
      }

      let name: String
      let installed: Bool
      let languages: [String]
      /// What it costs on the disk, and to download; 0 if it cannot be downloaded.
      let bytes: Int64
      let downloadBytes: Int64
      let family: String?
      let streaming: Bool?
      let licence: String?
      let attribution: String?
      let wordErrors: WordErrors?
      /// Why it is recommended; nil if it is not.
      let recommended: String?
      let sha256: String?
      /// Why it cannot be used; nil if it can.
      let problem: String?

      /// - Parameter entry: what the catalogue says of it.
      init(_ model: InstalledModel, _ entry: ModelCatalogue.Entry?) {
        let description = model.description
        self.init(
          name: model.name, installed: true, languages: description.languages, bytes: model.size,
          family: description.family, licence: description.licence, entry: entry, sha256: model.digest,
          problem: model.missingProgram.map { "its program \($0) was not found" })
      }

      init(_ entry: ModelCatalogue.Entry) {
        self.init(
          name: entry.name, installed: false, languages: entry.languages, bytes: entry.installedSize,
          family: entry.family, licence: entry.licence, entry: entry)
      }

      init(_ broken: BrokenModel) {
        self.init(name: broken.name, installed: false, languages: [], bytes: 0, problem: broken.problem)
      }

      private init(
        name: String, installed: Bool, languages: [String], bytes: Int64, family: ModelFamily? = nil,
        licence: ModelDescription.Licence? = nil, entry: ModelCatalogue.Entry? = nil, sha256: String? = nil,
        problem: String? = nil
      ) {
        self.name = name
        self.installed = installed
        self.languages = languages
        self.bytes = bytes
        downloadBytes = entry?.downloadBytes ?? 0
        self.family = family?.rawValue
        streaming = family?.isStreaming
        self.licence = licence?.identifier
        attribution = licence?.attribution
        wordErrors = entry?.wordErrors.map { WordErrors(percent: $0.percent, source: $0.source) }
        recommended = entry?.recommendation
        self.sha256 = sha256
        self.problem = problem
      }
    }

    /// The installed ones first, then those that can be installed.
    let models: [Row]

    init(store: ModelStore, catalogue: ModelCatalogue) {
      let (installed, broken) = store.contents()
      let taken = Set(installed.map(\.name) + broken.map(\.name))
      models =
        installed.map { Row($0, catalogue.entry(named: $0.name)) } + broken.map { Row($0) }
        + catalogue.models.filter { !taken.contains($0.name) }.map { Row($0) }
    }

    var text: String {
      let installed = models.filter { $0.installed || $0.problem != nil }
      let available = models.filter { !$0.installed && $0.problem == nil }
      var text = "Installed:\n"
      text += installed.isEmpty ? "  none\n" : installed.map(Self.lines).joined()
      if !available.isEmpty {
        text += "\nAvailable (* recommended), with: longhand models install NAME\n"
        text += available.map(Self.lines).joined()
      }
      return text
    }

    private static func lines(_ row: Row) -> String {
      let mark = row.recommended == nil ? " " : "*"
      let name = row.name.escapingControls.padding(
        toLength: max(24, row.name.count), withPad: " ", startingAt: 0)
      if let problem = row.problem { return "\(mark) \(name)  cannot be used: \(problem.escapingControls)\n" }
      let size = (row.installed ? row.bytes : row.downloadBytes).asSize
      let kind = row.streaming == true ? ", live" : ""
      let purpose = row.family.flatMap { ModelFamily(rawValue: $0)?.otherPurpose }
      let licence = (row.licence ?? "unknown").escapingControls
      var text =
        "\(mark) \(name)  \(purpose ?? Locale.list(row.languages))\(kind), \(size), \(licence) licence\n"
      var notes: [String] = []
      if let reason = row.recommended { notes.append(reason) }
      if let errors = row.wordErrors { notes.append("\(errors.percent) % word errors: \(errors.source)") }
      for note in notes { text += "      \(note.escapingControls)\n" }
      return text
    }
  }

  /// What `longhand models licence` prints.
  struct ModelLicence: Encodable {
    let name: String
    let licence: String
    let attribution: String
    let url: String?
    let source: String?
    /// The text that came with the model.
    let full: String?

    /// - Throws: `ModelError` if the model is neither installed nor in the catalogue.
    init(_ name: String, store: ModelStore, catalogue: ModelCatalogue) throws {
      let entry = catalogue.entry(named: name)
      let model = store.installed().first { $0.name == name }
      if model == nil, entry == nil {
        let names = catalogue.models.map(\.name)
        let nearest = NearestName.suggestion(for: name, among: names + store.installed().map(\.name))
        throw ModelError(
          .notFound, "There is no model '\(name)'.",
          remedy: nearest.map { "Did you mean '\($0)'?" } ?? "Run 'longhand models list' to list the models.")
      }
      let stated = model?.description.licence ?? entry?.licence
      self.name = name
      licence = stated?.identifier ?? "unknown"
      attribution = stated?.attribution ?? ""
      url = entry?.licenceText.absoluteString
      source = model?.description.source ?? entry?.address?.absoluteString
      full = model.flatMap { model in
        model.description.file(.licence).flatMap { file in
          try? String(contentsOf: model.folder.appendingPathComponent(file.name), encoding: .utf8)
        }
      }
    }

    var text: String {
      var lines = ["\(name): \(licence)"]
      if !attribution.isEmpty { lines.append("Name: \(attribution)") }
      if let url { lines.append("Text: \(url)") }
      if let source { lines.append("From: \(source)") }
      lines = lines.map(\.escapingControls)
      if let full {
        lines +=
          [""]
          + full.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).escapingControls }
      }
      return lines.joined(separator: "\n") + "\n"
    }
  }
#endif
