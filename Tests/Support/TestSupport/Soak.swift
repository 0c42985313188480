import Foundation

/// Whether sweeps and soaks go their whole way, as `make soak` has them; in an ordinary run of the tests they are short.
package let isSoak = ProcessInfo.processInfo.environment["LONGHAND_SOAK"] != nil
