import CDispatch
import CoreMedia
import Dispatch
import Testing

extension TimeUnitsTests {
  @Test func areNotAmbiguousBesideDispatch() {
    #expect(NSEC_PER_SEC == NSEC_PER_MSEC * 1000)
    #expect(USEC_PER_SEC == NSEC_PER_USEC * 1000)
  }
}
