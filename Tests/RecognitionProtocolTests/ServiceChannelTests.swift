import Foundation
import Testing

@testable import RecognitionProtocol

#if canImport(Glibc)
  import Glibc
#endif

@Suite struct ServiceChannelTests {
  @Test func messagesArriveInOrder() throws {
    let (near, far) = try ServiceChannel.pair()
    defer {
      near.close()
      far.close()
    }
    for request in ServiceMessageTests.requests { try near.send(request) }
    for request in ServiceMessageTests.requests {
      let received: ServiceRequest = try far.receive(by: .init(seconds: 5))
      #expect(received == request)
    }
  }

  @Test func aMessageThatComesByteByByteIsWhole() throws {
    let (near, far) = try ServiceChannel.pair()
    let message = ServiceReply.unavailable(String(repeating: "long ", count: 100))
    let bytes = try message.frame().bytes
    let thread = Thread {
      for byte in bytes { withUnsafeBytes(of: byte) { _ = write(near.descriptor, $0.baseAddress, 1) } }
    }
    thread.start()
    let received: ServiceReply = try far.receive(by: .init(seconds: 5))
    #expect(received == message)
    near.close()
    far.close()
  }

  @Test func timeThatDoesNotCountIsWaitedToo() throws {
    let (near, far) = try ServiceChannel.pair()
    #expect(try !far.waitForInput(until: .init(seconds: 0.01) { 0.01 }))
    let received: ServiceRequest = try far.receive(
      by: .init(seconds: 0.01) {
        try? near.send(ServiceRequest.end)
        return 300
      })
    #expect(received == .end)
    near.close()
    far.close()
  }

  @Test func closedOtherSideIsReported() throws {
    let (near, far) = try ServiceChannel.pair()
    try near.send(ServiceRequest.end)
    #expect(!far.isHungUp)
    near.close()
    #expect(far.isHungUp)
    let last: ServiceRequest = try far.receive()
    #expect(last == .end)
    #expect(throws: ServiceChannelError.closed) { let _: ServiceRequest = try far.receive() }
    #expect(throws: ServiceChannelError.closed) { try far.send(ServiceReply.unavailable("")) }
    far.close()
  }

  @Test func anEndInTheMiddleOfAMessageIsAnEnd() throws {
    let (near, far) = try ServiceChannel.pair()
    let bytes = try ServiceRequest.audio([1, 2, 3]).frame().bytes
    _ = bytes.withUnsafeBytes { write(near.descriptor, $0.baseAddress, bytes.count - 1) }
    near.close()
    #expect(throws: ServiceChannelError.closed) { let _: ServiceRequest = try far.receive() }
    far.close()
  }

  /// Ends a channel after a while, so that a wait without a deadline fails instead of hanging. Cancelled at the end.
  private func watch(_ channel: ServiceChannel) -> DispatchWorkItem {
    let end = DispatchWorkItem { channel.shutDown() }
    DispatchQueue.global().asyncAfter(deadline: .now() + 20, execute: end)
    return end
  }

  @Test func silenceTimesOut() throws {
    let (near, far) = try ServiceChannel.pair()
    let watch = watch(near)
    defer {
      watch.cancel()
      near.close()
      far.close()
    }
    #expect(throws: ServiceChannelError.timeout) {
      let _: ServiceReply = try far.receive(by: .init(seconds: 0.02))
    }
  }

  @Test func whoTakesNothingTimesOut() throws {
    let (near, far) = try ServiceChannel.pair()
    let watch = watch(near)
    defer {
      watch.cancel()
      near.close()
      far.close()
    }
    #expect(throws: ServiceChannelError.timeout) {
      while true {
        let audio = ServiceRequest.audio([Int16](repeating: 0, count: 16_000))
        try near.send(audio, by: .init(seconds: 0.02))
      }
    }
  }

  /// A header without its payload, half a header, and half a payload.
  @Test(arguments: [5, 3, 9]) func aMessageThatStopsInItsMiddleTimesOut(_ count: Int) throws {
    let (near, far) = try ServiceChannel.pair()
    let watch = watch(near)
    defer {
      watch.cancel()
      near.close()
      far.close()
    }
    let bytes = try ServiceReply.unavailable("a reason").frame().bytes
    _ = bytes.withUnsafeBytes { write(near.descriptor, $0.baseAddress, count) }
    #expect(throws: ServiceChannelError.stalled) {
      let _: ServiceReply = try far.receive(by: .init(seconds: 0.05))
    }
  }

  /// Each byte comes in time, and the message does not.
  @Test func aMessageThatDripsTimesOut() throws {
    let (near, far) = try ServiceChannel.pair()
    let bytes = try ServiceReply.unavailable(String(repeating: "long ", count: 4000)).frame().bytes
    let thread = Thread {
      for byte in bytes {
        let sent = withUnsafeBytes(of: byte) {
          send(near.descriptor, $0.baseAddress, 1, Int32(MSG_NOSIGNAL))
        }
        guard sent == 1 else { return }
        usleep(1000)
      }
    }
    thread.start()
    let start = DispatchTime.now().uptimeNanoseconds
    #expect(throws: ServiceChannelError.stalled) {
      let _: ServiceReply = try far.receive(by: .init(seconds: 0.2))
    }
    #expect(DispatchTime.now().uptimeNanoseconds - start < 10_000_000_000)
    far.close()
  }

  @Test func receivedBytesAreReadAfterTheDeadline() throws {
    let (near, far) = try ServiceChannel.pair()
    defer {
      near.close()
      far.close()
    }
    try near.send(ServiceReply.unavailable("r"))
    let received: ServiceReply = try far.receive(by: .init(seconds: 0))
    #expect(received == .unavailable("r"))
  }

  @Test func shuttingDownWakesWaitingThreads() throws {
    let (near, far) = try ServiceChannel.pair()
    let thread = Thread { near.shutDown() }
    thread.start()
    #expect(throws: ServiceChannelError.closed) { let _: ServiceReply = try near.receive() }
    near.close()
    far.close()
  }
}
