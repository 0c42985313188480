import Foundation

/// What a C function answers: `noErr` or the code of what went wrong.
public typealias OSStatus = Int32

/// Nothing went wrong.
public let noErr: OSStatus = 0

extension NSError {
  /// The error that Apple's overlays throw for a status.
  convenience init(status: OSStatus) {
    self.init(domain: NSOSStatusErrorDomain, code: Int(status))
  }

  /// The status that a C function answers in place of this error.
  var status: OSStatus { OSStatus(truncatingIfNeeded: code) }
}
