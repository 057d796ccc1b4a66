import CLibrary

/// Reads the count of the library that `Benchmarks/allocations` preloads (AllocationCounter/allocation_counter.c).
/// The harness's own counts need an interposer, which this package does not use: they are always 0.
enum AllocationCounter {
    /// Whether the library is loaded.
    static var isLoaded: Bool { read != nil }

    /// The number of allocations since the start of the process; 0 without the library.
    static var count: Int { read.map { Int(truncatingIfNeeded: $0()) } ?? 0 }

    private static let read: (@convention(c) () -> UInt64)? = {
        #if canImport(Glibc)
            // SAFETY: the library exports this name with this signature, and no other library exports it.
            guard let symbol = unsafe dlsym(nil, "swift_orchestration_allocation_count") else { return nil }
            return unsafe unsafeBitCast(symbol, to: (@convention(c) () -> UInt64).self)
        #else
            return nil
        #endif
    }()
}
