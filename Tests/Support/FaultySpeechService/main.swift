import Foundation
import SpeechServiceProtocol

// A speech service that fails on demand: it stands between a client and the real service, speaks the real
// protocol to both, and dies where it is told to.
//
// FAULTY_SERVICE    the real service's path
// FAULTY_PIECES     the numbers of the utterances to die at, parted by commas; each time they come
// FAULTY_MARKS      a folder: dies at each of these utterances once only, and leaves a mark there
// FAULTY_WAY        how: die (default), hang, nonsense

// As the real one does: what waits for the end of another test's process must not wait for this one.
ServiceChannel.closeInheritedFiles()

let environment = ProcessInfo.processInfo.environment
let utterances = Set((environment["FAULTY_PIECES"] ?? "").split(separator: ",").compactMap { UInt32($0) })
let client = ServiceChannel(descriptor: dup(STDIN_FILENO))

// The utterances that the real service has begun and not answered.
let condition = NSCondition()
nonisolated(unsafe) var open: Set<UInt32> = []

func fail(at utterance: UInt32) {
  // A recognizer dies of the utterance that it is at, not of one that waits behind others.
  condition.withLock { while open != [utterance] { condition.wait() } }
  if let marks = environment["FAULTY_MARKS"] {
    let mark = marks + "/\(utterance)"
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
        case .final(let result): open.remove(result.utterance)
        case .failed(let failure): open.remove(failure.utterance)
        case .ready, .unavailable, .partial, .refused: break
        }
        condition.broadcast()
      }
    }
  } catch { _exit(0) }
}
do {
  var utterance: UInt32 = 0
  while true {
    let request: ServiceRequest = try client.receive()
    if case .begin(let number) = request {
      utterance = number
      condition.withLock { _ = open.insert(number) }
    }
    // In the middle of the utterance: some of its audio has been taken.
    if case .audio = request, utterances.contains(utterance) { fail(at: utterance) }
    try near.send(request)
  }
} catch { _exit(0) }
