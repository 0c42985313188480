import AVFAudio
import AudioStreams
import CoreMedia
import Foundation

/// Reads the samples of an asset.
///
/// ```swift
/// import AVFoundation
///
/// let asset = AVURLAsset(url: URL(fileURLWithPath: "talk.m4a"))
/// guard let track = try await asset.loadTracks(withMediaType: .audio).first else { exit(1) }
/// let reader = try AVAssetReader(asset: asset)
/// let output = AVAssetReaderTrackOutput(
///   track: track, outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 16_000])
/// reader.add(output)
/// reader.startReading()
/// while let buffer = output.copyNextSampleBuffer() { print(buffer.numSamples) }
/// ```
///
/// Not `Sendable`, as on Apple platforms.
open class AVAssetReader: NSObject {
  /// Where a reader is in its work.
  public enum Status: Int, Sendable {
    /// Not started.
    case unknown = 0
    /// Reading.
    case reading = 1
    /// Everything was read.
    case completed = 2
    /// The file could not be read; see `error`.
    case failed = 3
    /// It was cancelled.
    case cancelled = 4
  }

  /// The asset.
  open private(set) var asset: AVAsset
  /// Where the reader is in its work.
  open private(set) var status = Status.unknown
  /// Why the reader failed.
  open private(set) var error: (any Error)?
  /// The part to read, set before `startReading()`; by default everything.
  open var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
  /// The outputs.
  open private(set) var outputs: [AVAssetReaderOutput] = []

  /// Creates a reader. Throws `AVError` if the file cannot be read.
  public init(asset: AVAsset) throws {
    _ = try asset.file()
    self.asset = asset
    super.init()
  }

  /// Whether `output` can be added: its track is one of the asset's, and reading has not begun.
  open func canAdd(_ output: AVAssetReaderOutput) -> Bool {
    status == .unknown && output.reader == nil
      && (output as? AVAssetReaderTrackOutput).map { $0.track.owner.location == asset.location } ?? false
  }

  /// Adds an output; `canAdd` must be true.
  open func add(_ output: AVAssetReaderOutput) {
    precondition(
      canAdd(output), "the output cannot be added: its track is of another asset, or reading has begun")
    output.reader = self
    outputs.append(output)
  }

  /// Begins reading. Returns false, and sets `error`, if that is not possible.
  @discardableResult
  open func startReading() -> Bool {
    guard status == .unknown else { return false }
    do {
      for output in outputs { try output.open(asset, timeRange) }
      status = .reading
      return true
    } catch {
      fail(error)
      return false
    }
  }

  /// Ends reading. The outputs have no more samples.
  open func cancelReading() { if status == .reading { status = .cancelled } }

  /// An output has returned its last samples.
  func outputEnded() {
    if status == .reading, outputs.allSatisfy(\.hasEnded) { status = .completed }
  }

  /// An output cannot read.
  func fail(_ error: any Error) {
    self.error = error as? AVError ?? AVError(.decodeFailed, error)
    status = .failed
  }
}

/// Samples that a reader reads; see `AVAssetReaderTrackOutput`.
open class AVAssetReaderOutput: NSObject {
  /// The kind of media.
  open var mediaType: AVMediaType { .audio }
  /// Whether the samples are the caller's own; on Linux they always are.
  open var alwaysCopiesSampleData = true

  weak var reader: AVAssetReader?
  fileprivate(set) var hasEnded = false

  func open(_ asset: AVAsset, _ range: CMTimeRange) throws {}

  /// The next samples; nil at the end, and if the reader has failed or was cancelled, see `AVAssetReader.status`.
  open func copyNextSampleBuffer() -> CMSampleBuffer? { nil }
}

/// Reads the samples of a track.
open class AVAssetReaderTrackOutput: AVAssetReaderOutput {
  /// Frames of the file in a buffer.
  private static let frames: AVAudioFrameCount = 8192

  /// The track.
  open private(set) var track: AVAssetTrack
  /// The format of the samples; see `AVAudioFormat(settings:)`.
  open private(set) var outputSettings: [String: Any]?

  private var file: AVAudioFile?
  private var conversion: AudioConversion?
  private var buffer: AVAudioPCMBuffer?
  /// Buffers that were converted and not returned yet.
  private var ready: [AVAudioPCMBuffer] = []
  private var remaining: AVAudioFramePosition = 0
  private var isRead = false
  private var time = CMTime.zero

  /// Creates an output with uncompressed samples in the format that `outputSettings` ask for; what they leave out is that of
  /// the file, as interleaved 16-bit integers. On Apple platforms nil means the samples as they are in the file; on Linux
  /// they are uncompressed then, too.
  public init(track: AVAssetTrack, outputSettings: [String: Any]?) {
    (self.track, self.outputSettings) = (track, outputSettings)
    super.init()
  }

  override func open(_ asset: AVAsset, _ range: CMTimeRange) throws {
    let file = try AVAudioFile(forReading: asset.location)
    let rate = file.processingFormat.sampleRate
    guard let format = file.processingFormat.changed(by: outputSettings),
      let conversion = AudioConversion(from: file.processingFormat, to: format)
    else {
      throw AVError(
        .unknown,
        "Cannot read \(asset.location.path) in the format of the output's settings: it is not uncompressed.")
    }
    conversion.converter.downmix = true
    file.framePosition = AVAudioFramePosition(clampingSeconds: range.start.seconds, rate: rate)
    remaining =
      range.duration.isNumeric
      ? AVAudioFramePosition(clampingSeconds: range.duration.seconds, rate: rate) : .max
    (self.file, self.conversion) = (file, conversion)
    buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: Self.frames)
    time = CMTime(value: file.framePosition, timescale: CMTimeScale(rate))
  }

  open override func copyNextSampleBuffer() -> CMSampleBuffer? {
    guard reader?.status == .reading, !hasEnded else { return nil }
    do {
      while ready.isEmpty, !isRead { try convert() }
      guard !ready.isEmpty else {
        hasEnded = true
        reader?.outputEnded()
        return nil
      }
      let next = ready.removeFirst()
      let sample = try CMSampleBuffer(copying: next, at: time)
      time = time + sample.duration
      return sample
    } catch {
      reader?.fail(error)
      return nil
    }
  }

  /// Converts the next frames of the file, or ends the conversion.
  private func convert() throws {
    guard let file, let conversion, let buffer else { return isRead = true }
    try file.read(
      into: buffer, frameCount: AVAudioFrameCount(clamping: min(remaining, AVAudioFramePosition(Self.frames)))
    )
    remaining -= AVAudioFramePosition(buffer.frameLength)
    guard buffer.frameLength > 0 else {
      isRead = true
      return ready = try conversion.finish()
    }
    ready = try conversion.convert(buffer)
  }
}
