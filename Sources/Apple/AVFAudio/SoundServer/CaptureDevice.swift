import CPulse

/// A source of the sound server: a microphone, or the monitor of an output.
///
/// The monitor of an output has the audio that the output plays, for example the other side of a meeting. Apple has no
/// such type: there, `AVCaptureDevice` and `AVAudioSession.availableInputs` list inputs, and ScreenCaptureKit records what
/// other programs play.
///
/// ```swift
/// import AVFAudio
///
/// let engine = AVAudioEngine()
/// engine.inputNode.source = try CaptureDevice.all().first { $0.isMonitor }
/// ```
public struct CaptureDevice: Hashable, Sendable {
  /// The name in the sound server. It stays the same after a restart, and `PULSE_SOURCE` accepts it.
  public let name: String
  /// The name for people, such as "Built-in Audio Analog Stereo".
  public let description: String
  /// Whether this is the monitor of an output.
  public let isMonitor: Bool
  /// The sample rate in Hz.
  public let sampleRate: Double
  /// The number of channels.
  public let channelCount: AVAudioChannelCount
  /// The speaker positions of the channels, as codes of the sound server.
  private let positions: [pa_channel_position_t.RawValue]

  /// Returns all sources of the sound server, including monitors.
  ///
  /// Waits for the server for at most 3 seconds. Without a server, throws an error that says what to do.
  public static func all() throws -> [CaptureDevice] { try all(server: nil) }

  /// The default source: the one that `PULSE_SOURCE` names, else the server's default. Nil if there is no such source or
  /// no server. Waits for the server for at most 3 seconds.
  public static var `default`: CaptureDevice? { try? preferred(server: nil) }

  /// The monitor of the default output: what the computer plays. Nil if there is no output or no server. Waits for the server
  /// for at most 3 seconds.
  public static var defaultMonitor: CaptureDevice? {
    try? PulseConnection.briefly(nil) { try $0.source(named: PulseConnection.defaultMonitor, by: $1) }
  }

  package static func all(server: String?) throws -> [CaptureDevice] {
    try PulseConnection.briefly(server) { try $0.sources(by: $1) }
  }

  package static func preferred(server: String?) throws -> CaptureDevice {
    try PulseConnection.briefly(server) { try $0.source(named: nil, by: $1) }
  }

  init(_ info: pa_source_info) {
    name = info.name.map { String(cString: $0) } ?? ""
    description = info.description.map { String(cString: $0) } ?? name
    // PA_INVALID_INDEX, a macro with a cast, is not imported.
    isMonitor = info.monitor_of_sink != .max
    sampleRate = Double(info.sample_spec.rate)
    channelCount = AVAudioChannelCount(info.sample_spec.channels)
    positions = withUnsafeBytes(of: info.channel_map.map) {
      Array($0.bindMemory(to: pa_channel_position_t.RawValue.self).prefix(Int(info.channel_map.channels)))
    }
  }

  /// The speaker positions of the channels. With those of the source, the server does not mix channels.
  var channelMap: pa_channel_map {
    var map = pa_channel_map()
    map.channels = UInt8(positions.count)
    withUnsafeMutableBytes(of: &map.map) { places in
      positions.withUnsafeBytes { places.copyMemory(from: $0) }
    }
    return map
  }

  /// The standard format with the sample rate and the channels of the source; nil for a source without channels.
  var format: AVAudioFormat? {
    if channelCount <= 2 {
      return AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: channelCount)
    }
    return AVAudioChannelLayout(discrete: channelCount).map {
      AVAudioFormat(standardFormatWithSampleRate: sampleRate, channelLayout: $0)
    }
  }
}
