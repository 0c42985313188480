/// Carries a value that is not `Sendable` to the one queue that uses it from then on.
///
/// `@unchecked Sendable`: whoever puts a value in does not touch it again.
struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value
}
