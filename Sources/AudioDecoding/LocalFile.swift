import CFFmpeg
import Foundation

/// A regular file of this machine, open for reading. FFmpeg reads it through callbacks.
///
/// So FFmpeg never opens anything by name: no playlist or URL in a file can lead it elsewhere, and a file that is renamed
/// or deleted meanwhile can still be read from its beginning. One decoder at a time uses it, under the lock of
/// `AVAudioFile`. Each reader has its own position.
package final class LocalFile {
  package let path: String
  package let descriptor: Int32

  /// Opens the file at `url`; throws if it is missing, not readable or not a regular file.
  package init(url: URL) throws {
    guard url.isFileURL else {
      throw AudioError.make(
        .unsupportedFileType, "cannot open \(url.absoluteString): only files of this machine can be opened")
    }
    path = url.path
    // O_NONBLOCK: opening a named pipe must not wait for a writer.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let code = errno
      let kind: AudioError.Code =
        code == ENOENT || code == ENOTDIR ? .fileNotFound : code == EACCES ? .permission : .unspecified
      throw AudioError.make(kind, "cannot open \(path): \(AudioError.text(errno: code))")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw AudioError.make(.unsupportedFileType, "cannot open \(path): it is not a regular file")
    }
    guard status.st_size > 0 else {
      close(descriptor)
      throw AudioError.make(.invalidFile, "cannot open \(path): the file is empty")
    }
  }

  /// A file that another process has opened and checked. The descriptor is closed with the object.
  init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  /// The current size of the file in bytes. It is not asked by `fstat`, for which the C library needs a system call that
  /// takes paths. Reading does not use the offset that this changes.
  var size: Int64 { max(0, Int64(lseek(descriptor, 0, SEEK_END))) }

  /// A position in the file, for one FFmpeg context.
  final class Reader {
    let file: LocalFile
    private(set) var context: UnsafeMutablePointer<AVIOContext>?
    /// The `errno` that ended reading early; 0 if none.
    private(set) var failure: Int32 = 0
    private var position: Int64 = 0
    private let correction: Correction?

    /// Bytes that FFmpeg reads instead of those of the file.
    struct Correction {
      /// The offset in the file.
      let offset: Int64
      let bytes: [UInt8]
    }

    init(file: LocalFile, correction: Correction? = nil) throws {
      (self.file, self.correction) = (file, correction)
      let size = 32768
      guard let buffer = av_malloc(size) else {
        throw AudioError.make(.noMemory, "cannot read \(file.path): out of memory")
      }
      context = avio_alloc_context(
        buffer.assumingMemoryBound(to: UInt8.self), Int32(size), 0, Unmanaged.passUnretained(self).toOpaque(),
        { opaque, buffer, count in
          guard let opaque else { return -EINVAL }
          return Unmanaged<Reader>.fromOpaque(opaque).takeUnretainedValue().read(into: buffer, count: count)
        },
        nil,
        { opaque, offset, whence in
          guard let opaque else { return -Int64(EINVAL) }
          return Unmanaged<Reader>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
        })
      guard context != nil else {
        av_free(buffer)
        throw AudioError.make(.noMemory, "cannot read \(file.path): out of memory")
      }
    }

    deinit {
      // FFmpeg may have replaced the buffer.
      av_free(context?.pointee.buffer)
      avio_context_free(&context)
    }

    private func read(into buffer: UnsafeMutablePointer<UInt8>?, count: Int32) -> Int32 {
      while true {
        let read = pread(file.descriptor, buffer, Int(count), off_t(position))
        if read > 0 {
          if let correction, let buffer {
            for (index, byte) in correction.bytes.enumerated() {
              let place = correction.offset + Int64(index) - position
              if (0..<Int64(read)).contains(place) { buffer[Int(place)] = byte }
            }
          }
          position += Int64(read)
          return Int32(read)
        }
        if read == 0 { return Int32(longhand_averror_eof) }
        if errno == EINTR { continue }
        failure = errno
        return -errno
      }
    }

    private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
      if whence & AVSEEK_SIZE != 0 { return file.size }
      let base: Int64
      switch whence & ~AVSEEK_FORCE {
      case SEEK_SET: base = 0
      case SEEK_CUR: base = position
      case SEEK_END: base = file.size
      default: return -Int64(EINVAL)
      }
      let (target, overflow) = base.addingReportingOverflow(offset)
      guard !overflow, target >= 0 else { return -Int64(EINVAL) }
      position = target
      return target
    }
  }
}
