import FileSupport
import Foundation
import Longhand

/// `longhand audit`: where a transcript that someone else made and the audio do not agree.
struct AuditCommand: Verb {
  private static let against = Option(
    "--against", value: "TEXTFILE", summary: "compare TEXTFILE with the session ID in place of AUDIO")
  private static let html = Option(
    "--html", value: "FILE", summary: "also write a page that plays the places; keep it beside AUDIO")
  private static let apply = Option(
    "-o", "--apply", value: "FILE", summary: "also write a corrected copy of TEXTFILE, each change labelled")
  private static let unclear = Option("--unclear", summary: "also list what was not heard clearly")
  private static let maxShift = Option(
    "--max-shift", value: "SEC", summary: "how much times may be off before they are wrong (default: 1)")

  static let description = VerbDescription(
    name: "audit",
    summary: "Find what is wrong in a transcript that someone else made",
    operands: "TEXTFILE AUDIO",
    discussion: """
      TEXTFILE is a transcript by another program or a person: txt, md, srt, vtt,
      html, docx, otr, or JSON of whisper, faster-whisper, WhisperX, whisper.cpp,
      OpenAI or Longhand. The report names sentences that are not said, speech that
      is not in TEXTFILE, words that are heard otherwise (numbers and names first),
      times that are off, and changes of the speaker inside a sentence. It says only
      what the audio allows: places that were not heard clearly are counted, and
      listed with --unclear. TEXTFILE never changes. The exit status is 3 if
      something is wrong. Both can be folders: then each text is compared with the
      audio of the same name. With --against, TEXTFILE is compared with what was
      recognized in a session of the library, and with the words that a person
      corrected there.
      """,
    options: [.reportJSON, html, apply, .force, unclear, maxShift, against, .library, .locale, .model] + [
      .jobs, .progress, .quiet,
    ],
    examples: [
      .init(purpose: "Check subtitles", command: "longhand audit talk.srt talk.mp4"),
      .init(
        purpose: "Write a page that plays each place, and a corrected copy",
        command: "longhand audit talk.srt talk.wav --html audit.html --apply new.srt"),
      .init(
        purpose: "Check a text against the last session", command: "longhand audit last --against talk.txt"),
    ])

  /// A text and its audio.
  private typealias Pair = (text: String, audio: String)

  private let pairs: [Pair]
  private let session: (reference: SessionReference, text: String)?
  private let isJSON: Bool
  private let listsUnclear: Bool
  private let maxShift: TimeInterval
  private let page: WholeFile?
  private let copy: WholeFile?
  private let options: TranscriberOptions
  private let jobs: JobCount
  private let progress: ProgressMeter.Style

  init(_ arguments: ParsedArguments) throws {
    if let text = arguments.value(Self.against) {
      session = (try SessionReference(arguments), text)
      pairs = []
    } else {
      let operands = try arguments.operands(named: ["TEXTFILE", "AUDIO"])
      session = nil
      pairs = try Self.pairs(operands[0], operands[1])
    }
    isJSON = arguments.has(.reportJSON)
    listsUnclear = arguments.has(Self.unclear)
    maxShift = try arguments.number(Self.maxShift, in: 0.1...3600) ?? 1
    let replaces = arguments.has(.force)
    page = arguments.value(Self.html).map { WholeFile(path: $0, replaces: replaces) }
    copy = arguments.value(Self.apply).map { WholeFile(path: $0, replaces: replaces) }
    guard pairs.count <= 1 || (page == nil && copy == nil) else {
      throw Failure.usage(
        "The options --html and --apply are for one text.", hint: "Name a text and its audio, not folders.")
    }
    try Self.checkAreSafe(
      session.map { [$0.text] } ?? pairs.flatMap { [$0.text, $0.audio] },
      from: [page, copy].compactMap { $0?.path })
    options = try TranscriberOptions(arguments)
    jobs = try JobCount(arguments)
    progress = try TranscriberOptions.progress(arguments)
  }

  /// Throws if an output would replace an input, or the other output.
  private static func checkAreSafe(_ inputs: [String], from outputs: [String]) throws {
    try OutputPlan.checkAreSafe(inputs.map(AudioInput.init), from: outputs)
    func place(_ path: String) -> String {
      let folder = PathName.folder(of: path)
      return PathName.join(folder.resolvedSystemName ?? folder, PathName.last(of: path))
    }
    guard outputs.count == 2 else { return }
    var status = stat()
    if stat(outputs[0].systemName, &status) == 0, status.isStream { return }
    if place(outputs[0]) == place(outputs[1]) || AudioInput(operand: outputs[0]).isSameFile(as: outputs[1]) {
      throw Failure.usage(
        "The options --html and --apply name one file.", hint: "Choose another name for one of them.")
    }
  }

  /// The text and the audio, or of two folders each text and the audio of the same name.
  private static func pairs(_ text: String, _ audio: String) throws -> [Pair] {
    let areFolders = [text, audio].map { path in
      var status = stat()
      return stat(path.systemName, &status) == 0 && status.isFolder
    }
    guard areFolders[0] || areFolders[1] else { return [(text, audio)] }
    guard areFolders == [true, true] else {
      throw Failure.usage(
        "TEXTFILE and AUDIO must both be files, or both folders.", hint: "Example: longhand audit texts talks"
      )
    }
    let recordings = try names(in: audio).filter {
      AudioFileSource.extensions.contains(PathName.fileExtension(of: $0))
    }
    let pairs = try names(in: text).filter { ClaimedTextReader.Format(fileName: $0) != nil }.compactMap {
      name in
      recordings.first { PathName.stem(of: $0) == PathName.stem(of: name) }
        .map { (PathName.join(text, name), PathName.join(audio, $0)) }
    }
    guard !pairs.isEmpty else {
      throw Failure(
        .empty, "No text has the name of a recording.", input: text,
        hint: "A pair is, for example, talk.srt and talk.wav.")
    }
    return pairs
  }

  private static func names(in folder: String) throws -> [String] {
    guard let names = folder.namesInFolder else {
      throw Failure(.unreadable, "Cannot read the folder.", input: folder, hint: "Check its permissions.")
    }
    return names.filter { !$0.hasPrefix(".") }
  }

  func run(_ console: Console) async throws -> Int32 {
    jobs.setServiceCount()
    for file in [page, copy].compactMap(\.self) { try file.check() }
    if let session {
      let claim = try claim(session.text)
      let (library, found) = try session.reference.open()
      let heard = try library.store.transcript(of: found.id)
      return try write(TextAudit(claim.text, heard: heard), claim.data, of: session.text, console)
    }
    AudioFileSource.prepare()
    var options = try await options.transcription()
    // What the recognizer considered, too, does not contradict a text.
    options.alternatives = max(options.alternatives, 10)
    let transcriber = FileTranscriber(options: options)
    let meter = ProgressMeter(names: pairs.map(\.text), style: progress, errors: console.errors)
    defer { meter.clear() }
    var status = ExitStatus.done
    for (index, pair) in pairs.enumerated() {
      defer { meter.finish(index) }
      do {
        let claim = try claim(pair.text)
        guard try !AudioInput(operand: pair.audio).check() else {
          throw Failure(
            .unreadable, "This is a pipe or a device, not a file.", input: pair.audio,
            hint: "Save the audio in a file.")
        }
        meter.begin(index)
        let audio = NamedFile(pair.audio)
        defer { withExtendedLifetime(audio) {} }
        var heard = try await transcriber.transcribe(audio.url) { [meter] progress in
          meter.update(index, processed: progress.processed, duration: progress.duration)
        }
        meter.finish(index)
        heard.source = AudioInput(operand: pair.audio).source
        console.report(heard.warnings, input: pair.audio)
        let found = try write(TextAudit(claim.text, heard: heard), claim.data, of: pair.text, console)
        if status != ExitStatus.failed { status = max(status, found) }
      } catch let closed as ClosedOutput {
        throw closed
      } catch {
        try Task.checkCancellation()
        let failure = Failure(error, input: pair.text)
        if failure.endsTheRun || pairs.count == 1 { throw failure }
        console.report(failure)
        status = ExitStatus.failed
      }
    }
    return status
  }

  private func claim(_ path: String) throws -> (text: ClaimedText, data: Data) {
    guard let format = ClaimedTextReader.Format(fileName: path) else {
      throw Failure(
        .malformed, "The name does not say what kind of text this is.", input: path,
        hint:
          "Use a file that ends in \(ClaimedTextReader.Format.allCases.map { ".\($0)" }.joined(separator: ", "))."
      )
    }
    guard copy == nil || format.hasPlaces else {
      throw Failure(
        .malformed, "Only txt, srt and vtt can be copied with changes.", input: path,
        hint: "Remove --apply; --html shows the changes of every format.")
    }
    guard try !AudioInput(operand: path).check() else {
      throw Failure(.unreadable, "This is a pipe or a device, not a file.", input: path, hint: "Name a file.")
    }
    let data: Data
    do {
      data = try NamedFile(path).withURL { try Data(contentsOf: $0, options: .mappedIfSafe) }
    } catch {
      throw Failure(.unreadable, "Cannot read the file.", input: path, hint: "Check its permissions.")
    }
    do {
      return (try ClaimedTextReader(file: path).read(data, format), data)
    } catch let error as EvaluationInputError {
      throw Failure(
        .malformed, "\(error)".replacingOccurrences(of: "\(path): ", with: ""), input: path,
        hint: "Is it really a file of this kind?")
    }
  }

  /// Writes the report, and the files that were asked for.
  /// - Returns: the exit status.
  private func write(
    _ audit: TextAudit, _ contents: Data, of path: String, _ console: Console
  ) throws -> Int32 {
    let report = audit.report(maxShift: maxShift)
    let heading = pairs.count > 1 ? "==> \(path.escapingControls) <==\n" : ""
    let json = pairs.count > 1 ? report.json.text + "\n" : report.json.document
    try console.output.flush(isJSON ? json : heading + report.text(listsUnclear: listsUnclear))
    try page?.write(AuditPage(report, title: PathName.last(of: path).readableName).html)
    if let copy, let corrected = report.corrected(contents) { try copy.write(corrected) }
    return report.hasFindings ? ExitStatus.found : ExitStatus.done
  }
}
