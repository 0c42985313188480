import Foundation

/// Why a person's change of the speakers is not possible.
package enum SpeakerError: Error, Sendable, Hashable, CustomStringConvertible {
  /// No speaker has this name or ID. The names of all are added.
  case unknown(String, known: [String])
  /// Another speaker has this name already.
  case taken(String)
  /// It cannot be the name of a speaker.
  case impossibleName(String)
  /// No person gave this speaker a name.
  case unnamed(String)
  /// Nobody was merged into this speaker.
  case notMerged(String)
  /// A number of voices was given for channels that were transcribed one by one.
  case separateChannels

  /// What is wrong, and what to do.
  package var description: String {
    switch self {
    case .unknown(let name, let known):
      known.isEmpty
        ? "No speaker is named '\(name)', because the speakers of this session are unknown."
        : "No speaker is named '\(name)'; the speakers are \(known.joined(separator: ", "))."
    case .taken(let name): "Another speaker is named '\(name)' already. Merge the two to make them one."
    case .notMerged(let name): "No other speaker was merged into '\(name)'."
    case .separateChannels:
      "The channels of the session were transcribed one by one, so the number of voices in each is not known."
    case .unnamed(let name):
      "'\(name)' has no name yet, so the voice cannot be remembered. Name it first: --rename '\(name)=NAME'."
    case .impossibleName(let name):
      "'\(name)' cannot be a speaker's name: it needs 1 to 100 characters on one line, with no ':' or ','."
    }
  }
}

extension SessionSpeakers {
  /// Gives a speaker another name.
  /// - Parameters:
  ///   - old: the name or the ID of the speaker.
  ///   - new: the new name.
  /// - Throws: `SpeakerError`.
  package mutating func rename(_ old: String, to new: String) throws(SpeakerError) {
    let index = try index(of: old)
    let name = try Self.checked(new)
    if let other = self.index(named: name), other != index {
      // What a person says wins over a guess, and over the name of a voice that is not there any more.
      let isGuess = entries[other].name == nil && entries[other].recognized != nil
      guard isGuess || isSilent(entries[other]) else { throw .taken(name) }
      (entries[other].name, entries[other].recognized) = (nil, nil)
    }
    entries[index].name = name
  }

  /// Makes two speakers one, which has the name and the ID of the first one.
  /// - Parameters:
  ///   - first: the name or the ID of the speaker that stays.
  ///   - second: the name or the ID of the one that becomes the first.
  /// - Throws: `SpeakerError`.
  package mutating func merge(_ first: String, _ second: String) throws(SpeakerError) {
    let (kept, merged) = (try index(of: first), try index(of: second))
    guard kept != merged else { return }
    entries[merged].mergedInto = entries[kept].id
  }

  /// Undoes the merges into a speaker: those who were merged stand for themselves again, with their own names.
  /// - Parameters:
  ///   - speaker: the name or the ID of the speaker.
  ///   - other: the ID of the one who is to stand alone again; nil for all.
  /// - Throws: `SpeakerError`; `notMerged` if nobody was merged into the speaker.
  package mutating func unmerge(_ speaker: String, only other: String? = nil) throws(SpeakerError) {
    let entry = entries[try index(of: speaker)]
    let merged = entries.indices.filter {
      entries[$0].mergedInto == entry.id && [nil, entries[$0].id].contains(other)
    }
    guard !merged.isEmpty else { throw .notMerged(entry.shownName) }
    for index in merged {
      let name = entries[index].shownName.lowercased()
      let isTaken = heard.contains { $0.shownName.lowercased() == name }
      entries[index].mergedInto = nil
      // Another speaker may have got the name meanwhile.
      if isTaken {
        entries[index].name = nil
        entries[index].recognized = nil
      }
    }
  }

  /// The ID of a speaker with a name or an ID, or of a new one with this name.
  /// - Throws: `SpeakerError`.
  mutating func personsChoice(_ speaker: String) throws(SpeakerError) -> String {
    if let index = index(named: speaker) { return entries[index].id }
    let name = try Self.checked(speaker)
    let number = (1...).first { number in !entries.contains { $0.id == "person\(number)" } } ?? 1
    entries.append(Entry(id: "person\(number)", name: name, basis: .person))
    return "person\(number)"
  }

  /// A name that a speaker can have, without white space around it.
  /// - Throws: `SpeakerError.impossibleName`.
  package static func checked(_ name: String) throws(SpeakerError) -> String {
    let trimmed = name.trimmingCharacters(in: .whitespacesAndNewlines)
    guard (1...100).contains(trimmed.count), !trimmed.contains(where: { ",:".contains($0) }),
      trimmed.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { throw .impossibleName(name) }
    return trimmed
  }

  /// The name that a speaker can have and that is most like a name from elsewhere, such as the title of a track; nil if nothing
  /// is left of it.
  package static func possible(_ name: String) -> String? {
    if let name = try? checked(name) { return name }
    let scalars = name.unicodeScalars.map { scalar -> Unicode.Scalar in
      scalar == "," || scalar == ":" || scalar.properties.generalCategory == .control ? " " : scalar
    }
    let words = String(String.UnicodeScalarView(scalars)).split(whereSeparator: \.isWhitespace)
    return try? checked(String(words.joined(separator: " ").prefix(100)))
  }

  /// The speaker with a name or an ID.
  /// - Throws: `SpeakerError`; `unnamed` if no person gave the speaker a name.
  package func personsEntry(of speaker: String) throws(SpeakerError) -> Entry {
    let entry = entries[try index(of: speaker)]
    if entry.name == nil { throw .unnamed(entry.shownName) }
    return entry
  }

  private func index(of speaker: String) throws(SpeakerError) -> Int {
    if let index = index(named: speaker) { return index }
    throw .unknown(speaker, known: entries.filter { $0.mergedInto == nil }.map(\.shownName))
  }

  /// The index of the speaker with a name, else of the one with this ID; after merges.
  private func index(named name: String) -> Int? {
    // A name that a silent voice keeps may be another's by now.
    let all = entries.indices.filter { entries[$0].mergedInto == nil }
    let standing = all.filter { !isSilent(entries[$0]) } + all.filter { isSilent(entries[$0]) }
    if let index = standing.first(where: { entries[$0].shownName == name }) { return index }
    if let index = standing.first(where: { entries[$0].shownName.lowercased() == name.lowercased() }) {
      return index
    }
    guard let id = resolved(name) else { return nil }
    return entries.firstIndex { $0.id == id }
  }
}
