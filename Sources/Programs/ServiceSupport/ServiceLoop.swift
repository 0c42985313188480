import RecognitionProtocol
import Sandboxing

/// Answers one client's requests until the client goes away.
///
/// With its first model the process enters its sandbox: from then on it has no paths, and another model needs another
/// process.
package struct ServiceLoop<Recognizer: ServiceRecognizer> {
  private let inbox: RequestInbox
  private let channel: ServiceChannel
  private let enterSandbox: () -> Void

  /// - Parameters:
  ///   - channel: the socket to the client.
  ///   - enterSandbox: called once, when the model is loaded.
  package init(channel: ServiceChannel, enterSandbox: @escaping () -> Void) {
    (self.channel, self.enterSandbox) = (channel, enterSandbox)
    inbox = RequestInbox(channel: channel)
  }

  /// Serves until no reply can be sent, or the recognizer is exhausted. The process ends at once when the client goes
  /// away, even while it decodes.
  package func run() {
    inbox.start()
    var recognizer: Recognizer?
    var unavailable = "not configured"
    var utterance: UInt32 = 0
    do {
      while true {
        let request = inbox.next()
        switch request {
        case .configure(let configuration):
          do {
            try channel.send(try configure(&recognizer, configuration))
          } catch let refusal as Refusal {
            unavailable = refusal.reason
            try channel.send(ServiceReply.unavailable(unavailable))
            // A model that a library could not load has closed the sandbox: no other can be opened.
            if recognizer == nil, Sandbox.isLoader { return channel.shutDown() }
          }
        case .begin(let number):
          utterance = number
          recognizer?.begin()
        case .audio(let samples):
          if let partial = recognizer?.append(samples) {
            try channel.send(ServiceReply.partial(.init(utterance: utterance, hypotheses: [partial])))
          }
        case .pause:
          // What came since has ended the pause.
          if inbox.isEmpty { recognizer?.pause() }
        case .end, .terms, .align:
          let reply = answer(of: recognizer, to: request, utterance: utterance, unavailable: unavailable)
          let isLast = recognizer?.isExhausted == true
          try channel.send(reply)
          // At once: the client must not send another utterance to a process that is about to end.
          if isLast { return channel.shutDown() }
        case .abandon:
          recognizer?.abandon()
        }
      }
    } catch {
      // The client has closed the connection.
    }
  }

  /// Why a configuration cannot be served.
  private struct Refusal: Error {
    let reason: String
  }

  private func configure(
    _ recognizer: inout Recognizer?, _ configuration: ServiceConfiguration
  ) throws(Refusal) -> ServiceReply {
    do throws(Recognizer.Failure) {
      guard let current = recognizer else {
        let fresh = try Recognizer(configuration: configuration)
        enterSandbox()
        recognizer = fresh
        return .ready(fresh.description)
      }
      return try current.reconfigure(configuration) ? .ready(current.description) : .occupied
    } catch {
      throw Refusal(reason: error.description)
    }
  }

  private func answer(
    of recognizer: Recognizer?, to request: ServiceRequest, utterance: UInt32, unavailable: String
  ) -> ServiceReply {
    guard let recognizer else { return .failed(.init(utterance: utterance, reason: unavailable)) }
    do throws(Recognizer.Failure) {
      let hypotheses =
        switch request {
        case .align(let texts): try recognizer.align(texts)
        case .terms(let words): try recognizer.terms(in: words)
        default: try recognizer.finish()
        }
      return .final(.init(utterance: utterance, hypotheses: hypotheses))
    } catch {
      return .failed(.init(utterance: utterance, reason: error.description))
    }
  }
}
