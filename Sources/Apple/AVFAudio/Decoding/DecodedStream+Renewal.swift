import CFFmpeg

extension DecodedStream {
  /// Where a fresh decoder took over.
  ///
  /// Some decoders have a memory without end: AAC's fills parts of the spectrum with noise whose generator is never
  /// set back. Decoding from the middle of a file would give other samples than decoding from its start. So even
  /// when a file is read in order, its decoder is replaced after every `renewalPackets` packets by a fresh one that
  /// is fed the `prerollPackets` before; a seek does the same and so gets the same samples, bit by bit.
  struct Renewal: Equatable {
    /// The time of the first packet that the fresh decoder saw.
    let start: Int64
    /// The time of the packet from which on its frames count.
    let time: Int64
    /// The number of that packet, counted from 0.
    let packet: Int
  }

  /// Packets from one renewal to the next: some 11 s of AAC.
  static let renewalPackets = 512
  /// Packets that fill a fresh decoder's memory: about 1 s of AAC.
  static let prerollPackets = 48

  /// Whether the decoder must be renewed: it is lossy, and not known to forget within a second.
  static func hasHiddenMemory(_ codec: AVCodecID) -> Bool {
    let forgetful = [AV_CODEC_ID_MP3, AV_CODEC_ID_OPUS, AV_CODEC_ID_VORBIS]
    guard let description = avcodec_descriptor_get(codec), !forgetful.contains(codec) else { return false }
    return description.pointee.props & AV_CODEC_PROP_LOSSLESS == 0
  }
}
