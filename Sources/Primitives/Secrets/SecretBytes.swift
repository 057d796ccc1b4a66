#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Bytes that are wiped when their owner lets go of them.
///
/// A password, a seed or a session key is handed around as a `SecretBytes`: it has one owner, it cannot be
/// copied by accident, it has no printable form, and its memory is overwritten before it is freed. Read it inside
/// ``withBytes(_:)``; what leaves the closure is the caller's responsibility.
///
/// The memory is not locked against paging; an app that needs that turns swapping off for its process.
@safe
public struct SecretBytes: ~Copyable, @unchecked Sendable {  // SAFETY: one owner; the memory never leaves a borrow
    private let storage: UnsafeMutableBufferPointer<UInt8>

    /// The number of bytes.
    public var count: Int { unsafe storage.count }

    /// Whether there are no bytes at all.
    public var isEmpty: Bool { unsafe storage.isEmpty }

    /// Copies bytes into memory of their own. The original is the caller's to wipe.
    ///
    /// - Parameter bytes: any number of bytes, none included.
    public init(copying bytes: some Collection<UInt8>) {
        let storage = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = unsafe storage.initialize(from: bytes)
        unsafe self.storage = storage
    }

    /// Copies the bytes of a span into memory of their own.
    ///
    /// - Parameter bytes: any number of bytes, none included.
    public init(copying bytes: borrowing Span<UInt8>) {
        let storage = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        for index in bytes.indices { unsafe storage.initializeElement(at: index, to: bytes[index]) }
        unsafe self.storage = storage
    }

    /// Moves bytes into memory of their own: the array holds zeros afterwards.
    ///
    /// A second array that shares its memory with this one keeps the bytes.
    package init(wiping bytes: inout [UInt8]) {
        self.init(copying: bytes.span)
        bytes.wipe()
    }

    /// Makes zeroed memory and lets the caller fill it in place, so that no copy of the secret is left behind.
    ///
    /// - Parameters:
    ///   - count: the number of bytes, 0 or more.
    ///   - fill: writes the secret. When it throws, the memory is wiped and freed, and the error goes on.
    public init<E: Error>(count: Int, fill: (inout MutableSpan<UInt8>) throws(E) -> Void) throws(E) {
        let storage = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count)
        unsafe storage.initialize(repeating: 0)
        do {
            var span = unsafe MutableSpan(_unsafeElements: storage)
            try fill(&span)
        } catch {
            unsafe Self.wipe(storage)
            unsafe storage.deallocate()
            throw error
        }
        unsafe self.storage = storage
    }

    /// Reads the bytes.
    ///
    /// - Parameter body: gets a view that is valid during the call only.
    /// - Returns: what the closure returns.
    public borrowing func withBytes<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try body(unsafe Span(_unsafeElements: UnsafeBufferPointer(storage)))
    }

    /// A second owner of the same bytes, in memory of its own.
    public borrowing func copy() -> SecretBytes {
        withBytes { SecretBytes(copying: $0) }
    }

    deinit {
        unsafe Self.wipe(storage)
        unsafe storage.deallocate()
    }

    /// Overwrites memory in a way that the optimizer may not remove.
    package static func wipe(_ memory: UnsafeMutableRawBufferPointer) {
        guard let start = memory.baseAddress else { return }
        #if canImport(Darwin)
            _ = unsafe memset_s(start, memory.count, 0, memory.count)
        #else
            unsafe explicit_bzero(start, memory.count)
        #endif
    }

    static func wipe(_ storage: UnsafeMutableBufferPointer<UInt8>) {
        unsafe wipe(UnsafeMutableRawBufferPointer(storage))
    }
}
