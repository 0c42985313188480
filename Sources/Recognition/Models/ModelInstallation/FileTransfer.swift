import FileSupport
import Foundation
import FoundationNetworking
import Synchronization

/// One HTTP request of a download, written to the disk as it arrives.
///
/// `@unchecked Sendable`, because `NSObject` is not `Sendable`: all stored properties are, and `state` is a `Mutex`.
final class FileTransfer: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private struct State {
    var continuation: CheckedContinuation<Void, any Error>?
    var output: Int32?
    var written: Int64
    var failure: (any Error)?
  }

  private let download: FileDownload
  private let offset: Int64
  private let state: Mutex<State>

  /// - Parameter offset: the number of bytes that the file has already.
  init(_ download: FileDownload, from offset: Int64) {
    (self.download, self.offset) = (download, offset)
    state = Mutex(State(written: offset))
  }

  func run() async throws {
    var request = URLRequest(
      url: download.address, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 30)
    request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    if offset > 0 { request.setValue("bytes=\(offset)-", forHTTPHeaderField: "Range") }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    let task = session.dataTask(with: request)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        state.withLock { $0.continuation = continuation }
        task.resume()
      }
    } onCancel: {
      task.cancel()
    }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    do {
      try open(for: response)
    } catch {
      fail(dataTask, error)
    }
    // Data after a failure is not written.
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let written: Int64? = state.withLock { state in
      guard state.failure == nil, let output = state.output else { return nil }
      guard state.written + Int64(data.count) <= download.size ?? download.limit else {
        state.failure = DownloadError.wrongSize
        return nil
      }
      do {
        try AtomicFile.write(data, to: output)
        state.written += Int64(data.count)
        return state.written
      } catch {
        state.failure = error
        return nil
      }
    }
    guard let written else { return dataTask.cancel() }
    do { try download.report(written) } catch { fail(dataTask, error) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let (continuation, failure) = state.withLock { state in
      defer { state.continuation = nil }
      if let output = state.output { close(output) }
      state.output = nil
      var failure = state.failure
      if failure == nil, let error {
        let isCancelled = (error as? URLError)?.code == .cancelled
        failure =
          isCancelled
          ? CancellationError() : DownloadError.interrupted((error as NSError).localizedDescription)
      }
      if failure == nil, let size = download.size, state.written < size {
        failure = DownloadError.interrupted("the server closed the connection early")
      }
      return (state.continuation, failure)
    }
    if let failure { continuation?.resume(throwing: failure) } else { continuation?.resume() }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    // A redirection may lead to another server, but not from HTTPS to HTTP, nor to a file.
    let scheme = request.url?.scheme?.lowercased()
    let isSafe = scheme == "https" || (scheme == "http" && download.address.scheme?.lowercased() == "http")
    if isSafe, let address = request.url, download.isAllowed(address) { return completionHandler(request) }
    // Not cancelled here: Foundation ends the program if a task is cancelled while it waits for this answer. Its
    // response, the redirection itself, comes next and is not written.
    state.withLock {
      $0.failure = $0.failure ?? DownloadError.forbidden(request.url?.absoluteString ?? "an invalid address")
    }
    completionHandler(nil)
  }

  private func fail(_ task: URLSessionTask, _ error: any Error) {
    state.withLock { $0.failure = $0.failure ?? error }
    task.cancel()
  }

  private func open(for response: URLResponse) throws {
    guard let response = response as? HTTPURLResponse else {
      throw DownloadError.forbidden(download.address.absoluteString)
    }
    let start: Int64
    switch response.statusCode {
    case 200: start = 0
    case 206:
      let range = response.value(forHTTPHeaderField: "Content-Range") ?? ""
      guard offset > 0, range.hasPrefix("bytes \(offset)-") else { throw DownloadError.refused(status: 206) }
      start = offset
    case 416:
      // The local part does not fit the server's file. The next attempt starts from the beginning.
      try? FileManager.default.removeItem(at: download.destination)
      throw DownloadError.refused(status: 416)
    case let status: throw DownloadError.refused(status: status)
    }
    let expected = response.expectedContentLength
    if let size = download.size, expected >= 0, start + expected != size { throw DownloadError.wrongSize }
    let output = Foundation.open(
      download.destination.path.systemName, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw AtomicFile.Failure(number: errno) }
    guard ftruncate(output, off_t(start)) == 0, lseek(output, off_t(start), SEEK_SET) == off_t(start) else {
      let failure = AtomicFile.Failure(number: errno)
      close(output)
      throw failure
    }
    state.withLock {
      $0.output = output
      $0.written = start
    }
  }
}
