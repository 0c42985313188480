import AudioDecoding
import Foundation

/// Plays an audio file.
///
/// ```swift
/// import AVFAudio
///
/// let player = try AVAudioPlayer(contentsOf: URL(fileURLWithPath: "talk.mp3"))
/// player.play()
/// sleep(UInt32(player.duration))
/// ```
///
/// On Linux it plays every format that `AVAudioFile` reads, to the sound server's default output, or to the one that the
/// environment variable `PULSE_SINK` names. The delegate is called on the main queue. Not `Sendable`, as on Apple platforms.
open class AVAudioPlayer: NSObject {
  /// Carries the player to the main queue.
  ///
  /// `@unchecked Sendable`: it is set once, and the main queue alone uses it.
  private final class Reference: @unchecked Sendable {
    weak let player: AVAudioPlayer?

    init(_ player: AVAudioPlayer) { self.player = player }
  }

  /// The file; nil for a player of data.
  open private(set) var url: URL?
  /// The data; nil for a player of a file.
  open private(set) var data: Data?
  /// The format of the audio.
  open private(set) var format: AVAudioFormat
  /// Seconds of audio in the file.
  open private(set) var duration: TimeInterval
  /// Is notified of the end.
  open weak var delegate: (any AVAudioPlayerDelegate)?
  /// Whether levels are measured; see `updateMeters()`.
  open var isMeteringEnabled = false

  private let file: PlayedFile
  private var levels: [AudioMeter.Level] = []
  /// A file with `data`, which ends with the player.
  private var temporary: URL?

  /// Opens a file. Throws the errors of `AVAudioFile(forReading:)`.
  public convenience init(contentsOf url: URL) throws { try self.init(url: url, server: nil) }

  /// Opens a file. On Linux the hint has no effect: the content decides.
  public convenience init(contentsOf url: URL, fileTypeHint utiString: String?) throws {
    try self.init(contentsOf: url)
  }

  /// Opens a file that is in memory.
  public convenience init(data: Data) throws {
    let folder = FileManager.default.temporaryDirectory
    let url = folder.appendingPathComponent("player-\(UUID().uuidString)")
    guard
      FileManager.default.createFile(atPath: url.path, contents: data, attributes: [.posixPermissions: 0o600])
    else {
      throw AudioError.make(.unspecified, "cannot play: no file can be created in \(folder.path)")
    }
    do {
      try self.init(url: url, server: nil)
    } catch {
      try? FileManager.default.removeItem(at: url)
      throw error
    }
    (self.url, self.data, temporary) = (nil, data, url)
  }

  /// Opens a file that is in memory. On Linux the hint has no effect: the content decides.
  public convenience init(data: Data, fileTypeHint utiString: String?) throws { try self.init(data: data) }

  /// Opens a file for the server at an address in the syntax of `PULSE_SERVER`.
  package convenience init(url: URL, server: String?) throws {
    try self.init(file: AVAudioFile(forReading: url), server: server)
  }

  /// Plays an open file, which nothing else may read.
  init(file: AVAudioFile, server: String?) throws {
    url = file.url
    format = file.fileFormat
    duration = Double(try file.readLength()) / file.processingFormat.sampleRate
    self.file = PlayedFile(file, server: server)
    super.init()
  }

  deinit {
    file.stop()
    if let temporary { try? FileManager.default.removeItem(at: temporary) }
  }

  /// The settings of the audio; see `AVAudioFormat.settings`.
  open var settings: [String: Any] { format.settings }
  /// The number of channels.
  open var numberOfChannels: Int { Int(format.channelCount) }
  /// Whether audio is played now.
  open var isPlaying: Bool { file.isPlaying }
  /// The volume, from 0 to 1.
  open var volume: Float {
    get { file.volume }
    set { file.volume = newValue }
  }
  /// The balance of stereo audio: -1 left, 0 both, 1 right.
  open var pan: Float {
    get { file.pan }
    set { file.pan = newValue }
  }
  /// How often the audio is played again; negative for no end.
  open var numberOfLoops: Int {
    get { file.loops }
    set { file.loops = newValue }
  }
  /// Seconds from the start of the audio. Setting it goes there.
  open var currentTime: TimeInterval {
    get { Double(file.position) / format.sampleRate }
    set { file.position = AVAudioFramePosition(clampingSeconds: newValue, rate: format.sampleRate) }
  }
  /// The time of the device in seconds; on Linux the machine's clock.
  open var deviceCurrentTime: TimeInterval { AVAudioTime.seconds(forHostTime: AVAudioTime.now) }

  /// Sets the volume; on Linux at once, whatever `duration` is.
  open func setVolume(_ volume: Float, fadeDuration duration: TimeInterval) { file.volume = volume }

  /// Makes `play()` faster on Apple platforms. Always true on Linux.
  @discardableResult
  open func prepareToPlay() -> Bool { true }

  /// Plays from `currentTime` on, or resumes. Returns false if there is no sound server; waits for it for at most 3 seconds.
  @discardableResult
  open func play() -> Bool {
    let reference = Reference(self)
    return
      (try? file.play { result in
        DispatchQueue.main.async { reference.player?.ended(result) }
      }) != nil
  }

  private func ended(_ result: Result<Bool, any Error>) {
    if case .failure(let error) = result { delegate?.audioPlayerDecodeErrorDidOccur(self, error: error) }
    delegate?.audioPlayerDidFinishPlaying(self, successfully: (try? result.get()) ?? false)
  }

  /// Pauses until `play()`.
  open func pause() { file.pause() }

  /// Stops. `currentTime` stays; the delegate is not notified.
  open func stop() { file.stop() }

  /// Measures the levels since the last call.
  open func updateMeters() { if isMeteringEnabled { levels = file.takeLevels() } }

  /// The average power of a channel between the last two calls of `updateMeters()`, in dBFS: 0 for full scale, -160 for
  /// silence.
  open func averagePower(forChannel channelNumber: Int) -> Float { level(channelNumber).average }

  /// The highest sample of a channel between the last two calls of `updateMeters()`, in dBFS.
  open func peakPower(forChannel channelNumber: Int) -> Float { level(channelNumber).peak }

  private func level(_ channel: Int) -> AudioMeter.Level {
    levels.indices.contains(channel) ? levels[channel] : AudioMeter.Level()
  }
}

/// Is notified by a player, on the main queue. On Linux, as requirements cannot be optional, defaults do nothing.
public protocol AVAudioPlayerDelegate: NSObjectProtocol {
  /// The audio was played to its end, or `flag` is false and the sound server has ended or the audio could not be decoded.
  func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)
  /// The rest of the audio could not be decoded. On Linux damaged parts are left out, and are no error.
  func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)
}

extension AVAudioPlayerDelegate {
  /// Does nothing.
  public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}
  /// Does nothing.
  public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}
}
