/// Networks that hear voices.
package protocol VoiceNetworks {
  /// What the windows are like.
  var layout: VoiceLayout { get }

  /// Who of the speakers of a window speaks in each of its frames, one bit each.
  func activity(in window: [Float]) throws -> [UInt16]

  /// What a voice sounds like.
  /// - Parameter bands: see ``VoiceBands``.
  func description(of bands: [Float]) throws -> [Float]
}

/// The windows in which a network hears who speaks.
package struct VoiceLayout: Sendable {
  /// Samples of a window.
  package let window: Int
  /// Samples that a frame depends on.
  let field: Int
  /// Samples from one frame to the next.
  let shift: Int
  /// The most speakers in one window.
  package let speakers: Int

  package init(window: Int, field: Int, shift: Int, speakers: Int) {
    (self.window, self.field, self.shift, self.speakers) = (window, field, shift, speakers)
  }
}

/// What is sent to the service that hears voices: the number of samples and then these, any number of times, and at the end 0 and
/// the number of voices. It answers with `NeuralVoices` in a `ServiceText`.
package enum VoiceRequest: Equatable {
  case samples([Int16])
  /// Who speaks when so far? With the number of voices; nil to find it.
  case now(voices: Int?)
  /// The number of voices; nil to find it.
  case end(voices: Int?)

  /// In place of a number of samples.
  private static let now = Int(UInt32.max)

  /// Takes a request from the beginning of what was received; nil if not all of it is there.
  package init?(removedFrom received: inout [UInt8]) {
    func number(at offset: Int) -> Int? {
      guard received.count >= offset + 4 else { return nil }
      return (0..<4).reduce(0) { $0 | Int(received[offset + $1]) << (8 * $1) }
    }
    guard let count = number(at: 0) else { return nil }
    if count == 0 || count == Self.now {
      guard let voices = number(at: 4).map({ $0 > 0 ? $0 : nil }) else { return nil }
      self = count == 0 ? .end(voices: voices) : .now(voices: voices)
      received.removeFirst(8)
      return
    }
    guard received.count >= 4 + 2 * count else { return nil }
    self = .samples(
      received[4..<4 + 2 * count].withUnsafeBytes { bytes in
        (0..<count).map { Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self)) }
      })
    received.removeFirst(4 + 2 * count)
  }

  /// What is sent.
  package var bytes: [UInt8] {
    func bytes(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    switch self {
    case .samples(let samples):
      return bytes(samples.count) + samples.map(\.littleEndian).withUnsafeBytes { Array($0) }
    case .now(let voices): return bytes(Self.now) + bytes(voices ?? 0)
    case .end(let voices): return bytes(0) + bytes(voices ?? 0)
    }
  }
}

/// Who speaks when, as the service answers.
package struct NeuralVoices: Codable, Equatable, Sendable {
  /// A part of a recording in which a voice speaks; others may speak too.
  package struct Turn: Codable, Equatable, Sendable {
    /// Seconds from the start of the audio.
    package var start: Double
    /// Seconds from the start of the audio.
    package var end: Double
    /// From 0.
    package var voice: Int
    /// How probable it is that it is this voice, 0 to 1.
    package var confidence: Double
  }

  /// What a voice sounds like. Prints of different networks cannot be compared.
  package struct Print: Codable, Equatable, Sendable {
    /// The voice of the turns.
    package var voice: Int
    /// Seconds in which it speaks alone, without pauses.
    package var seconds: Double
    /// A vector of length 1.
    package var values: [Float]
  }

  /// In the order of their start.
  package var turns: [Turn]
  /// One for each voice.
  package var prints: [Print]
  /// The turns if there were other numbers of voices.
  package var others: [[Turn]]?

  /// The number of voices that have turns.
  var number: Int { Set(turns.map(\.voice)).count }
}
