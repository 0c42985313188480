import Foundation
import Testing

@testable import SpeechServiceProtocol

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
      let received: ServiceRequest = try far.receive(timeout: 5)
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
    let received: ServiceReply = try far.receive(timeout: 5)
    #expect(received == message)
    near.close()
    far.close()
  }

  @Test func theOtherSidesEndIsNoticed() throws {
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

  @Test func silenceTimesOut() throws {
    let (near, far) = try ServiceChannel.pair()
    defer {
      near.close()
      far.close()
    }
    #expect(throws: ServiceChannelError.timeout) { let _: ServiceReply = try far.receive(timeout: 0.02) }
  }

  @Test func whoTakesNothingTimesOut() throws {
    let (near, far) = try ServiceChannel.pair()
    defer {
      near.close()
      far.close()
    }
    near.limitSending(seconds: 0.02)
    #expect(throws: ServiceChannelError.timeout) {
      while true { try near.send(ServiceRequest.audio([Int16](repeating: 0, count: 16_000))) }
    }
  }

  @Test func shuttingDownWakesWhoeverWaits() throws {
    let (near, far) = try ServiceChannel.pair()
    let thread = Thread { near.shutDown() }
    thread.start()
    #expect(throws: ServiceChannelError.closed) { let _: ServiceReply = try near.receive() }
    near.close()
    far.close()
  }
}
