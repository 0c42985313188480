// From sound to a transcript: engines, the choice among alternatives, channels and voices. It keeps nothing: what became of a
// transcript is the archive's.
