import Foundation
import LonghandRecording
import LonghandTranscripts
import SpeakerDiarization

/// What a remembered voice sounds like: to the networks that separate voices, or to the method that needs none.
package enum RememberedPrint: Sendable, Hashable {
  case embedded(VoicePrint)
  case network(NetworkPrint)

  /// Seconds of speech that it was made of, without pauses.
  package var seconds: TimeInterval {
    switch self {
    case .embedded(let print): print.seconds
    case .network(let print): print.seconds
    }
  }

  /// Whether it can be that of a voice.
  var isPossible: Bool {
    switch self {
    case .embedded(let print): print.isPossible
    case .network(let print): print.isPossible
    }
  }

  /// Whether it is of enough speech to be compared.
  var isLong: Bool {
    switch self {
    case .embedded(let print): print.seconds >= VoicePrint.minSeconds
    case .network(let print): print.seconds >= NetworkPrint.minSeconds
    }
  }

  /// How much voices must differ to be two.
  var limits: VoiceMargins.Limits {
    switch self {
    case .embedded: VoiceMargins.embedded
    case .network: VoiceMargins.network
    }
  }

  /// The network; nil for the method that needs none.
  var network: String? {
    guard case .network(let print) = self else { return nil }
    return print.network
  }

  /// How different two voices sound, from 0. Infinite if they were heard by different networks or methods.
  func distance(to other: RememberedPrint) -> Double {
    switch (self, other) {
    case (.embedded(let own), .embedded(let other)): own.distance(to: other)
    case (.network(let own), .network(let other)): own.distance(to: other)
    default: .infinity
    }
  }

  /// The print of the speech of both; nil if they cannot be compared.
  func adding(_ other: RememberedPrint) -> RememberedPrint? {
    switch (self, other) {
    case (.embedded(let own), .embedded(let other)): .embedded(own + other)
    case (.network(let own), .network(let other)) where own.network == other.network: .network(own + other)
    default: nil
    }
  }
}

extension RememberedPrint: Codable {
  private enum Keys: CodingKey {
    case network
  }

  package init(from decoder: any Decoder) throws {
    let isOfNetwork = try decoder.container(keyedBy: Keys.self).contains(.network)
    self = isOfNetwork ? .network(try NetworkPrint(from: decoder)) : .embedded(try VoicePrint(from: decoder))
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .embedded(let print): try print.encode(to: encoder)
    case .network(let print): try print.encode(to: encoder)
    }
  }
}

extension AudioSource {
  /// Seconds of speech that are enough for a print, and pauses inside of a part.
  private var limits: (speech: Double, pause: Double) { (300, 0.5) }

  /// The print of a voice by the networks that are installed, else by the method that needs none; also if the networks fail or
  /// hear nobody, as in a synthetic voice.
  /// - Parameter parts: where it speaks, in seconds.
  /// - Returns: nil if nothing can be said of the voice.
  /// - Throws: `TranscriptionError`, `CancellationError`.
  package func voicePrint(of parts: [ClosedRange<TimeInterval>]) async throws -> RememberedPrint? {
    if var diarizer = VoiceTurns.installedDiarizer() {
      do {
        try await forEachVoiceSample(in: joined(parts)) { try await diarizer.add($0) }
        // Parts of other voices, which the session has with a wrong label, are other voices here.
        _ = try await diarizer.turns(in: [], voices: nil)
        if let most = diarizer.prints.values.max(by: { $0.seconds < $1.seconds }) { return .network(most) }
      } catch let error as TranscriptionError {
        throw error
      } catch {
        try Task.checkCancellation()
      }
    }
    return try await voicePrints(of: parts.map { ($0, "voice") })["voice"].map { .embedded($0) }
  }

  /// Parts in the order of their times, without overlap and short pauses, until there is enough speech.
  private func joined(_ parts: [ClosedRange<TimeInterval>]) -> [ClosedRange<TimeInterval>] {
    var joined: [ClosedRange<TimeInterval>] = []
    for part in parts.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, part.lowerBound - last.upperBound <= limits.pause {
        joined[joined.count - 1] = last.lowerBound...max(last.upperBound, part.upperBound)
      } else if joined.reduce(0, { $0 + $1.upperBound - $1.lowerBound }) < limits.speech {
        joined.append(part)
      } else {
        break
      }
    }
    return joined
  }

  private func forEachVoiceSample(
    in parts: [ClosedRange<TimeInterval>], _ body: ([Int16]) async throws -> Void
  ) async throws {
    var (position, rest) = (0, parts[...].map { Int($0.lowerBound * rate)..<Int($0.upperBound * rate) }[...])
    try await forEachVoiceSample(to: (parts.last?.upperBound ?? 0) + 1) { samples in
      let range = position..<position + samples.count
      while let part = rest.first, part.lowerBound < range.upperBound {
        let own = part.clamped(to: range)
        try await body(Array(samples[own.lowerBound - position..<own.upperBound - position]))
        guard part.upperBound <= range.upperBound else { break }
        rest.removeFirst()
      }
      position = range.upperBound
    }
  }

  private var rate: Double { Double(VoiceDiarizer.sampleRate) }
}
