/// Whoever read standard output has had enough: nothing is wrong, and nothing more is wanted.
struct ClosedOutput: Error {}
