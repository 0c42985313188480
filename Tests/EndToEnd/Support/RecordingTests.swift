import TestSupport
import Testing

/// The tests that record, one after another. They mostly wait for sound, so that they run beside those of the recognizer.
@Suite(.tagged(.recognizer, .childProcess), .serialized) enum RecordingTests {}

/// The longest of them, beside the others.
@Suite(.tagged(.recognizer, .childProcess), .serialized) enum LongRecordingTests {}
