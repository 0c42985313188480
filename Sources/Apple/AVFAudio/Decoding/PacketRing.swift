import CFFmpeg

/// The last packets that went into a decoder.
final class PacketRing {
  private let capacity: Int
  private var packets: [UnsafeMutablePointer<AVPacket>?] = []

  init(capacity: Int) { self.capacity = capacity }

  deinit { clear() }

  /// The packets, oldest first; nil until there are as many as wanted.
  var full: [UnsafeMutablePointer<AVPacket>?]? { packets.count == capacity ? packets : nil }

  /// Keeps a reference to `packet` in place of the oldest.
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
