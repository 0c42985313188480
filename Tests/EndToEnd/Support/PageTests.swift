import TestSupport
import Testing

/// The tests of the page, one after another, as a browser keeps a processor busy. Those that record are `RecordingTests`. What
/// was recognized does not matter, and PocketSphinx takes least of the processor.
@Suite(.tagged(.browser, .recognizer, .childProcess), .recognizer(.pocketSphinx), .serialized)
enum PageTests {}
