// What programs import: all of Longhand. Its parts are modules so that a change in one does not compile the others again.
@_exported import LonghandArchive
@_exported import LonghandRecording
@_exported import LonghandTranscription
@_exported import LonghandTranscripts
@_exported import LonghandVocabulary
