import AVFAudio
import CoreMedia
import Foundation
import Synchronization

/// A file with media; see `AVURLAsset`. On Linux only its audio can be used.
///
/// `@unchecked Sendable`: a `Mutex` guards what changes.
open class AVAsset: NSObject, AVAsynchronousKeyValueLoading, @unchecked Sendable {
  /// Where the file is.
  let location: URL
  /// The file once it was opened, or why it cannot be.
  private let opened = Mutex<Result<AVAudioFile, AVError>?>(nil)

  /// Creates an asset. It is read when a property is used first.
  ///
  /// On Apple platforms this makes an `AVURLAsset`; on Linux create that itself if its `url` is needed.
  public init(url URL: URL) {
    location = URL
    super.init()
  }

  /// The open file; throws `AVError` if it cannot be read.
  func file() throws -> AVAudioFile {
    try opened.withLock { opened in
      if let opened { return opened }
      let result = Result { try AVAudioFile(forReading: location) }.mapError {
        AVError(
          FileManager.default.isReadableFile(atPath: location.path)
            ? .fileFormatNotRecognized : .contentIsUnavailable, $0)
      }
      opened = result
      return result
    }.get()
  }

  func readDuration() throws -> CMTime {
    let file = try file()
    do {
      let length = try file.readLength()
      return CMTime(value: length, timescale: CMTimeScale(file.processingFormat.sampleRate))
    } catch {
      throw AVError(.decodeFailed, error)
    }
  }

  func readTracks() throws -> [AVAssetTrack] { [AVAssetTrack(of: self, try file())] }

  /// The duration; invalid if the file cannot be read. Where the container does not state it, the first use decodes the whole
  /// file, so prefer `load(.duration)`.
  open var duration: CMTime { (try? readDuration()) ?? .invalid }

  /// The tracks: on Linux the audio that `AVAudioFile` reads; none if the file cannot be read.
  open var tracks: [AVAssetTrack] { (try? readTracks()) ?? [] }

  /// The tracks of this kind.
  open func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] {
    tracks.filter { $0.mediaType == mediaType }
  }

  /// The track with this number; nil if there is none.
  open func track(withTrackID trackID: CMPersistentTrackID) -> AVAssetTrack? {
    tracks.first { $0.trackID == trackID }
  }

  /// Loads the tracks of this kind without blocking the caller. Throws `AVError` if the file cannot be read.
  open func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] {
    try await load(.tracks).filter { $0.mediaType == mediaType }
  }

  /// Whether the file can be played.
  open var isPlayable: Bool { (try? file()) != nil }
  /// Whether `AVAssetReader` can read the file.
  open var isReadable: Bool { isPlayable }
  /// Whether the file is encrypted against copying; such files cannot be read on Linux.
  open var hasProtectedContent: Bool { false }
}

/// A file with media at a URL.
///
/// ```swift
/// import AVFoundation
///
/// let asset = AVURLAsset(url: URL(fileURLWithPath: "talk.m4a"))
/// print(try await asset.load(.duration).seconds)
/// for track in try await asset.loadTracks(withMediaType: .audio) { print(track.naturalTimeScale) }
/// ```
open class AVURLAsset: AVAsset, @unchecked Sendable {
  /// Where the file is.
  open var url: URL { location }

  /// Creates an asset. On Linux the options have no effect: durations are always precise.
  public init(url URL: URL, options: [String: Any]? = nil) { super.init(url: URL) }
}

/// The key of an option that asks for precise durations; on Linux they always are.
public let AVURLAssetPreferPreciseDurationAndTimingKey = "AVURLAssetPreferPreciseDurationAndTimingKey"

/// The number of a track in its file.
public typealias CMPersistentTrackID = Int32

extension AVPartialAsyncProperty where Root: AVAsset {
  /// The duration.
  public static var duration: AVAsyncProperty<Root, CMTime> { AVAsyncProperty { try $0.readDuration() } }
  /// The tracks.
  public static var tracks: AVAsyncProperty<Root, [AVAssetTrack]> { AVAsyncProperty { try $0.readTracks() } }
  /// Whether the file can be played.
  public static var isPlayable: AVAsyncProperty<Root, Bool> { AVAsyncProperty { $0.isPlayable } }
  /// Whether `AVAssetReader` can read the file.
  public static var isReadable: AVAsyncProperty<Root, Bool> { AVAsyncProperty { $0.isReadable } }
  /// Whether the file is encrypted against copying.
  public static var hasProtectedContent: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty { $0.hasProtectedContent }
  }
}
