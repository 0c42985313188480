import Foundation
import Longhand

/// The audio of sessions.
extension API {
  static let audioRoutes = [
    Route("GET", "/api/sessions/*/audio") { api, request, parameters in
      try api.audio(parameters[0], request)
    },
    Route("GET", "/api/sessions/*/waveform") { api, request, parameters in
      try api.waveform(parameters[0], request)
    },
  ]

  /// The audio file or a part of it. With `until`, it is a file of that many seconds, which does not grow while it is
  /// played.
  private func audio(_ id: String, _ request: HTTPRequest) throws -> HTTPResponse {
    let folder = library.recording(of: try session(id).id)
    let audio = try StoredAudio(of: folder, limit: try request.seconds("until"))
    var response = HTTPResponse(
      headers: [HTTPHeader("Content-Type", "audio/wav"), HTTPHeader("Accept-Ranges", "bytes")])
    switch ByteRange(request.header("range"), of: audio.length) {
    case .whole:
      response.body = .content(AudioContent(audio, 0..<audio.length), length: audio.length)
    case .part(let range):
      response.status = 206
      response.headers.append(
        HTTPHeader(
          "Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(audio.length)"))
      response.body = .content(AudioContent(audio, range), length: UInt64(range.count))
    case .unsatisfiable:
      var error = HTTPError(
        .unsatisfiableRange, "The range starts after the end of the audio, which has \(audio.length) bytes.")
      error.headers = [HTTPHeader("Content-Range", "bytes */\(audio.length)")]
      throw error
    }
    return response
  }

  private func waveform(_ id: String, _ request: HTTPRequest) throws -> HTTPResponse {
    let points = try request.integer("points", in: 1...4000, or: 800)
    let audio = try StoredAudio(of: library.recording(of: try session(id).id))
    let from = min(try request.seconds("from") ?? 0, audio.duration)
    let to = min(max(from, try request.seconds("to") ?? audio.duration), audio.duration)
    let peaks = try audio.peaks(from: from, to: to, points: points)
    return .json(
      .object([
        ("from", .seconds(from)), ("to", .seconds(to)),
        ("peaks", .array(peaks.map { .confidence($0) })),
      ]))
  }
}

/// The bytes of an audio file.
///
/// `@unchecked Sendable`: only the thread of its connection uses it.
private final class AudioContent: HTTPContent, @unchecked Sendable {
  private static let chunkSize = 64 << 10

  private let audio: StoredAudio
  private var rest: Range<UInt64>

  init(_ audio: StoredAudio, _ range: Range<UInt64>) {
    self.audio = audio
    rest = range
  }

  func next() throws -> Data? {
    guard !rest.isEmpty else { return nil }
    let bytes = try audio.bytes(at: rest.lowerBound, count: min(Self.chunkSize, rest.count))
    rest = rest.lowerBound + UInt64(bytes.count)..<rest.upperBound
    return bytes.isEmpty ? nil : bytes
  }
}
