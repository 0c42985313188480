import CFFmpeg

/// The time code that a file states for its beginning, and the rate of its frames.
package struct StatedTimecode: Sendable, Equatable, Codable {
  /// As the file writes it, such as `01:00:00;00`; nil if it states none.
  package var text: String?
  /// Seconds after midnight, in files of audio (the `bext` chunk of Broadcast Wave); nil if they are not stated.
  package var seconds: Double?
  /// The frames per second of the time code, or of the picture, as a fraction; 0 if there are none.
  package var numerator: Int32 = 0
  package var denominator: Int32 = 1

  /// Whether the values are possible. A file that is decoded elsewhere has only claims.
  var isPlausible: Bool {
    (text ?? "").utf8.count <= 16 && (text ?? "").utf8.allSatisfy { $0 > 32 && $0 < 127 }
      && (0...1e6).contains(seconds ?? 0) && numerator >= 0 && denominator > 0
  }
}

extension StatedTimecode {
  /// What a file states; nil if it states neither a time code nor a rate of frames.
  init?(_ format: UnsafeMutablePointer<AVFormatContext>, sampleRate: Int32) {
    func value(_ key: String, _ dictionary: OpaquePointer?) -> String? {
      av_dict_get(dictionary, key, nil, 0).map { String(cString: $0.pointee.value) }
    }
    var picture: AVRational?
    for index in 0..<Int(format.pointee.nb_streams) {
      guard let stream = format.pointee.streams[index]?.pointee else { continue }
      let rate = stream.avg_frame_rate
      let isCover = stream.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
      if stream.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO, rate.num > 0, rate.den > 0, !isCover {
        picture = picture ?? rate
      }
      guard text == nil, let stated = value("timecode", stream.metadata) else { continue }
      text = stated
      if rate.num > 0, rate.den > 0 { (numerator, denominator) = (rate.num, rate.den) }
    }
    text = text ?? value("timecode", format.pointee.metadata)
    if numerator == 0, let picture { (numerator, denominator) = (picture.num, picture.den) }
    if let samples = value("time_reference", format.pointee.metadata).flatMap(Double.init), samples > 0,
      sampleRate > 0
    {
      seconds = samples / Double(sampleRate)
    }
    if text?.utf8.count ?? 0 > 16 { text = nil }
    guard isPlausible, text != nil || seconds != nil || numerator > 0 else { return nil }
  }
}
