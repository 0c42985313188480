import AVFoundation

/// Reads the audio of an asset or a file for an analyzer.
///
/// ```swift
/// import Speech
///
/// let transcriber = SpeechTranscriber(locale: Locale(identifier: "en-US"), preset: .transcription)
/// let provider = try await AssetInputSequenceProvider.provider(
///   from: AVURLAsset(url: URL(fileURLWithPath: "talk.m4a")), compatibleWith: [transcriber])
/// let analyzer = SpeechAnalyzer(modules: [transcriber])
/// if let end = try await analyzer.analyzeSequence(provider.analyzerInputs) {
///   try await analyzer.finalizeAndFinish(through: end)
/// }
/// for try await result in transcriber.results { print(String(result.text.characters)) }
/// ```
///
/// On Linux the task that reads `analyzerInputs` reads the file, as far as it is needed; `priority` has no effect.
final public class AssetInputSequenceProvider {
  private let inputs: AssetInputs

  /// Creates a provider that reads the first track with audio, in the best format that all modules accept.
  /// - Throws: `SFSpeechError.audioReadFailed` if the asset cannot be read or has no audio;
  ///   `incompatibleAudioFormats`, also as long as a model is not installed.
  public static func provider(
    from asset: AVAsset, compatibleWith modules: [any SpeechModule], priority: TaskPriority? = nil
  ) async throws -> AssetInputSequenceProvider {
    let tracks: [AVAssetTrack]
    do {
      tracks = try await asset.loadTracks(withMediaType: .audio)
    } catch {
      throw SFSpeechError(.audioReadFailed, userInfo: [NSUnderlyingErrorKey: error])
    }
    guard let track = tracks.first else {
      throw SFSpeechError(
        .audioReadFailed, userInfo: [NSLocalizedDescriptionKey: "The asset has no track with audio."])
    }
    return try await provider(from: asset, track: track, compatibleWith: modules, priority: priority)
  }

  /// Creates a provider that reads a track of an asset, in the best format that all modules accept.
  /// - Throws: `SFSpeechError.incompatibleAudioFormats`, also as long as a model is not installed.
  public static func provider(
    from asset: AVAsset, track: AVAssetTrack, compatibleWith modules: [any SpeechModule],
    priority: TaskPriority? = nil
  ) async throws -> AssetInputSequenceProvider {
    let format = try await SpeechAnalyzer.format(compatibleWith: modules)
    return AssetInputSequenceProvider(asset: asset, track: track, analyzerFormat: format, priority: priority)
  }

  /// Creates a provider that reads a track of an asset in a format.
  public init(
    asset: AVAsset, track: AVAssetTrack, analyzerFormat: AVAudioFormat, priority: TaskPriority? = nil
  ) {
    inputs = AssetInputs(asset: asset, track: track, format: analyzerFormat)
  }

  /// A new sequence with all of the track's audio. It does not need the provider any more. Each input follows the one
  /// before. If the file cannot be read, the sequence throws `SFSpeechError.audioReadFailed`.
  final public var analyzerInputs: some Sendable & AsyncSequence<AnalyzerInput, any Error> { inputs }
}

/// The audio of a track, read on demand.
private struct AssetInputs: AsyncSequence, Sendable {
  let asset: AVAsset
  let track: AVAssetTrack
  let format: AVAudioFormat

  struct AsyncIterator: AsyncIteratorProtocol {
    let inputs: AssetInputs
    private var reading: (reader: AVAssetReader, output: AVAssetReaderTrackOutput)?

    init(_ inputs: AssetInputs) { self.inputs = inputs }

    mutating func next() async throws -> AnalyzerInput? {
      guard !Task.isCancelled else { return nil }
      let (reader, output) = try reading ?? inputs.open()
      reading = (reader, output)
      guard let next = output.copyNextSampleBuffer() else {
        if reader.status == .failed { throw AssetInputs.failure(reader.error) }
        return nil
      }
      // A new buffer, which nothing else has.
      nonisolated(unsafe) let samples = next
      return AnalyzerInput(CMReadySampleBuffer(unsafeWithDataBuffer: samples), at: nil)
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  private func open() throws -> (AVAssetReader, AVAssetReaderTrackOutput) {
    do {
      let reader = try AVAssetReader(asset: asset)
      let output = AVAssetReaderTrackOutput(track: track, outputSettings: format.settings)
      guard reader.canAdd(output) else { throw SFSpeechError(.missingParameter) }
      reader.add(output)
      guard reader.startReading() else { throw Self.failure(reader.error) }
      return (reader, output)
    } catch let error as SFSpeechError {
      throw error
    } catch {
      throw Self.failure(error)
    }
  }

  private static func failure(_ cause: (any Error)?) -> SFSpeechError {
    SFSpeechError(.audioReadFailed, userInfo: cause.map { [NSUnderlyingErrorKey: $0] } ?? [:])
  }
}
