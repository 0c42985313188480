import Foundation
import FoundationNetworking
import Synchronization

/// One HTTP request and its answer as it comes. Whoever stops listening, or is cancelled, ends the request at once.
///
/// `@unchecked Sendable`: `received` is a lock and guards all that changes.
final class ChatTransfer: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  enum Part: Sendable {
    case head(status: Int, contentType: String)
    case body(Data)
  }

  enum Failure: Error, Equatable {
    /// Nobody answered.
    case unreachable(String)
    /// The server went away while it answered.
    case broken(String)
    case tooLong
  }

  /// The longest answer, in bytes.
  static let maximumLength = 8 << 20

  private struct Received {
    var hasHead = false
    var length = 0
    var isTooLong = false
  }

  private let continuation: AsyncThrowingStream<Part, any Error>.Continuation
  private let received = Mutex(Received())

  private init(_ continuation: AsyncThrowingStream<Part, any Error>.Continuation) {
    self.continuation = continuation
  }

  /// Begins. The stream throws `Failure`.
  static func send(_ request: URLRequest) -> AsyncThrowingStream<Part, any Error> {
    let (stream, continuation) = AsyncThrowingStream<Part, any Error>.makeStream()
    let configuration = URLSessionConfiguration.ephemeral
    // Deadlines are the caller's, who cancels; a long prompt may take a slow machine minutes.
    configuration.timeoutIntervalForRequest = 3600
    configuration.httpShouldSetCookies = false
    configuration.httpCookieStorage = nil
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    let session = URLSession(
      configuration: configuration, delegate: ChatTransfer(continuation), delegateQueue: nil)
    let task = session.dataTask(with: request)
    continuation.onTermination = { _ in
      task.cancel()
      session.finishTasksAndInvalidate()
    }
    task.resume()
    return stream
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    received.withLock { $0.hasHead = true }
    let response = response as? HTTPURLResponse
    continuation.yield(
      .head(
        status: response?.statusCode ?? 0,
        contentType: response?.value(forHTTPHeaderField: "Content-Type")?.lowercased() ?? ""))
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLong = received.withLock { received in
      received.length += data.count
      received.isTooLong = received.length > Self.maximumLength
      return received.isTooLong
    }
    if isTooLong { dataTask.cancel() } else { continuation.yield(.body(data)) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let error else { return continuation.finish() }
    let received = received.withLock { $0 }
    let text = (error as NSError).localizedDescription
    let failure: Failure =
      received.isTooLong ? .tooLong : received.hasHead ? .broken(text) : .unreachable(text)
    continuation.finish(throwing: failure)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    // What was asked is for the server that was configured and for no other.
    completionHandler(nil)
  }
}
