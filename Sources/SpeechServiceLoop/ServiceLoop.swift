import Foundation
import Sandboxing
import SpeechServiceProtocol

/// Answers one client's requests until the client goes away.
///
/// With its first model the process enters its sandbox: from then on it has no paths, and another model needs another
/// process.
struct ServiceLoop {
  private let inbox: RequestInbox
  private let channel: ServiceChannel

  init(channel: ServiceChannel) {
    self.channel = channel
    inbox = RequestInbox(channel: channel)
  }

  /// Serves until no reply can be sent. The process ends at once when the client goes away, even while it
  /// decodes.
  func run() {
    inbox.start()
    var decoder: Decoder?
    var unavailable = "not configured"
    var utterance: UInt32 = 0
    do {
      while true {
        switch inbox.next() {
        case .configure(let configuration):
          do {
            if let current = decoder, try current.reconfigure(configuration) {
              try channel.send(ServiceReply.ready(current.description))
              continue
            }
            guard decoder == nil else { throw DecoderError.otherModel }
            let fresh = try Decoder(configuration: configuration)
            _ = Sandbox.enterRecognizer()
            decoder = fresh
            try channel.send(ServiceReply.ready(fresh.description))
          } catch let error as DecoderError {
            unavailable = error.description
            try channel.send(ServiceReply.unavailable(unavailable))
          }
        case .begin(let number):
          utterance = number
          decoder?.begin()
        case .audio(let samples):
          if let partial = decoder?.append(samples) {
            try channel.send(ServiceReply.partial(.init(utterance: utterance, hypotheses: [partial])))
          }
        case .end:
          guard let decoder else {
            try channel.send(ServiceReply.failed(.init(utterance: utterance, reason: unavailable)))
            continue
          }
          do {
            let hypotheses = try decoder.finish()
            try channel.send(ServiceReply.final(.init(utterance: utterance, hypotheses: hypotheses)))
          } catch let error as DecoderError {
            try channel.send(ServiceReply.failed(.init(utterance: utterance, reason: error.description)))
          }
        case .abandon:
          decoder?.abandon()
        }
      }
    } catch {
      // The client has closed the connection.
    }
  }
}
