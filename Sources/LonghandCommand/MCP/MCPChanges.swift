import Foundation
import Longhand

/// The tools that change the library, which exist only if the user allows it. The only thing that one erases is
/// an import that is not complete, whose file is elsewhere.
struct MCPChanges: Sendable {
  let scope: MCPScope
  /// Makes what transcribes; called for each import, because models can be installed meanwhile.
  let transcriber: @Sendable () async throws -> FileTranscriber

  var tools: [MCPTools.Tool] {
    [
      MCPTools.Tool(
        name: "import", title: "Import a file",
        description:
          "Copy an audio or video file of this computer into the library and transcribe it. If the call is "
          + "cancelled, 'longhand recover' continues.",
        parameters: MCPRecognition.parameters + [MCPParameter("name", .text, "A name for the session.")],
        changes: true, isLong: true
      ) { try await importFile($0, $1) },
      MCPTools.Tool(
        name: "correct", title: "Correct words",
        description:
          "Replace wrongly recognized words of a segment. The recognized words are kept, and the change can be undone.",
        parameters: [
          .session(),
          MCPParameter("key", .integer(0...Int(Int32.max)), "The key of the segment.", required: true),
          MCPParameter(
            "revision", .integer(0...Int(Int32.max)), "The revision of the segment that was read.",
            required: true),
          MCPParameter("recognized", .text, "The words as they are in the segment.", required: true),
          MCPParameter("text", .text, "The words in their place.", required: true),
        ], changes: true
      ) { arguments, _ in
        try correct(
          try arguments.required("recognized"), to: try arguments.required("text"),
          key: arguments.integer("key") ?? 0, revision: arguments.integer("revision") ?? 0,
          of: try arguments.required("session"))
      },
      MCPTools.Tool(
        name: "stop", title: "Stop work",
        description:
          "Stop what is done with a session, or waits to be done: an import, a recording, a transcription. What was "
          + "transcribed is kept, and 'longhand recover ID' continues it.",
        parameters: [.session()], changes: true
      ) { arguments, _ in try await stop(try arguments.required("session")) },
      MCPTools.Tool(
        name: "remove", title: "Remove an unfinished import",
        description:
          "Stop the import of a file that is not complete, and erase its session. The file itself is not changed.",
        parameters: [.session()], changes: true, erases: true
      ) { arguments, _ in try await remove(try arguments.required("session")) },
      MCPTools.Tool(
        name: "stop_watching", title: "Stop watching the folder",
        description: "Stop importing the files that arrive in the folder that 'longhand serve' watches.",
        parameters: [], changes: true
      ) { _, _ in
        MCPScope.document([("wasWatching", .boolean(try await scope.library.stopWatching()))])
      },
      MCPTools.Tool(
        name: "rename", title: "Name a session or a speaker",
        description: "Give a session a name, or name one of its speakers.",
        parameters: [
          .session(),
          MCPParameter("speaker", .text, "The speaker's name so far; without it, the session is named."),
          MCPParameter("name", .text, "The new name.", required: true),
        ], changes: true
      ) { arguments, _ in
        try rename(
          try arguments.required("session"), speaker: arguments.text("speaker"),
          to: try arguments.required("name"))
      },
      transcribeTool,
    ]
  }

  private func importFile(
    _ arguments: MCPArguments, _ progress: @escaping MCPTools.Progress
  ) async throws -> JSONValue {
    let library = scope.library
    // Before hours of work.
    if let name = arguments.text("name") { try library.store.check(name: name) }
    let work = try await MCPRecognition(arguments, try await transcriber(), library)
    let options = work.transcriber.options
    let steps = options.translates ? 2 : 1
    func report(_ step: Int) -> @Sendable (FileTranscriber.Progress) -> Void {
      {
        let done = $0.inStep(step, of: steps)
        progress(done.processed, done.duration)
      }
    }
    let session = try await library.importFile(
      work.named.url, name: work.file.source, by: work.transcriber, progress: report(0))
    // Otherwise the program could not read what it imported.
    if let tag = scope.filter.tag {
      try library.store.annotate(session.id, SessionAnnotation(tags: [tag], tagsBefore: []))
    }
    if let name = arguments.text("name") { try library.store.rename(session.id, to: name) }
    var note: [(key: String, value: JSONValue)] = []
    if options.translates {
      // The session is complete: a failure here costs only the second text.
      do { try await library.translate(session.id, by: options, progress: report(1)) } catch let error
        as TranscriptionError
      {
        note = [("problem", .string("The text could not be translated: \(error.explanation)."))]
      }
    }
    return MCPScope.document(scope.members(of: try scope.session(session.id), MCPForm()) + note)
  }

  private func stop(_ name: String) async throws -> JSONValue {
    let session = try scope.session(name).id
    let isStopped = try await scope.library.stop(session)
    return MCPScope.document(
      [("wasWorking", .boolean(isStopped))] + scope.members(of: try scope.session(session), MCPForm()))
  }

  private func remove(_ name: String) async throws -> JSONValue {
    let session = try scope.session(name)
    let isImport = (try? RecordingManifest(of: scope.library.recording(of: session.id)))?.origin != nil
    guard isImport, !session.state.isFinal else {
      throw Failure(
        .library, "The session '\(name)' is \(isImport ? "complete" : "not the import of a file").",
        hint: "Only the user can delete it, with 'longhand delete \(session.id.prefix(8))'.")
    }
    try await scope.library.stopAndErase(session.id)
    return MCPScope.document([("removed", .string(session.id))])
  }

  private func correct(
    _ words: String, to text: String, key: Int, revision: Int, of name: String
  ) throws -> JSONValue {
    let (store, session) = (scope.library.store, try scope.session(name))
    let segment = try store.segment(key, in: session.id)
    let places = TextFinder(words, isWhole: true).matches(in: segment.words.map(\.text))
    // A segment that was changed meanwhile is refused as such.
    guard segment.revision != revision || places.count == 1 else {
      throw Failure(
        .notFound,
        places.isEmpty
          ? "The segment with the key \(key) does not have the words '\(words)'."
          : "The segment with the key \(key) has the words '\(words)' \(places.count) times.",
        hint: places.isEmpty ? nil : "Name the words around them too.")
    }
    guard let place = places.first, segment.revision == revision else {
      throw Failure(
        .library,
        "The segment was changed meanwhile. Its revision is now \(segment.revision), and its text: \(segment.text)",
        hint: "Repeat the change with this revision, if it still fits.")
    }
    let new = try store.correct(
      place.words, to: place.prefix + text + place.suffix, of: key, in: session.id, ifRevision: revision)
    return MCPScope.document([
      ("session", .string(session.id)), ("key", .integer(key)), ("text", .string(new.text)),
      ("revision", .integer(new.revision)),
    ])
  }

  private func rename(_ name: String, speaker: String?, to new: String) throws -> JSONValue {
    let session = try scope.session(name)
    if let speaker {
      do {
        try scope.library.store.changeSpeakers(of: session.id) { try $0.rename(speaker, to: new) }
      } catch let error as SpeakerError {
        throw Failure(.notFound, error.description, input: speaker)
      }
    } else {
      try scope.library.store.rename(session.id, to: new)
    }
    return MCPScope.document(scope.members(of: try scope.session(session.id), MCPForm()))
  }
}
