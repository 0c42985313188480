import Foundation
import Longhand

/// `longhand speakers`: who spoke how much, and a person's names for them.
struct SpeakersCommand: Verb {
  private static let rename = Option(
    "--rename", value: "OLD=NEW",
    summary: "give a speaker another name; can be repeated, as can the next three"
  )
  private static let merge = Option(
    "--merge", value: "A,B", summary: "merge two speakers into one with the name of the first")
  private static let unmerge = Option(
    "--unmerge", value: "A", summary: "make the speakers that were merged into A speakers of their own again")
  private static let assign = Option(
    "--assign", value: "SEGMENT=NAME",
    summary: "say who speaks in a segment: a speaker of the session, or a new name")

  private static let remember = Option(
    "--remember", value: "NAME",
    summary: "remember the voice of a speaker with a name, to recognize it in other sessions; can be repeated"
  )

  static let description = VerbDescription(
    name: "speakers",
    summary: "List, name and merge the speakers of a session; remember voices",
    operands: "ID | remembered | forget [NAME…]",
    discussion: """
      ID is the ID of a session, its first characters, its name, or 'last'. Each line
      is a speaker: the share of the time, the share of the words, the name, and how
      the speaker is known: by the channel (a fact), by the voice (a guess, with the
      share of its words that is probably right), or because you said so. '--json'
      prints the same with IDs, seconds and counts.
      Each channel has its own speaker if the channels differ, or with the option
      '--channels separate' of other verbs. --speakers separates the speakers by
      their voices. It does not transcribe again, and the names of the voices are
      kept. 'longhand export ID --format json' and 'longhand explain ID' show the
      numbers of the segments. --assign also moves the turns beside the segment that
      only followed it: with the same label as it, less than 80 % sure, with no pause
      of more than a second between. Your names and corrections replace the guesses,
      and stay when the session is transcribed again. The words never change.
      Voices of other sessions are compared only with voices that Longhand remembers
      because you used --remember. From then on, '--speakers' of all verbs gives an
      unnamed voice the name of a remembered voice that sounds like it. The name is a
      guess, marked 'recognized'. Remembering a voice needs 20 s of its speech; you
      can add speech from other sessions. 'remembered' lists the remembered voices.
      'forget' erases the voices of the named people, or all. They are kept only in
      the file longhand-speakers/voices.json in your data folder (by default
      ~/.local/share), which only you can read. Deleting a session does not erase
      them. Names in sessions stay until the speakers are separated again.
      """,
    options: [.voices, rename, merge, unmerge, assign, remember, .library, .reportJSON],
    examples: [
      .init(purpose: "Show how much each speaker spoke", command: "longhand speakers last"),
      .init(
        purpose: "Name the speakers of a call",
        command: "longhand speakers last --rename channel1=Anna --rename channel2=Ben"),
      .init(purpose: "Correct who said segment 3", command: "longhand speakers last --assign 3=Ben"),
      .init(
        purpose: "Separate three speakers, without transcribing again",
        command: "longhand speakers last --speakers 3"),
      .init(
        purpose: "Recognize Anna in other sessions from now on",
        command: "longhand speakers last --rename 'Speaker 1=Anna' --remember Anna"),
      .init(purpose: "Erase the remembered voice of Anna", command: "longhand speakers forget Anna"),
    ])

  private enum Change {
    case rename(String, String)
    case merge(String, String)
    case unmerge(String)
    case assign(Int, String)
  }

  private enum Target {
    case session(SessionReference)
    case memory(VoiceMemoryAction)
  }

  private let target: Target
  private let changes: [Change]
  private let remembered: [String]
  private let voices: VoiceCount?
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    if let action = try VoiceMemoryAction(arguments) {
      let others = [Self.rename, Self.merge, Self.unmerge, Self.assign, Self.remember, .voices]
      if let (option, _) = arguments.given(others).first {
        throw Failure.usage("The option \(option) is about a session.", hint: arguments.listing)
      }
      target = .memory(action)
    } else {
      target = .session(try SessionReference(arguments))
    }
    remembered = arguments.given([Self.remember]).map(\.value)
    changes = try arguments.given([Self.rename, Self.merge, Self.unmerge, Self.assign]).map(Self.change)
    voices = try VoiceCount(arguments)
    isJSON = arguments.has(.reportJSON)
  }

  private static func change(_ given: (option: String, value: String)) throws -> Change {
    if given.option == unmerge.name { return .unmerge(given.value) }
    let separator: Character = given.option == merge.name ? "," : "="
    let parts = given.value.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      let form = [rename, merge, assign].first { $0.name == given.option }?.value ?? ""
      throw Failure.usage(
        "The option \(given.option) takes \(form), not '\(given.value)'.",
        hint: "Example: longhand speakers last --rename 'Speaker 1=Anna'")
    }
    switch given.option {
    case rename.name: return .rename(parts[0], parts[1])
    case merge.name: return .merge(parts[0], parts[1])
    default:
      guard let segment = Int(parts[0]), segment >= 0 else {
        throw Failure.usage(
          "'\(parts[0])' is not the number of a segment.",
          hint: "Example: longhand speakers last --assign 3=Ben")
      }
      return .assign(segment, parts[1])
    }
  }

  func run(_ console: Console) async throws -> Int32 {
    switch target {
    case .memory(let action): return try action.run(console)
    case .session(let reference): return try await run(reference, console)
    }
  }

  private func run(_ reference: SessionReference, _ console: Console) async throws -> Int32 {
    let (library, session) = try reference.open()
    if let voices {
      let warnings = try await separate(voices, in: session, library)
      console.report(warnings, input: String(session.id.prefix(8)))
    }
    try change(session, library, console)
    for name in remembered { try await VoiceMemoryAction.remember(name, in: session, library, console) }
    return try list(session, library, console)
  }

  private func change(_ session: RecordedSession, _ library: Library, _ console: Console) throws {
    if !changes.isEmpty {
      var segments: [Int: Segment] = [:]
      for case .assign(let number, _) in changes where segments[number] == nil {
        let segment = try library.store.segment(numbered: number, in: session.id)
        segments[number] = segment
        console.note(Self.meaning(of: number, segment))
      }
      do {
        let moved = try library.store.changeSpeakers(of: session.id, ifCurrent: Array(segments.values)) {
          [changes, segments] speakers, all in
          var moved: [String] = []
          for change in changes {
            switch change {
            case .rename(let old, let new): try speakers.rename(old, to: new)
            case .merge(let first, let second): try speakers.merge(first, second)
            case .unmerge(let speaker): try speakers.unmerge(speaker)
            case .assign(let number, let name):
              guard let segment = segments[number] else { continue }
              let assignment = try speakers.assign(segment, to: name, among: all())
              if let others = assignment.moved { moved.append("\(name) says segment \(number), \(others).") }
            }
          }
          return moved
        }
        for line in moved { console.note(line) }
      } catch let error as SpeakerError {
        throw Failure(
          .notFound, error.description, input: String(session.id.prefix(8)),
          hint: "'longhand speakers \(session.id.prefix(8))' lists the speakers.")
      }
    }
  }

  /// Which segment a typed number means: a division by another program changes the numbers after it.
  private static func meaning(of number: Int, _ segment: Segment) -> String {
    let words = segment.text.split(separator: " ").prefix(6).joined(separator: " ")
    return "Segment \(number) begins at \(Milliseconds(seconds: segment.start).clock): \(words)"
  }

  private func list(_ session: RecordedSession, _ library: Library, _ console: Console) throws -> Int32 {
    let report = SpeakerShares(of: try library.store.transcript(of: session.id))
    if isJSON {
      try console.output.write(JSONLine.string(report) + "\n")
      return ExitStatus.done
    }
    for row in report.speakers {
      try console.output.write(
        "\(Self.percent(row.timeShare)) of the time  \(Self.percent(row.wordShare)) of the words  "
          + "\(row.name.escapingControls)  (\(Self.basis(of: row)))\n"
      )
    }
    if report.speakers.isEmpty {
      let id = session.id.prefix(8)
      let manifest = try? RecordingManifest(of: library.recording(of: session.id))
      console.note(
        manifest?.format.channels ?? 1 > 1
          ? "The speakers of this session are unknown. If each channel has its own speaker, run 'longhand "
            + "retranscribe \(id) --channels separate'."
          : "The speakers of this session are unknown. To separate them by their voices, run 'longhand speakers "
            + "\(id) --speakers auto'.")
    } else if report.unknownWords > 0 {
      console.note("\(report.unknownWords) words have no known speaker.")
    }
    return ExitStatus.done
  }

  private static func basis(of row: SpeakerShares.Row) -> String {
    let sure = row.confidence.map { ", \(String(format: "%.0f", $0 * 100)) % sure" } ?? ""
    return row.basis.rawValue + (row.nameBasis == nil ? "" : ", recognized") + sure
  }

  /// Separates the voices. Their number can be given for a mix only.
  private func separate(_ voices: VoiceCount, in session: RecordedSession, _ library: Library) async throws
    -> [TranscriptWarning]
  {
    let id = String(session.id.prefix(8))
    guard session.state.isFinal else {
      throw Failure(
        .library, "The session is not complete yet.", input: id,
        hint: "If it is not being recorded now, finish it with 'longhand recover'.")
    }
    do {
      return try await library.separateVoices(
        in: session.id, voices, remembered: RememberedVoices.defaultLocation)
    } catch let error as SpeakerError {
      throw Failure.usage(
        error.description, hint: "Use --speakers auto, which finds the voices in each channel.")
    }
  }

  private static func percent(_ share: Double) -> String {
    let text = String(format: "%.0f %%", share * 100)
    return String(repeating: " ", count: max(0, 5 - text.count)) + text
  }
}
