import Synchronization
import Testing

@testable import LonghandServer

@Suite struct ConnectionTableTests {
  /// A clock that the test sets, and the sockets that a table has closed.
  private final class Surroundings: Sendable {
    private let now = Mutex(0.0)
    private let closed = Mutex<Set<Int32>>([])

    var table: ConnectionTable {
      ConnectionTable(
        clock: { [self] in now.withLock { $0 } },
        cut: { [self] socket in closed.withLock { _ = $0.insert(socket) } })
    }

    func advance(by seconds: Double) { now.withLock { $0 += seconds } }

    /// The closed sockets, after the slow ones have been closed.
    func cut(_ table: ConnectionTable) -> Set<Int32> {
      table.cutSlow()
      return closed.withLock { $0 }
    }
  }

  /// A client that has sent the head of a request with the token.
  private func signIn(_ socket: Int32, _ table: ConnectionTable) {
    table.add(socket)
    table.receive(socket)
    table.signIn(socket)
  }

  @Test func slowConnectionIsClosed() {
    let surroundings = Surroundings()
    let table = surroundings.table
    for socket: Int32 in 1...5 { signIn(socket, table) }
    table.wait(1)
    table.answer(4)
    table.forget(5)
    surroundings.advance(by: 29)
    #expect(surroundings.cut(table).isEmpty)
    table.received(400_000, on: 3)
    surroundings.advance(by: 2)
    // A client that sends its head byte by byte is too slow; a response may take any time.
    #expect(surroundings.cut(table) == [1, 2])
    surroundings.advance(by: 1000)
    #expect(surroundings.cut(table) == [1, 2, 3])
    table.wait(4)
    surroundings.advance(by: 31)
    #expect(surroundings.cut(table) == [1, 2, 3, 4])
  }

  @Test func strangerHasLessTime() {
    let surroundings = Surroundings()
    let table = surroundings.table
    table.add(1)
    signIn(2, table)
    table.wait(2)
    // Without the token again.
    signIn(3, table)
    table.receive(3)
    surroundings.advance(by: 6)
    #expect(surroundings.cut(table) == [1, 3])
  }

  @Test func clientsWithoutTokenCloseOnlyEachOther() {
    let surroundings = Surroundings()
    let table = surroundings.table
    for socket: Int32 in 1...100 { signIn(socket, table) }
    let strangers = Int32(ConnectionTable.maxStrangers)
    for socket in 1001...1000 + 3 * strangers { table.add(socket) }
    #expect(surroundings.cut(table) == Set(1001...1000 + 2 * strangers))
    // One that signs in is no stranger any more.
    table.receive(1001 + 2 * strangers)
    table.signIn(1001 + 2 * strangers)
    table.add(9000)
    #expect(surroundings.cut(table) == Set(1001...1000 + 2 * strangers))
  }

  @Test func oldestStreamOfEventsEnds() {
    let surroundings = Surroundings()
    let table = surroundings.table
    let count = Int32(ConnectionTable.maxFollowing)
    for socket in 1...count + 10 {
      signIn(socket, table)
      table.follow(socket)
    }
    #expect(surroundings.cut(table) == Set(1...10))
    table.forget(11)
    signIn(1000, table)
    table.follow(1000)
    #expect(surroundings.cut(table) == Set(1...10))
  }

  @Test func idleConnectionMakesRoom() {
    let surroundings = Surroundings()
    let table = surroundings.table
    let count = Int32(ConnectionTable.maxBusy)
    for socket in 1...count {
      signIn(socket, table)
      table.answer(socket)
    }
    for socket: Int32 in 2...3 { table.wait(socket) }
    signIn(1000, table)
    #expect(surroundings.cut(table) == [2])
  }
}
