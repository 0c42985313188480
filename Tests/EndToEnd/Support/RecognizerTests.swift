import TestSupport
import Testing

/// The tests of texts that need the recognizer, one after another: each keeps all processors busy.
@Suite(.tagged(.recognizer, .childProcess), .serialized) enum RecognizerTests {}
