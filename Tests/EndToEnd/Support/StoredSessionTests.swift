import TestSupport
import Testing

/// The tests that need the recognizer and keep sessions, or serve them: one after another, like `RecognizerTests`, and
/// beside them. One recording of a few words does not keep two processors busy.
@Suite(.tagged(.recognizer, .childProcess), .serialized) enum StoredSessionTests {}

/// The longest of them, beside the others.
@Suite(.tagged(.recognizer, .childProcess), .serialized) enum LongStoredSessionTests {}
