import Foundation
import RecognitionProtocol

extension StreamStateMachine {
  /// What has happened.
  enum Input {
    /// A service will be needed soon.
    case prepare
    /// An utterance begins at this sample.
    case begin(at: Int)
    /// More samples of the utterance.
    case audio([Int16])
    /// The utterance may end here.
    case pause
    /// The utterance ends. The ranges hold no speech; nil if this is not known.
    case end(nonspeech: [Range<Int>]?)
    /// No later utterance begins before this sample.
    case reached(Int)
    /// The caller waits for everything so far.
    case flush(Int)
    /// The caller does not want utterances that end before this sample.
    case drop(before: Int)
    case reconfigure(ServiceConfiguration)
    /// No more audio comes. It ended before this sample.
    case audioEnded(at: Int)
    /// The audio cannot be processed.
    case failed(any Error)
    case cancel
    /// The pool counts this stream from now on.
    case joinedPool
    /// A service runs and has the configuration.
    case serviceStarted(Int)
    case serviceFailedToStart(any Error)
    case reply(ServiceReply, from: Int)
    /// A service died, hung or broke the protocol.
    case serviceLost(Int, reason: String = "the speech service died")
    /// A service is back in the pool.
    case serviceReturned(Int)
  }

  /// What to do, in this order.
  enum Action {
    case emit(RecognitionEvent)
    case startService(Int, ServiceConfiguration)
    case send(ServiceRequest, to: Int)
    case killService(Int)
    case leavePool
  }
}
