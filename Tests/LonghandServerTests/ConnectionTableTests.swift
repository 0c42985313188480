import Synchronization
import Testing

@testable import LonghandServer

@Suite struct ConnectionTableTests {
  private final class Clock: Sendable {
    private let now = Mutex(0.0)
    func advance(by seconds: Double) { now.withLock { $0 += seconds } }
    var time: Double { now.withLock { $0 } }
  }

  private func cut(_ table: ConnectionTable) -> Set<Int32> {
    var cut: Set<Int32> = []
    table.cutSlow { cut.insert($0) }
    return cut
  }

  @Test func slowConnectionIsClosed() {
    let clock = Clock()
    let table = ConnectionTable { clock.time }
    for socket: Int32 in 1...5 { table.wait(socket) }
    clock.advance(by: 29)
    #expect(cut(table).isEmpty)
    // A client that sends its head byte by byte is too slow; a response may take any time.
    table.receive(2)
    table.receive(3)
    table.receive(4)
    table.answer(4)
    table.forget(5)
    clock.advance(by: 2)
    #expect(cut(table) == [1])
    table.received(400_000, on: 3)
    clock.advance(by: 40)
    #expect(cut(table) == [1, 2])
    clock.advance(by: 1000)
    #expect(cut(table) == [1, 2, 3])
    table.wait(4)
    clock.advance(by: 31)
    #expect(cut(table).contains(4))
  }
}
