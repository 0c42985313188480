/// How memory is allocated, of which Linux has one way only.
///
/// There are no instances, because clients name no allocator but the default one, which is nil.
public final class CFAllocator: Sendable {
  private init() {}
}

/// The one way to allocate memory.
public let kCFAllocatorDefault: CFAllocator? = nil
