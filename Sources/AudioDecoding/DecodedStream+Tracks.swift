import CFFmpeg

extension DecodedStream {
  /// The audio tracks of the file.
  var tracks: [AudioTrack] {
    guard let format else { return [] }
    return Self.soundStreams(of: format).prefix(AudioTrack.maxCount).compactMap { index in
      format.pointee.streams[Int(index)].map(AudioTrack.init)
    }
  }

  /// The time code at the start of the file; nil if it states none.
  var timecode: StatedTimecode? { format.flatMap { StatedTimecode($0, sampleRate: statedRate) } }

  /// Seconds from the start of the file, which is the earliest of all streams, to the start of this one.
  /// - Parameter first: the time of the first frame in units of the stream. It counts except in MP4, which states when a
  ///   track starts: of many other containers FFmpeg says 0 before the first packet has come.
  func lead(first: Int64?) -> Double {
    guard let format, let stream, streamCount > 1, format.pointee.start_time != longhand_av_nopts_value else {
      return 0
    }
    let start = stream.pointee.start_time
    let stated = start == longhand_av_nopts_value ? nil : start
    guard let own = containerName.hasPrefix("mov") ? stated ?? first : first ?? stated else { return 0 }
    let lead = Double(own) * unit - Double(format.pointee.start_time) / Double(AV_TIME_BASE)
    return (Self.minLead...DecodedFile.maxLead).contains(lead) ? lead : 0
  }

  /// Seconds: the padding of an encoder makes audio start up to so much later.
  private static let minLead = 0.06
}
