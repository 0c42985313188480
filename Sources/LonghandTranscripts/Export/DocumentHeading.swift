import Foundation

/// What a document for readers begins with: the title, and when, how long, in which languages and by whom was spoken.
struct DocumentHeading {
  /// The name that a person gave the recording, else that of its file without the extension.
  let title: String
  /// The date, the length, the languages and the people, as far as they are known.
  let facts: [String]

  init(_ transcript: Transcript) {
    title = RecordingTitle(name: transcript.title, source: transcript.source).text
    let people = transcript.speakers.map { LineText.of($0.name) }.joined(separator: ", ")
    facts =
      (transcript.date.map { [Self.date.format($0)] } ?? [])
      + [Milliseconds(seconds: transcript.duration).clock, Self.languages(of: transcript)]
      + (people.isEmpty ? [] : [people])
  }

  /// Such as `28 November 2026 at 09:05`, in the time zone of this machine.
  private static var date: Date.FormatStyle {
    Date.FormatStyle(locale: Locale(identifier: "en_GB")).day().month(.wide).year()
      .hour(.twoDigits(amPM: .omitted)).minute(.twoDigits)
  }

  /// The names of the languages that are spoken, in the order in which they begin.
  private static func languages(of transcript: Transcript) -> String {
    let spoken = transcript.segments.map { $0.language ?? transcript.locale }
    return (spoken.isEmpty ? [transcript.locale] : spoken).reduce(into: [String]()) { names, code in
      let name = LineText.of(Locale.englishName(of: code))
      if !names.contains(name) { names.append(name) }
    }.joined(separator: ", ")
  }
}
