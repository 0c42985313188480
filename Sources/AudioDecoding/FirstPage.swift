import CFFmpeg

/// The first page of FLAC in Ogg. The file has the time of its end only, and FFmpeg lets it begin at 0, also if the audio
/// begins later.
struct FirstPage {
  /// More packets than a page has.
  private static let maxPackets = 1000

  /// The offset of the page in the file, in bytes.
  let position: Int64
  /// How much later the page begins, in units of the stream.
  let delay: Int64

  /// Reads the first two pages of a file in a container of its own; nil for other formats, and if the audio begins at 0.
  init?(of container: DecodedStream.Container?, stream index: Int32, file: LocalFile) {
    guard let container, container.pointee.iformat.map({ String(cString: $0.pointee.name) }) == "ogg",
      container.pointee.streams[Int(index)]?.pointee.codecpar?.pointee.codec_id == AV_CODEC_ID_FLAC,
      let reader = try? LocalFile.Reader(file: file)
    else { return nil }
    var format = try? DecodedStream.openContainer(path: file.path, reader: reader)
    var packet = av_packet_alloc()
    defer {
      av_packet_free(&packet)
      avformat_close_input(&format)
      // The container keeps no reference to it.
      withExtendedLifetime(reader) {}
    }
    avformat_find_stream_info(format, nil)
    guard let format, index < format.pointee.nb_streams, let packet else { return nil }
    var first: (position: Int64, end: Int64)?
    for _ in 0..<Self.maxPackets {
      guard av_read_frame(format, packet) >= 0 else { return nil }
      defer { av_packet_unref(packet) }
      let (time, position) = (packet.pointee.pts, packet.pointee.pos)
      guard packet.pointee.stream_index == index, time != longhand_av_nopts_value else { continue }
      if let first, position != first.position {
        guard time > first.end else { return nil }
        (self.position, delay) = (first.position, time - first.end)
        return
      }
      let (end, overflow) = time.addingReportingOverflow(packet.pointee.duration)
      guard !overflow else { return nil }
      first = (position, end)
    }
    return nil
  }

  /// Gives a packet of the page its time.
  func correct(_ packet: UnsafeMutablePointer<AVPacket>) {
    guard packet.pointee.pos == position, packet.pointee.pts != longhand_av_nopts_value else { return }
    packet.pointee.pts &+= delay
    packet.pointee.dts &+= delay
  }
}
