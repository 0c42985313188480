@_exported import CoreAudioTypes
import Foundation

// On Apple platforms Foundation and Dispatch declare these. On Linux only the C library of Dispatch does. They are
// exported, not declared again, so that they are not ambiguous for clients that import that library.
@_exported import let CDispatch.NSEC_PER_MSEC
@_exported import let CDispatch.NSEC_PER_SEC
@_exported import let CDispatch.NSEC_PER_USEC
@_exported import let CDispatch.USEC_PER_SEC

/// The result of a C function: `noErr` or an error code.
public typealias OSStatus = Int32

/// The function succeeded.
public let noErr: OSStatus = 0

extension NSError {
  convenience init(status: OSStatus) {
    self.init(domain: NSOSStatusErrorDomain, code: Int(status))
  }

  /// The status that a C function returns for this error.
  var status: OSStatus { OSStatus(truncatingIfNeeded: code) }
}

/// A way to allocate memory. Linux has only the default allocator, which is nil, so there are no instances.
public final class CFAllocator: Sendable {
  private init() {}
}

/// The default allocator.
public let kCFAllocatorDefault: CFAllocator? = nil
