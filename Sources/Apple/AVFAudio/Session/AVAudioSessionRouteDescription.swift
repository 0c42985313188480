import Foundation

/// The devices that sound comes from and goes to. Immutable.
public final class AVAudioSessionRouteDescription: NSObject, Sendable {
  /// Where sound comes from; on Linux one source of the sound server, or none.
  public let inputs: [AVAudioSessionPortDescription]
  /// Where sound goes to; always empty on Linux, where nothing is played.
  public let outputs: [AVAudioSessionPortDescription] = []

  init(source: AudioSource?) { inputs = source.map { [AVAudioSessionPortDescription($0)] } ?? [] }
}
