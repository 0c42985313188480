import Foundation
import LonghandTranscripts

/// The description of a recording, in `manifest.json` beside the audio. It is written before the first sample.
package struct RecordingManifest: Sendable, Hashable, Codable {
  /// The state of a recording.
  package enum State: String, Sendable, Codable {
    /// A file is being copied, or the process was killed. `origin` describes the file.
    case importing
    /// It is being recorded, or its process was killed. `RecordingRecovery` finds out which.
    case recording
    /// Its process ended before the recording did, and the recording was recovered.
    case interrupted
    /// A part of the imported file is missing, and cannot be copied any more.
    case incomplete
    /// It ended normally.
    case complete
  }

  /// The newest version of the manifest's format; this version is written.
  package static let version = 1

  /// The version of the manifest's format.
  package var version = RecordingManifest.version
  /// The ID of the recording: a UUID in lower case.
  package var id: String
  /// The time at which the recording started, to the second.
  package var start: Date
  /// The name of the source, as shown to users.
  package var source: String
  /// The format of the samples.
  package var format: RecordingFormat
  /// The state of the recording.
  package var state = State.recording
  /// The imported file; nil for a recording.
  package var origin: ImportedFile?
  /// The length of the recording, in frames; nil while it is being recorded.
  package var frames: Int64?
  /// The gaps, in order.
  package var gaps: [RecordingGap] = []
  /// What counted as a pause in the transcription; nil in recordings of earlier versions.
  package var silence: SilenceOptions?
  /// How the channels are transcribed; nil in recordings of earlier versions, and while it is not decided.
  package var channelMode: ChannelMode?
  /// The channels that are mixed, from 0; nil for all.
  package var mixedChannels: [Int]?
  /// The names of the speakers of the channels, in order; nil if they have no names.
  package var speakerNames: [String]?
  /// The audio tracks of the imported file, each of which is a channel; nil if there are not several.
  package var tracks: [TranscriptTrack]?
  /// The time code at the beginning of the imported file; nil if it is not known.
  package var timecode: Timecode?
  /// How many voices are separated after the transcription; nil for no voices.
  package var voices: VoiceCount?
  /// What a person chose for its transcription, so that interrupted work continues with it; nil if nothing was chosen.
  package var choice: RecognitionChoice?
  /// The length that an imported file states, in seconds; nil if it states none, or the same within half a second.
  package var statedDuration: TimeInterval?
  /// What readers should know about the audio; nil if there is nothing.
  package var warnings: [TranscriptWarning]?

  /// The duration in seconds, with a gap that reaches beyond the end of the file.
  package var duration: TimeInterval {
    format.seconds(gaps.reduce(frames ?? 0) { max($0, $1.start + $1.frames) })
  }

  /// Whether its process was killed, unless it is still being written.
  var isOpen: Bool { state == .recording || state == .importing }

  package init(
    id: String = UUID().uuidString.lowercased(), start: Date = Date(), source: String,
    format: RecordingFormat, statedDuration: TimeInterval? = nil, warnings: [TranscriptWarning] = []
  ) {
    self.id = id
    self.start = Date(timeIntervalSince1970: start.timeIntervalSince1970.rounded(.down))
    self.source = source
    self.format = format
    self.statedDuration = statedDuration
    self.warnings = warnings.isEmpty ? nil : warnings
  }

  /// No audio is longer: the longest time at the highest rate.
  private static let maxFrames: Int64 = 1_000_000_000 * 768_000

  /// Reads a manifest.
  /// - Throws: `RecordingError.manifest` if `data` is not a manifest, or has a newer version.
  init(_ data: Data) throws(RecordingError) {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    do {
      self = try decoder.decode(Self.self, from: data)
    } catch {
      throw .manifest("it is not the manifest of a recording")
    }
    guard version <= Self.version else {
      throw .manifest("it has version \(version), but \(Self.version) is the newest known; update Longhand")
    }
    guard format.isSupported else {
      throw .manifest("\(format.channels) channels at \(format.sampleRate) Hz are not supported")
    }
    let counts = [frames ?? 0] + gaps.flatMap { [$0.start, $0.frames] }
    guard mixedChannels?.allSatisfy({ (0..<format.channels).contains($0) }) != false,
      mixedChannels?.isEmpty != true
    else { throw .manifest("it mixes channels that it does not have") }
    guard counts.allSatisfy({ (0...Self.maxFrames).contains($0) }), origin?.isValid != false else {
      throw .manifest("it has an impossible length or gap")
    }
  }

  /// Reads the manifest of a recording.
  /// - Throws: `RecordingError`.
  package init(of folder: RecordingFolder) throws { try self.init(try SystemDisk().read(folder.manifest)) }

  /// A space: it may follow the text of a manifest.
  static let padding = UInt8(ascii: " ")

  /// The file's content. While the recording is written, it has room for the end: a full disk takes no longer file.
  package func data() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    encoder.dateEncodingStrategy = .iso8601
    return try encoder.encode(self) + Data(repeating: Self.padding, count: isOpen ? 1024 : 0)
  }
}

/// The folder of one recording, and the files in it.
package struct RecordingFolder: Sendable, Hashable {
  /// The folder.
  package let url: URL

  package init(_ url: URL) { self.url = url }

  /// The audio: a WAVE file that can be played at any time, also during the recording.
  package var audio: URL { url.appendingPathComponent("audio.wav") }
  /// The description of the recording: `RecordingManifest`.
  package var manifest: URL { url.appendingPathComponent("manifest.json") }

  /// Replaces the warnings about the transcription in the manifest of a recording that has ended.
  /// - Parameters:
  ///   - silence: what counts as a pause; nil leaves it as it is.
  ///   - mode: how the channels are transcribed; nil leaves it as it is.
  ///   - mixed: the channels that are mixed; nil for all. It counts if there is a mode.
  /// - Throws: `RecordingError`.
  package func replaceWarnings(
    ofTranscription warnings: [TranscriptWarning], silence: SilenceOptions? = nil, mode: ChannelMode? = nil,
    mixed: [Int]? = nil
  ) throws {
    let manifest = try RecordingManifest(of: self)
    var changed = manifest
    let all = (changed.warnings ?? []).filter { !$0.code.isOfTranscription } + warnings
    changed.silence = silence ?? changed.silence
    changed.channelMode = mode ?? changed.channelMode
    if mode != nil { changed.mixedChannels = mixed }
    changed.warnings = all.isEmpty ? nil : all
    guard changed != manifest else { return }
    try SystemDisk().replace(self.manifest, with: changed.data())
  }
}
