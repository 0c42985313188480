import CPulse

/// Something that the sound server can record from: a microphone, or the monitor of an output.
///
/// Apple has no such thing: there `AVCaptureDevice` and `AVAudioSession.availableInputs` name inputs, and
/// what others play is recorded with ScreenCaptureKit. On Linux the monitor of an output is what that output
/// plays, such as the other side of a meeting.
///
/// ```swift
/// engine.inputNode.source = try CaptureDevice.all().first { $0.isMonitor }
/// ```
public struct CaptureDevice: Hashable, Sendable {
  /// The server's name of it, the same from one day to the next; what `PULSE_SOURCE` takes.
  public let name: String
  /// Its name for people, such as "Built-in Audio Analog Stereo".
  public let description: String
  /// Whether it is what an output plays.
  public let isMonitor: Bool
  /// Its rate in Hz.
  public let sampleRate: Double
  /// How many channels it has.
  public let channelCount: AVAudioChannelCount
  /// The server's codes of the places of its channels.
  private let positions: [pa_channel_position_t.RawValue]

  /// Everything that the sound server can record from, monitors among it.
  ///
  /// Waits for the server, at most 3 seconds. Throws an error that says what to do where there is no server.
  public static func all() throws -> [CaptureDevice] { try all(server: nil) }

  /// What is recorded where nothing is chosen: what `PULSE_SOURCE` names, else the server's default. Nil if
  /// there is no such source or no server. Waits for the server, at most 3 seconds.
  public static var `default`: CaptureDevice? { try? preferred(server: nil) }

  static func all(server: String?) throws -> [CaptureDevice] {
    try PulseConnection.briefly(server) { try $0.sources(by: $1) }
  }

  static func preferred(server: String?) throws -> CaptureDevice {
    try PulseConnection.briefly(server) { try $0.source(named: nil, by: $1) }
  }

  init(_ info: pa_source_info) {
    name = info.name.map { String(cString: $0) } ?? ""
    description = info.description.map { String(cString: $0) } ?? name
    // PA_INVALID_INDEX is a cast that the importer leaves out.
    isMonitor = info.monitor_of_sink != .max
    sampleRate = Double(info.sample_spec.rate)
    channelCount = AVAudioChannelCount(info.sample_spec.channels)
    positions = withUnsafeBytes(of: info.channel_map.map) {
      Array($0.bindMemory(to: pa_channel_position_t.RawValue.self).prefix(Int(info.channel_map.channels)))
    }
  }

  /// The places of the channels: with the source's own, the server mixes nothing.
  var channelMap: pa_channel_map {
    var map = pa_channel_map()
    map.channels = UInt8(positions.count)
    withUnsafeMutableBytes(of: &map.map) { places in
      positions.withUnsafeBytes { places.copyMemory(from: $0) }
    }
    return map
  }

  /// The standard format at the source's rate, with its channels; nil for a source without any.
  var format: AVAudioFormat? {
    if channelCount <= 2 {
      return AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: channelCount)
    }
    return AVAudioChannelLayout(discrete: channelCount).map {
      AVAudioFormat(standardFormatWithSampleRate: sampleRate, channelLayout: $0)
    }
  }
}
