import Foundation
import LonghandTranscripts
import SpeakerDiarization

/// Voices that a person asked to remember, by their names: the only data about voices that are kept beyond a recording, in
/// a file of their own.
///
/// ```swift
/// let library = try Library(at: Library.defaultLocation)
/// let file = RememberedVoices.defaultLocation
/// try await library.rememberVoice(of: "Anna", in: session, at: file)
/// print(try RememberedVoices(at: file).voices.map(\.name))
/// _ = try RememberedVoices.forget(["Anna"], at: file)
/// ```
package struct RememberedVoices: Sendable, Hashable {
  /// The voice of a person.
  package struct Voice: Sendable, Hashable, Codable {
    /// The person's name.
    package let name: String
    /// One for each network or method, and for each kind of recording in which the voice sounds different, such as by telephone.
    var prints: [RememberedPrint]

    /// Seconds of speech that are known of the voice.
    package var seconds: TimeInterval { prints.reduce(0) { $0 + $1.seconds } }

    func distance(to print: RememberedPrint) -> Double { prints.map(print.distance).min() ?? .infinity }

    /// Whether the voice is known where a network, or the method that needs none, separates voices; else it must be remembered
    /// again.
    /// - Parameter network: its SHA-256; nil for the method that needs none.
    package func isKnown(to network: String?) -> Bool { prints.contains { $0.network == network } }
  }

  /// A voice that differs from the person's known prints gets one more, up to this number for each network or method.
  private static let maxPrints = 8

  /// In the order in which they were remembered first.
  package internal(set) var voices: [Voice] = []

  package init() {}

  /// The SHA-256 of the network that says what voices sound like; nil if none is installed.
  package static var installedNetwork: String? {
    #if os(Linux)
      NeuralDiarizer.installed()?.network
    #else
      nil
    #endif
  }

  /// Adds what is known of a voice.
  /// - Returns: what is known of it now.
  @discardableResult package mutating func remember(_ print: RememberedPrint, as name: String) -> Voice {
    guard let index = index(of: name) else {
      let voice = Voice(name: name, prints: [print])
      voices.append(voice)
      return voice
    }
    let near = voices[index].prints.indices.map { ($0, voices[index].prints[$0].distance(to: print)) }
      .min { $0.1 < $1.1 }
    if let near, near.1 < print.limits.sameSound, let sum = voices[index].prints[near.0].adding(print) {
      voices[index].prints[near.0] = sum
    } else {
      let same = voices[index].prints.indices.filter { voices[index].prints[$0].network == print.network }
      if same.count >= Self.maxPrints { voices[index].prints.remove(at: same[0]) }
      voices[index].prints.append(print)
    }
    return voices[index]
  }

  /// Erases the voices of people.
  /// - Parameter names: their names; empty for all.
  /// - Returns: the names that were erased.
  /// - Throws: `RememberedVoicesError.unknown`; then nothing is erased.
  package mutating func forget(_ names: [String] = []) throws(RememberedVoicesError) -> [String] {
    var indices: Set<Int> = names.isEmpty ? Set(voices.indices) : []
    for name in names {
      guard let index = index(of: name) else { throw .unknown(name, known: voices.map(\.name)) }
      indices.insert(index)
    }
    defer { voices = voices.indices.filter { !indices.contains($0) }.map { voices[$0] } }
    return indices.sorted().map { voices[$0].name }
  }

  private func index(of name: String) -> Int? {
    voices.firstIndex { $0.name == name } ?? voices.firstIndex { $0.name.lowercased() == name.lowercased() }
  }

  /// The person who has this voice; nil if it is like none, or like two.
  func person(with print: RememberedPrint) -> (name: String, distance: Double)? {
    guard print.isLong else { return nil }
    let sorted = voices.map { (name: $0.name, distance: $0.distance(to: print)) }
      .sorted { $0.distance < $1.distance }
    guard let first = sorted.first, first.distance < print.limits.sameVoice else { return nil }
    guard sorted.count < 2 || sorted[1].distance >= first.distance + print.limits.betweenPersons else {
      return nil
    }
    return first
  }
}

extension SessionSpeakers {
  /// Gives voices the names of people whose voices are remembered. A name goes to the voice that is most like it, if no one in
  /// the recording has it. Voices that a person named keep their names.
  /// - Parameter prints: of voices, by the IDs of their speakers.
  mutating func recognize(_ prints: [String: RememberedPrint], by remembered: RememberedVoices) {
    let found = prints.compactMap { id, print in remembered.person(with: print).map { (id, $0) } }
      .sorted { ($0.1.distance, $0.0) < ($1.1.distance, $1.0) }
    for (id, person) in found {
      let isTaken = heard.contains { $0.shownName.lowercased() == person.name.lowercased() }
      guard !isTaken,
        let index = entries.firstIndex(where: {
          $0.id == id && $0.basis == .voice && $0.name == nil && $0.mergedInto == nil
        })
      else { continue }
      entries[index].recognized = person.name
    }
  }
}
