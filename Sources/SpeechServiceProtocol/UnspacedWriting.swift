extension Unicode.Scalar {
  /// Whether it belongs to a writing without spaces: Chinese and Japanese, with their marks.
  public var isUnspaced: Bool {
    properties.isIdeographic || (0x3000...0x30FF).contains(value) || (0xFF00...0xFF65).contains(value)
  }
}
