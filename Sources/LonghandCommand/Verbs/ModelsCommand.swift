#if os(Linux)
  import FileSupport
  import Foundation
  import Longhand
  import ModelInstallation
  import ModelStorage

  /// `longhand models`: the recognizer's models, which are installed, imported, checked and removed here.
  struct ModelsCommand: Verb {
    private static let yes = Option("-y", "--yes", summary: "for install and remove: do not ask")
    private static let name = Option("--name", value: "NAME", summary: "for import: the model's name")
    private static let language = Option(
      "--language", value: "L[,L…]", summary: "for import: the model's languages, for example en or de,fr")

    static let description = VerbDescription(
      name: "models",
      summary: "List, install and remove models for words, speakers and punctuation",
      operands:
        "list | install MODEL | stop MODEL | import PATH | verify [MODEL] | remove MODEL | licence MODEL",
      discussion: """
        'list' shows the installed models, and those that 'install' can download. Most
        models recognize one or more languages. 'speakers' is for the option --speakers
        of other verbs, and 'punctuation-en' writes English punctuation and capitals if
        the recognizer writes none. A star (*) marks recommended models. The word error
        rates were published by others. If no model is installed, PocketSphinx
        recognizes American English, with many errors.
        'install' shows the host, the size and the licence, and asks before it
        downloads. It checks the download by SHA-256. 'stop' stops a download of
        another program. To continue an interrupted download, run the same command
        again. 'import' installs a model that is on this
        computer: a folder or an archive (tar or zip), a file of whisper.cpp (ggml,
        .bin), or a folder of faster-whisper, which is converted. 'verify' compares
        every file with its checksum. 'licence' shows the licence and the names to
        credit. Models are kept in speech-service/models in your data folder, or in
        $SPEECH_MODEL_PATH. Models for all users are in share/longhand/models of the
        installation. $SPEECH_MODEL_CATALOGUE names another list of models: a file or an
        address on this computer.
        """,
      options: [yes, name, language, .reportJSON, .progress, .quiet],
      examples: [
        .init(purpose: "List the models", command: "longhand models list"),
        .init(
          purpose: "Install the small English model",
          command: "longhand models install parakeet-tdt-110m-en"),
        .init(
          purpose: "Install a model from a folder on this computer",
          command: "longhand models import ~/model --name mine --language en"),
        .init(
          purpose: "Import a Whisper model that another program downloaded",
          command: "longhand models import ~/ggml-small.bin"),
      ])

    private enum Work {
      case list
      case install(String)
      case stop(String)
      case importing(path: String, name: String?, languages: [String])
      case verify(String?)
      case remove(String)
      case licence(String)
    }

    private let work: Work
    private let isJSON: Bool
    private let asks: Bool
    private let progress: ProgressMeter.Style

    init(_ arguments: ParsedArguments) throws {
      isJSON = arguments.has(.reportJSON)
      asks = !arguments.has(Self.yes)
      progress = try TranscriberOptions.progress(arguments)
      let action = arguments.operands.first ?? ""
      func operand(_ name: String) throws -> String { try arguments.operands(named: ["action", name])[1] }
      switch action {
      case "list":
        _ = try arguments.operands(named: ["action"])
        work = .list
      case "install": work = .install(try operand("NAME"))
      case "stop": work = .stop(try operand("NAME"))
      case "import":
        let languages = arguments.value(Self.language)?.split(separator: ",").map(String.init) ?? []
        work = .importing(
          path: try operand("PATH"), name: arguments.value(Self.name), languages: languages)
      case "verify":
        if arguments.operands.count > 1 { _ = try operand("NAME") }
        work = .verify(arguments.operands.dropFirst().first)
      case "remove": work = .remove(try operand("NAME"))
      case "licence", "license": work = .licence(try operand("NAME"))
      case "": throw Failure.usage("The verb models needs an action.", hint: "Example: longhand models list")
      default:
        let actions = ["list", "install", "stop", "import", "verify", "remove", "licence"]
        let nearest = NearestName.suggestion(for: action, among: actions)
        throw Failure.usage(
          "The verb models has no action '\(action)'.",
          hint: nearest.map { "Did you mean '\($0)'?" } ?? arguments.listing)
      }
      guard case .importing = work else {
        if let (option, _) = arguments.given([Self.name, Self.language]).first {
          throw Failure.usage("The option \(option) is only for import.", hint: arguments.listing)
        }
        return
      }
    }

    func run(_ console: Console) async throws -> Int32 {
      do {
        return try await perform(console)
      } catch let error as ModelError {
        throw Failure(error)
      }
    }

    private func perform(_ console: Console) async throws -> Int32 {
      let store = ModelStore()
      switch work {
      case .list:
        let listing = ModelListing(store: store, catalogue: try await ModelCatalogue.load())
        try console.output.write(isJSON ? JSONLine.string(listing) + "\n" : listing.text)
      case .install(let name): try await install(name, in: store, console)
      case .stop(let name):
        guard try await ModelInstaller.stop(name, in: store) else {
          throw Failure(
            .notFound, "The model '\(name)' is not being downloaded.",
            hint: "Run 'longhand models list' to list the models.")
        }
      case .importing(let path, let name, let languages):
        let importer = ModelImporter(store: store, catalogue: try await ModelCatalogue.load().models)
        let model = try importer.run(from: URL(fileURLWithPath: path), name: name, languages: languages)
        try report(model, "Imported", in: store, console)
      case .verify(let name): return try verify(name, in: store, console)
      case .remove(let name): return try await remove(name, from: store, console)
      case .licence(let name):
        let licence = try ModelLicence(name, store: store, catalogue: try await ModelCatalogue.load())
        try console.output.write(isJSON ? JSONLine.string(licence) + "\n" : licence.text)
      }
      return ExitStatus.done
    }

    private func report(
      _ model: InstalledModel, _ verb: String, in store: ModelStore, _ console: Console
    ) throws {
      try console.output.write(
        isJSON
          ? JSONLine.string(ModelListing.Row(model, nil)) + "\n"
          : "\(verb) \(model.name) (\(model.size.asSize)) in \(model.folder.path.escapingControls)\n"
      )
      guard model.description.family.recognizesWords else { return }
      let usual = store.usualLanguages(of: model)
      console.note(
        usual.isEmpty
          ? "It is used where --model \(model.name) names it; another model stays the usual one for its languages."
          : "From now on it is used for \(Locale.list(usual)), where no other model is named.")
    }

    // MARK: install

    private func install(_ name: String, in store: ModelStore, _ console: Console) async throws {
      let catalogue = try await ModelCatalogue.load()
      guard let entry = catalogue.entry(named: name) else {
        let nearest = NearestName.suggestion(for: name, among: catalogue.models.map(\.name))
        throw Failure(
          .notFound, "There is no model '\(name)' to install.",
          hint: nearest.map { "Did you mean '\($0)'?" } ?? "Run 'longhand models list' to list the models.")
      }
      if store.installed().contains(where: { $0.name == name }) {
        throw Failure(
          .outputExists, "The model '\(name)' is installed already.",
          hint: "To install it again: longhand models remove \(name)")
      }
      console.note(
        "\(name): \(entry.downloadBytes.asSize) from \(entry.host), "
          + "\(entry.installedSize.asSize) on the disk. Licence: \(entry.licence.identifier) "
          + "(\(entry.licenceText.absoluteString)), \(entry.licence.attribution).")
      if asks {
        guard Console.canAsk else {
          throw Failure.usage(
            "Cannot ask whether to download '\(name)', because standard input is not a terminal.",
            hint: "To accept the download and the licence, add: --yes")
        }
        guard try await console.confirms("Download and install it?") else {
          throw Failure(
            .incomplete, "Nothing was installed.", hint: "Run 'longhand models list' to choose another.")
        }
      }
      let meter = DownloadMeter(entry, style: progress, errors: console.errors)
      defer { meter.clear() }
      let model: InstalledModel
      do {
        model = try await ModelInstaller(entry, store: store).run { meter.update($0) }
      } catch is CancellationError where !Task.isCancelled {
        throw Failure(
          .incomplete, "The download of '\(name)' was stopped by another program.",
          hint: "To continue it: longhand models install \(name)")
      }
      meter.clear()
      try report(model, "Installed", in: store, console)
    }

    // MARK: verify and remove

    private struct Verification: Encodable {
      var name: String
      var isWhole: Bool
      var problem: String?
    }

    private func verify(_ name: String?, in store: ModelStore, _ console: Console) throws -> Int32 {
      let (models, broken) = store.contents()
      let names = name.map { [$0] } ?? (models.map(\.name) + broken.map(\.name)).sorted()
      // The name of no model is an error of its own.
      if let name, !broken.contains(where: { $0.name == name }) { _ = try store.model(named: name) }
      var isWhole = true
      for name in names {
        var error = broken.first { $0.name == name }?.error
        if error == nil {
          do { try store.verify(name) } catch let found as ModelError { error = found }
        }
        let result = Verification(name: name, isWhole: error == nil, problem: error?.problem)
        isWhole = isWhole && result.isWhole
        let isOwn = (try? store.checkIsOwn(name)) != nil
        let repair = isOwn ? "longhand models remove \(name)" : Installation.current.repair(model: name)
        let problem = error.map {
          $0.kind == .unsupported
            ? "cannot be used: \($0.problem) \($0.remedy)" : "damaged: \($0.problem) To repair it: \(repair)"
        }
        try console.output.write(
          isJSON
            ? JSONLine.string(result) + "\n"
            : "\(name.escapingControls): \((problem ?? "whole").escapingControls)\n"
        )
      }
      if names.isEmpty { console.note("No model is installed. To list the models: longhand models list") }
      return isWhole ? ExitStatus.done : ExitStatus.failed
    }

    private func remove(
      _ name: String, from store: ModelStore, _ console: Console
    ) async throws -> Int32 {
      let models = store.installed()
      try store.checkIsOwn(name)
      if asks, Console.canAsk {
        let size = models.first { $0.name == name }.map { " (\($0.size.asSize))" } ?? ""
        guard try await console.confirms("Remove the model \(name)\(size)?") else {
          console.note("Nothing was removed.")
          return ExitStatus.failed
        }
      }
      try store.remove(name)
      return ExitStatus.done
    }
  }

  extension Failure {
    /// The failure that describes an error of a model.
    init(_ error: ModelError) {
      let code: Code =
        switch error.kind {
        case .notFound: .notFound
        case .exists: .outputExists
        case .invalid: .usage
        case .malformed, .unsafeArchive, .unsupported: .malformed
        case .noSpace, .storage: .output
        case .network: .unreadable
        }
      self.init(code, error.problem, hint: error.remedy)
    }
  }
#endif
