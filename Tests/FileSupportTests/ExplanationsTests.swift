import FileSupport
import Foundation
import Testing

@Suite struct ExplanationsTests {
  private struct Own: Error, CustomStringConvertible { let description = "It broke." }

  @Test func errorsOfFoundationAreSentences() {
    let errors: [any Error] = [
      CocoaError(.fileWriteVolumeReadOnly), CocoaError(.fileWriteOutOfSpace), POSIXError(.ENOSPC),
      NSError(domain: NSCocoaErrorDomain, code: 642),
    ]
    for error in errors {
      #expect(!error.explanation.contains("Domain"), "\(error.explanation)")
      #expect(!error.explanation.contains("Code="), "\(error.explanation)")
    }
    #expect(Own().explanation == "It broke.")
  }

  @Test(arguments: [
    (0, "0 bytes"), (999, "999 bytes"), (1000, "1 KB"), (65_536, "65 KB"), (999_999, "999 KB"),
    (1_500_000, "1.5 MB"),
    (108_400_000, "108 MB"), (3_094_000_000, "3094 MB"),
  ])
  func sizesAreRead(bytes: Int, text: String) { #expect(bytes.asSize == text) }
}
