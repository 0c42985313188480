/// AAC, low complexity ('aac ').
public let kAudioFormatMPEG4AAC: AudioFormatID = 0x6161_6320
/// MPEG layer 3 ('.mp3').
public let kAudioFormatMPEGLayer3: AudioFormatID = 0x2E6D_7033
/// Apple Lossless ('alac').
public let kAudioFormatAppleLossless: AudioFormatID = 0x616C_6163
/// Free Lossless Audio Codec ('flac').
public let kAudioFormatFLAC: AudioFormatID = 0x666C_6163
/// Opus ('opus').
public let kAudioFormatOpus: AudioFormatID = 0x6F70_7573
/// µ-law 2:1 ('ulaw').
public let kAudioFormatULaw: AudioFormatID = 0x756C_6177
/// A-law 2:1 ('alaw').
public let kAudioFormatALaw: AudioFormatID = 0x616C_6177
