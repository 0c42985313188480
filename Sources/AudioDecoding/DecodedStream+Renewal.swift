import CFFmpeg

extension DecodedStream {
  /// A position where a new decoder replaces the old one.
  ///
  /// Some decoders never forget their input. The AAC decoder fills parts of the spectrum with noise from a generator that
  /// is never reset, so decoding from the middle of a file gives other samples than decoding from its start. Therefore
  /// the decoder is replaced after every `renewalPackets` packets, even if a file is read in order. The new decoder first
  /// gets the `prerollPackets` packets before. A seek does the same, and so yields the same samples, bit by bit.
  struct Renewal: Equatable {
    /// The time of the first packet that the new decoder gets.
    let start: Int64
    /// The time of the first packet whose frames are output.
    let time: Int64
    /// The index of that packet.
    let packet: Int
  }

  /// How many packets lie between two renewals: about 11 s of AAC.
  static let renewalPackets = 512
  /// How many packets a new decoder gets first: about 1 s of AAC.
  static let prerollPackets = 48

  /// Whether the decoder must be renewed: it is lossy, and not one of those that forget their input within a second.
  static func hasHiddenMemory(_ codec: AVCodecID) -> Bool {
    let forgetful = [AV_CODEC_ID_MP3, AV_CODEC_ID_OPUS, AV_CODEC_ID_VORBIS]
    guard let description = avcodec_descriptor_get(codec), !forgetful.contains(codec) else { return false }
    return description.pointee.props & AV_CODEC_PROP_LOSSLESS == 0
  }
}

/// The last packets that a decoder got.
final class PacketRing {
  private let capacity: Int
  private var packets: [UnsafeMutablePointer<AVPacket>?] = []

  init(capacity: Int) { self.capacity = capacity }

  deinit { clear() }

  /// The packets, oldest first; nil until there are `capacity` packets.
  var full: [UnsafeMutablePointer<AVPacket>?]? { packets.count == capacity ? packets : nil }

  /// Adds a reference to `packet`, and removes the oldest one if the ring is full.
  func append(_ packet: UnsafeMutablePointer<AVPacket>) {
    if packets.count == capacity {
      var oldest = packets.removeFirst()
      av_packet_free(&oldest)
    }
    packets.append(av_packet_clone(packet))
  }

  func clear() {
    for index in packets.indices { av_packet_free(&packets[index]) }
    packets = []
  }
}
