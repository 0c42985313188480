// Sound: files that are read, microphones, and recordings that survive a crash. It is apart because audio must be safe
// whatever recognizes it, so nothing here knows a recognizer.
