import CDispatch
import CoreMedia
import Dispatch
import Testing

/// In its own file, because the other tests must compile without these imports.
@Suite struct TimeUnitsTests {
  @Test func timeUnitsAreNotAmbiguousWithDispatch() {
    #expect(NSEC_PER_SEC == NSEC_PER_MSEC * 1000)
    #expect(USEC_PER_SEC == NSEC_PER_USEC * 1000)
  }
}
