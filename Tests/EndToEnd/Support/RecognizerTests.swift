import TestSupport
import Testing

/// The tests that need the recognizer, one after another: each keeps all processors busy, and side by side they would
/// only run into their deadlines.
@Suite(.tagged(.recognizer, .childProcess), .serialized) enum RecognizerTests {}
