import TestSupport
import Testing

/// The other tests that need the recognizer, one after another: many side by side would only run into their deadlines.
@Suite(.tagged(.recognizer, .childProcess), .serialized) enum RecognizerTests {}

/// The longest of them, beside the others: the recognizer waits too, so that one series alone leaves a processor idle.
@Suite(.tagged(.recognizer, .childProcess), .serialized) enum LongRecognizerTests {}
