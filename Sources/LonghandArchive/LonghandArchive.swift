// Transcripts and recordings that are kept: the database, the library of sessions, and what shows and checks them. It is the
// only module that writes the store, and the last before the programs.
