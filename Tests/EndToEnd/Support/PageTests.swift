import TestSupport
import Testing

/// The tests of the page, one after another, as a browser keeps a processor busy. Those that record are `RecordingTests`.
@Suite(.tagged(.browser, .recognizer, .childProcess), .serialized) enum PageTests {}
