internal import CLibrary

/// Secret bytes that are wiped when they are no longer used.
///
/// Passwords, seeds and session keys are of this type. The value has one owner, cannot be copied by accident and has no
/// printable form. Its memory is overwritten before it is freed. Read the bytes in the closure of ``withBytes(_:)``;
/// the caller is responsible for every copy that leaves the closure.
///
/// The memory is not locked against paging. An app that needs locked memory must turn swapping off for its process.
@safe
public struct SecretBytes: ~Copyable, @unchecked Sendable {  // SAFETY: one owner; the memory never leaves a borrow
    private let storage: UnsafeMutableBufferPointer<UInt8>

    /// The number of bytes.
    public var count: Int { unsafe storage.count }

    /// Whether there are no bytes.
    public var isEmpty: Bool { unsafe storage.isEmpty }

    /// Creates a secret with a copy of bytes. The caller is responsible for wiping the original.
    ///
    /// - Parameter bytes: Any number of bytes, including none.
    public init(copying bytes: some Collection<UInt8>) {
        let storage = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = unsafe storage.initialize(from: bytes)
        unsafe self.storage = storage
    }

    /// Creates a secret with a copy of the bytes of a span. The caller is responsible for wiping the original.
    ///
    /// - Parameter bytes: Any number of bytes, including none.
    public init(copying bytes: borrowing Span<UInt8>) {
        let storage = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        for index in bytes.indices { unsafe storage.initializeElement(at: index, to: bytes[index]) }
        unsafe self.storage = storage
    }

    /// Creates a secret with the bytes of an array and overwrites the array with zeros.
    ///
    /// Another array that shares its memory with this one keeps the bytes.
    package init(wiping bytes: inout [UInt8]) {
        self.init(copying: bytes.span)
        bytes.wipe()
    }

    /// Creates a secret that a closure writes in place, without another copy.
    ///
    /// - Parameters:
    ///   - count: The number of bytes, 0 or more.
    ///   - fill: A closure that receives zeroed memory and writes the secret.
    /// - Throws: The error of the closure, after the memory is wiped and freed.
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

    /// Calls a closure with the bytes.
    ///
    /// - Parameter body: A closure that receives a view, which is valid only during the call.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure.
    public borrowing func withBytes<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try body(unsafe Span(_unsafeElements: UnsafeBufferPointer(storage)))
    }

    /// Returns a second secret with the same bytes, in separate memory.
    public borrowing func copy() -> SecretBytes {
        withBytes { SecretBytes(copying: $0) }
    }

    deinit {
        unsafe Self.wipe(storage)
        unsafe storage.deallocate()
    }

    /// Overwrites memory with zeros. The optimizer may not remove the call.
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

extension [UInt8] {
    /// Creates an array with the bytes of a span. They are not secret, or the caller wipes the array.
    package init(_ bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }

    /// Overwrites the bytes with zeros in place.
    ///
    /// Use this for a secret that cannot always be a ``SecretBytes``, such as the input or output of a coder. If
    /// another array shares the memory, a copy is wiped and the other array keeps the bytes.
    package mutating func wipe() {
        unsafe withUnsafeMutableBufferPointer { unsafe SecretBytes.wipe($0) }
    }
}
