import AVFAudio
import Foundation
import Longhand

/// The sources that the server can record.
enum RecordingSources {
  /// The sources, and the default ones, as the API sends them.
  /// - Throws: `HTTPError`.
  static func members() throws -> [(key: String, value: JSONValue)] {
    let sources = try all().map { source in
      JSONValue.object([
        ("name", .string(source.name)), ("description", .string(source.description)),
        ("isMonitor", .boolean(source.isMonitor)),
      ])
    }
    // A computer without a microphone has its own output as the default source.
    let microphone = CaptureDevice.usual("microphone").flatMap { $0.isMonitor ? nil : $0 }
    return [
      ("sources", .array(sources)), ("microphone", microphone.map { .string($0.name) } ?? .null),
      ("monitor", CaptureDevice.usual("monitor").map { .string($0.name) } ?? .null),
    ]
  }

  /// One source, or several at once, each its own channel.
  /// - Parameters:
  ///   - names: names of sources, `microphone`, `monitor`, or `browser` alone; none for the default source.
  ///   - rate: the rate of a browser's microphone, in Hz.
  /// - Throws: `HTTPError`.
  static func capture(named names: [String], rate: Int? = nil) throws -> any AudioCapture {
    guard !names.isEmpty else { return EngineCapture() }
    if names.contains(BrowserCapture.source) {
      guard names.count == 1 else {
        throw HTTPError(
          .badRequest, "The browser's microphone is recorded alone. Name no other source.",
          parameter: "sources")
      }
      guard let rate, BrowserCapture.rates.contains(rate) else {
        throw HTTPError(
          .badRequest,
          "'sampleRate' must be the rate of the browser's audio, from \(BrowserCapture.rates.lowerBound) to "
            + "\(BrowserCapture.rates.upperBound) Hz.", parameter: "sampleRate")
      }
      return BrowserCapture(rate: rate)
    }
    let devices = try devices(named: names)
    return devices.count == 1 ? EngineCapture(source: devices[0]) : CombinedCapture(devices: devices)
  }

  private static func devices(named names: [String]) throws -> [CaptureDevice] {
    let all = try all()
    let devices = try names.prefix(8).map { name in
      guard let device = all.first(where: { $0.name == name }) ?? CaptureDevice.usual(name) else {
        throw HTTPError(
          .badRequest, "There is no source '\(name)'. GET /api/sources lists the sources.",
          parameter: "source")
      }
      return device
    }
    guard Set(devices).count == names.count else {
      throw HTTPError(.badRequest, "Name each source once, and at most 8 of them.", parameter: "sources")
    }
    return devices
  }

  private static func all() throws -> [CaptureDevice] {
    do {
      return try CaptureDevice.all()
    } catch {
      throw HTTPError(.unavailable, error.localizedDescription, code: "no_sound_server")
    }
  }
}
