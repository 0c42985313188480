/// Takes what a tap hears: a buffer that is the block's own, and when its first frame was recorded.
///
/// Called on a thread of the engine's, never on the main one, one call after the other. It may take its time:
/// see `AVAudioInputNode.lostFrames`.
public typealias AVAudioNodeTapBlock = (AVAudioPCMBuffer, AVAudioTime) -> Void
