import Foundation
import SpeechServiceProtocol

// A speech service that fails on demand: it stands between a client and the real service, speaks the real protocol
// to both, and dies where it is told to.
//
// FAULTY_SERVICE    the real service's path
// FAULTY_PIECES     the numbers of the pieces to die at, parted by commas; each time they come
// FAULTY_MARKS      a folder: dies at each of these pieces once only, and leaves a mark there
// FAULTY_WAY        how: die (default), hang, nonsense

// As the real one does: what waits for the end of another test's process must not wait for this one.
ServiceChannel.closeInheritedFiles()

let environment = ProcessInfo.processInfo.environment
let pieces = Set((environment["FAULTY_PIECES"] ?? "").split(separator: ",").compactMap { UInt32($0) })
let client = ServiceChannel(descriptor: dup(STDIN_FILENO))

// The pieces that the real service has begun and not answered.
let condition = NSCondition()
nonisolated(unsafe) var open: Set<UInt32> = []

func fail(at piece: UInt32) {
  // A recognizer dies of the piece that it is at, not of one that waits behind others.
  condition.withLock { while open != [piece] { condition.wait() } }
  if let marks = environment["FAULTY_MARKS"] {
    let mark = marks + "/\(piece)"
    guard !FileManager.default.fileExists(atPath: mark) else { return }
    _ = FileManager.default.createFile(atPath: mark, contents: nil)
  }
  switch environment["FAULTY_WAY"] {
  case "hang": while true { sleep(1000) }
  case "nonsense":
    let frame = ServiceFrame(kind: 77, payload: Data("nonsense".utf8)).bytes
    _ = frame.withUnsafeBytes { write(client.descriptor, $0.baseAddress, $0.count) }
  default: _exit(1)
  }
}

let (near, far) = try ServiceChannel.pair()
let real = Process()
real.executableURL = URL(fileURLWithPath: environment["FAULTY_SERVICE"] ?? "")
real.standardInput = FileHandle(fileDescriptor: far.descriptor)
try real.run()
far.close()

Thread.detachNewThread {
  do {
    while true {
      let reply: ServiceReply = try near.receive()
      try client.send(reply)
      condition.withLock {
        switch reply {
        case .final(let result): open.remove(result.piece)
        case .failed(let failure): open.remove(failure.piece)
        case .ready, .unavailable, .partial, .refused: break
        }
        condition.broadcast()
      }
    }
  } catch { _exit(0) }
}
do {
  var piece: UInt32 = 0
  while true {
    let request: ServiceRequest = try client.receive()
    if case .begin(let number) = request {
      piece = number
      condition.withLock { _ = open.insert(number) }
    }
    // In the middle of the piece: some of its audio has been taken.
    if case .audio = request, pieces.contains(piece) { fail(at: piece) }
    try near.send(request)
  }
} catch { _exit(0) }
