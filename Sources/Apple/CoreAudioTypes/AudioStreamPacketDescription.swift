/// Where one packet of a compressed stream lies in a buffer.
public struct AudioStreamPacketDescription: Sendable {
  /// Bytes from the start of the buffer to the packet.
  public var mStartOffset: Int64 = 0
  /// Frames of the packet if that varies, else 0.
  public var mVariableFramesInPacket: UInt32 = 0
  /// Bytes of the packet.
  public var mDataByteSize: UInt32 = 0

  /// All zero.
  public init() {}

  /// Each field by its name.
  public init(mStartOffset: Int64, mVariableFramesInPacket: UInt32, mDataByteSize: UInt32) {
    self.mStartOffset = mStartOffset
    self.mVariableFramesInPacket = mVariableFramesInPacket
    self.mDataByteSize = mDataByteSize
  }
}
