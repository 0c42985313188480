import TestSupport
import Testing

/// The tests of libraries, servers, workers and examples that need the recognizer, one after another, as `RecognizerTests`
/// and beside them.
@Suite(.tagged(.recognizer, .childProcess), .serialized) enum LibraryAndServerTests {}
