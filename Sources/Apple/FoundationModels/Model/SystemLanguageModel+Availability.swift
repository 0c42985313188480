extension SystemLanguageModel {
  /// Whether a model can be asked.
  @frozen public enum Availability: Equatable, Sendable {
    /// Why it cannot.
    public enum UnavailableReason: Equatable, Hashable, Sendable {
      /// On Linux: no server is configured.
      case deviceNotEligible
      /// On Linux: the server that is configured is not contacted, for it is not on this machine and that was not
      /// allowed, or the way there leads through a proxy, or its address is none.
      case appleIntelligenceNotEnabled
      /// On Linux: nobody listens at the address.
      case modelNotReady
    }

    /// It can.
    case available
    /// It cannot.
    case unavailable(UnavailableReason)
  }
}
