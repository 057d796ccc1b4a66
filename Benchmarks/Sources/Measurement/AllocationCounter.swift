#if canImport(Glibc)
    import Glibc
#endif

/// Reads the count of the library that `Benchmarks/allocations` preloads (AllocationCounter/allocation_counter.c).
/// The harness's own counts need an interposer that the trait-free build leaves out: they read 0 and say nothing.
enum AllocationCounter {
    /// Whether the library is there.
    static var isLoaded: Bool { read != nil }

    /// Every allocation of the process since it started; 0 without the library.
    static var count: Int { read.map { Int(truncatingIfNeeded: $0()) } ?? 0 }

    private static let read: (@convention(c) () -> UInt64)? = {
        #if canImport(Glibc)
            // SAFETY: the library exports this name with this signature; nobody else does.
            guard let symbol = unsafe dlsym(nil, "swift_orchestration_allocation_count") else { return nil }
            return unsafe unsafeBitCast(symbol, to: (@convention(c) () -> UInt64).self)
        #else
            return nil
        #endif
    }()
}
