/// Why a message could not be sent or received.
public enum ServiceChannelError: Error, Equatable {
  /// The other side has gone.
  case closed
  /// No message came, or none was taken, in time.
  case timeout
  /// What came is no message.
  case malformed(String)
  /// The system refused, with this `errno`.
  case system(Int32)
}
