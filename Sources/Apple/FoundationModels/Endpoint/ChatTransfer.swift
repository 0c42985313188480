import Foundation
import FoundationNetworking
import Synchronization

/// One HTTP request and its answer as a stream. The request ends as soon as the consumer stops or is cancelled.
///
/// `@unchecked Sendable` because `NSObject` is not `Sendable`: all mutable state is in the mutex `received`.
final class ChatTransfer: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  enum Part: Sendable {
    case head(status: Int, contentType: String)
    case body(Data)
  }

  enum Failure: Error, Equatable {
    /// The server did not answer.
    case unreachable(String)
    /// The connection ended during the answer.
    case broken(String)
    /// The answer is longer than `maxLength`.
    case tooLong
  }

  /// The maximum length of an answer, in bytes.
  static let maxLength = 8 << 20

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

  /// Sends the request. The stream throws `Failure`.
  static func send(_ request: URLRequest) -> AsyncThrowingStream<Part, any Error> {
    let (stream, continuation) = AsyncThrowingStream<Part, any Error>.makeStream()
    let configuration = URLSessionConfiguration.ephemeral
    // The caller sets deadlines by cancelling; a long prompt can take minutes on a slow machine.
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
      received.isTooLong = received.length > Self.maxLength
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
    // A prompt is sent only to the server that is configured.
    completionHandler(nil)
  }
}
