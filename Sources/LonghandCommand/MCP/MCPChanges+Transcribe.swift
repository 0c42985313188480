import Longhand

/// The tool that transcribes a file and keeps nothing of it.
extension MCPChanges {
  var transcribeTool: MCPTools.Tool {
    let known = MCPFileTranscripts()
    return MCPTools.Tool(
      name: "transcribe", title: "Transcribe a file",
      description:
        "Transcribe an audio or video file of this computer. Nothing is stored: use 'import' for what is to be searched later.",
      parameters: MCPRecognition.parameters + [
        MCPParameter(
          "segment", .integer(0...Int(Int32.max)),
          "The number of the first segment: 'next' of the answer before. The file is not transcribed again."),
        .maxCharacters, MCPForm.include,
      ], isLong: true
    ) { arguments, progress in
      let work = try await MCPRecognition(arguments, try await transcriber(), scope.library)
      let transcript = try await known.transcript(arguments, of: work.path) {
        try await work.transcriber.transcribe(work.named.url) { progress($0.processed, $0.duration) }
      }
      return Self.document(transcript, from: arguments.integer("segment") ?? 0, MCPForm(arguments))
    }
  }

  private static func document(_ whole: Transcript, from first: Int, _ form: MCPForm) -> JSONValue {
    let transcript = whole.withoutEcho
    let names = Dictionary(transcript.speakers.map { ($0.id, $0.name) }) { first, _ in first }
    let written = transcript.writtenInSentences(names: transcript.names).segments
    var items = MCPItems(form)
    for (number, segment) in transcript.segments.enumerated().dropFirst(first) where !items.isFull {
      let shown = ShownSegment(
        number: number, segment: segment, written: written[number], normalized: nil, beginsParagraph: false)
      items.add(.object([("segment", .integer(number))] + MCPScope.members(of: shown, names, form)))
    }
    let next = first + items.values.count
    // The passages of the same part.
    let start = first > 0 ? transcript.segments.dropFirst(first).first?.start ?? .infinity : 0
    let end = transcript.segments.dropFirst(next).first?.start ?? .infinity
    let translation = transcript.translation.map { translation in
      var part = translation
      part.passages = translation.passages.filter { $0.start >= start && $0.start < end }
      return ("translation", JSONDocument.translation(part))
    }
    return MCPScope.document(
      [
        ("source", .string(transcript.source)), ("seconds", .seconds(transcript.duration)),
        ("locale", .string(transcript.locale)), ("segments", .array(items.values)),
        ("next", next < transcript.segments.count ? .integer(next) : .null),
        ("coverage", JSONDocument.coverage(transcript.coverage)),
      ] + (translation.map { [$0] } ?? [])
        + (transcript.warnings.isEmpty ? [] : [("warnings", JSONDocument.warnings(transcript.warnings))]))
  }
}
