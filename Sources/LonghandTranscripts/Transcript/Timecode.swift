import Foundation

/// The time code of a recording's first moment, and how its frames are counted (SMPTE ST 12).
///
/// ```swift
/// let film = Timecode("01:00:00;00", rate: .init(30_000, 1001))
/// film?.text(at: 60)  // "01:01:00;00"
/// ```
public struct Timecode: Sendable, Hashable, Codable {
  /// Frames per second as a fraction: 30000/1001 for 29.97.
  public struct Rate: Sendable, Hashable, Codable {
    /// Frames in `denominator` seconds.
    public let numerator: Int
    /// Seconds.
    public let denominator: Int

    /// Creates a rate; nil unless it is from 1 to 1000 frames per second.
    public init?(_ numerator: Int, _ denominator: Int) {
      guard (1...1_000_000).contains(denominator), numerator >= denominator, numerator <= 1000 * denominator
      else { return nil }
      (self.numerator, self.denominator) = (numerator, denominator)
    }

    /// Reads a rate as people write it, such as `25` or `29.97`.
    public init?(_ text: String) {
      guard let value = Double(text), value >= 1, value <= 1000 else { return nil }
      let nominal = value.rounded(.up)
      let isNTSC = abs(value - nominal * 1000 / 1001) < 0.01
      self.init(isNTSC ? Int(nominal) * 1000 : Int(clamping: (value * 1000).rounded()), isNTSC ? 1001 : 1000)
    }

    /// The frames that a second of the time code has: 30 for 29.97.
    public var nominal: Int { (2 * numerator + denominator) / (2 * denominator) }

    /// What the rate is without another one: 25.
    public static let standard = Rate(25)

    private init(_ whole: Int) { (numerator, denominator) = (whole, 1) }

    private enum CodingKeys: CodingKey { case numerator, denominator }

    /// Reads a rate, if it is possible.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      let numerator = try values.decode(Int.self, forKey: .numerator)
      guard let rate = Rate(numerator, try values.decode(Int.self, forKey: .denominator)) else {
        throw DecodingError.dataCorruptedError(
          forKey: .numerator, in: values, debugDescription: "no possible rate of frames")
      }
      self = rate
    }
  }

  /// Frames per second.
  public let rate: Rate
  /// Whether two numbers of frames a minute are left out (four at 59.94), except in each tenth, so that the time code of 29.97 frames
  /// a second follows the clock.
  public let isDropFrame: Bool
  /// The number of the first frame, counted from `00:00:00:00`.
  public let first: Int

  /// Creates the time code that begins with a frame.
  public init(first: Int = 0, rate: Rate = .standard, isDropFrame: Bool = false) {
    self.rate = rate
    self.isDropFrame = isDropFrame && rate.nominal % 30 == 0 && rate.denominator == 1001
    self.first =
      max(0, first)
      % (self.isDropFrame ? 144 * (rate.nominal * 600 - rate.nominal * 18 / 30) : 86_400 * rate.nominal)
  }

  /// Reads a time code, `hh:mm:ss:ff`; with a semicolon or a point before the frames it is a drop-frame one.
  ///
  /// - Returns: nil if it is none, or has more frames than the rate.
  public init?(_ text: String, rate: Rate) {
    guard let match = text.wholeMatch(of: /(\d\d?):(\d\d):(\d\d)([:;.])(\d\d\d?)/),
      let hours = Int(match.output.1), let minutes = Int(match.output.2), let seconds = Int(match.output.3),
      let frames = Int(match.output.5), hours < 24, minutes < 60, seconds < 60, frames < rate.nominal
    else { return nil }
    let whole = Timecode(rate: rate, isDropFrame: match.output.4 != ":")
    let all = hours * 60 + minutes
    let dropped = whole.dropped * (all - all / 10)
    self.init(
      first: (all * 60 + seconds) * rate.nominal + frames - dropped, rate: rate,
      isDropFrame: whole.isDropFrame)
  }

  /// The time code that a file states; nil if it cannot be read, and there is no rate of frames.
  ///
  /// - Parameters:
  ///   - text: as the file writes it; nil if it has none.
  ///   - seconds: the time after midnight; nil if it is not stated.
  package init?(stated text: String?, seconds: TimeInterval?, rate: Rate?) {
    if let text, let read = Timecode(text, rate: rate ?? .standard) {
      self = read
    } else if rate != nil || seconds != nil {
      let plain = Timecode(rate: rate ?? .standard)
      self.init(first: plain.frame(at: seconds ?? 0), rate: plain.rate)
    } else {
      return nil
    }
  }

  /// The numbers of frames that are left out in a minute.
  private var dropped: Int { isDropFrame ? rate.nominal / 15 : 0 }

  /// The frame that is shown at a time of the recording, counted from its first one.
  public func frame(at seconds: TimeInterval) -> Int {
    let frames = seconds * Double(rate.numerator) / Double(rate.denominator)
    // What a decimal fraction misses of a whole frame is not the frame before.
    return Int(clamping: max(0, frames + 1e-4).rounded(.down))
  }

  /// The time code at a time of the recording.
  public func text(at seconds: TimeInterval) -> String { text(ofFrame: frame(at: seconds)) }

  /// The time code of a frame, counted from the recording's first one. A day after `00:00:00:00` it begins again.
  public func text(ofFrame frame: Int) -> String {
    let fps = rate.nominal
    var number = Timecode(first: first + frame, rate: rate, isDropFrame: isDropFrame).first
    if isDropFrame {
      let minute = fps * 60 - dropped
      let ten = minute * 10 + dropped
      let rest = number % ten
      number += number / ten * 9 * dropped
      if rest >= fps * 60 { number += dropped * (1 + (rest - fps * 60) / minute) }
    }
    let (seconds, frames) = (number / fps, number % fps)
    let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { Decimals.padded($0, to: 2) }
    return parts.joined(separator: ":") + (isDropFrame ? ";" : ":") + Decimals.padded(frames, to: 2)
  }
}
