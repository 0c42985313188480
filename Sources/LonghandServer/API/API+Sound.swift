import Foundation
import Longhand

extension API {
  static let soundRoutes = [
    Route("GET", "/api/sessions/*/audio") { api, request, parameters in
      try api.audio(parameters[0], request)
    },
    Route("GET", "/api/sessions/*/waveform") { api, request, parameters in
      try api.waveform(parameters[0], request)
    },
  ]

  /// The sound, or a part of it. With `until` it is a file of so many seconds, which does not grow while it is played.
  private func audio(_ id: String, _ request: HTTPRequest) throws -> HTTPResponse {
    let folder = library.recording(of: try session(id).id)
    let sound = try StoredAudio(of: folder, limit: try request.seconds("until"))
    var response = HTTPResponse(
      headers: [HTTPHeader("Content-Type", "audio/wav"), HTTPHeader("Accept-Ranges", "bytes")])
    switch ByteRange(request.header("range"), of: sound.length) {
    case .whole:
      response.body = .content(SoundContent(sound, 0..<sound.length), length: sound.length)
    case .part(let range):
      response.status = 206
      response.headers.append(
        HTTPHeader(
          "Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(sound.length)"))
      response.body = .content(SoundContent(sound, range), length: UInt64(range.count))
    case .unsatisfiable:
      var error = HTTPError(.unsatisfiableRange, "the sound has \(sound.length) bytes")
      error.headers = [HTTPHeader("Content-Range", "bytes */\(sound.length)")]
      throw error
    }
    return response
  }

  private func waveform(_ id: String, _ request: HTTPRequest) throws -> HTTPResponse {
    let points = try request.integer("points", in: 1...4000, or: 800)
    let sound = try StoredAudio(of: library.recording(of: try session(id).id))
    let from = min(try request.seconds("from") ?? 0, sound.duration)
    let to = min(max(from, try request.seconds("to") ?? sound.duration), sound.duration)
    let peaks = try sound.peaks(from: from, to: to, points: points)
    return .json(
      .object([
        ("from", .seconds(from)), ("to", .seconds(to)),
        ("peaks", .array(peaks.map { .confidence($0) })),
      ]))
  }
}

/// Bytes of a recording's sound.
///
/// `@unchecked Sendable`: its connection's thread alone uses it.
final class SoundContent: HTTPContent, @unchecked Sendable {
  private static let piece = 64 << 10

  private let sound: StoredAudio
  private var rest: Range<UInt64>

  init(_ sound: StoredAudio, _ range: Range<UInt64>) {
    self.sound = sound
    rest = range
  }

  func next() throws -> Data? {
    guard !rest.isEmpty else { return nil }
    let bytes = try sound.bytes(at: rest.lowerBound, count: min(Self.piece, rest.count))
    rest = rest.lowerBound + UInt64(bytes.count)..<rest.upperBound
    return bytes.isEmpty ? nil : bytes
  }
}
